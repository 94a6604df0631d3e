/** Names of the tags between which models think aloud. */
const NAMES = "(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)";
/** A tag of thinking in the spellings in use; the group is its slash when it ends one. Bounded, so that it stays linear. */
const TAG = new RegExp(`(?:<(/?)${NAMES}(?: [^<>]{0,60})?>|\\[(/?)THINK\\]|◁(/?)think▷)`, "gi");
/** Channels of a reply: what follows the last "final" is said, the rest is thought. */
const FINAL_CHANNEL = /<\|channel\|>final[^<]{0,40}<\|message\|>/g;
const CONTROL_TOKEN = /<\|(?:end|return|im_end|eot_id|endoftext)\|>/g;

function spokenChannel(text: string): string {
  const last = [...text.matchAll(FINAL_CHANNEL)].at(-1);
  return (last === undefined ? text : text.slice(last.index + last[0].length)).replace(CONTROL_TOKEN, "");
}

/**
 * A reply without what the model thought aloud: closed blocks, orphaned ends (all before them was thought), and
 * beginnings that were never closed (all after them is).
 */
export function withoutReasoning(reply: string): string {
  const text = spokenChannel(reply);
  let spoken = "";
  let depth = 0;
  let from = 0;
  for (const match of text.matchAll(TAG)) {
    const isEnd = match.slice(1).includes("/");
    if (!isEnd && depth === 0) spoken += text.slice(from, match.index);
    if (isEnd && depth === 0) spoken = "";
    depth = Math.max(0, depth + (isEnd ? -1 : 1));
    from = match.index + match[0].length;
  }
  return (depth === 0 ? spoken + text.slice(from) : spoken).trim();
}
