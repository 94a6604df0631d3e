import { button, el, pairs } from "./dom.js";
import { factButton } from "./fact-button.js";
import { inWords, moment, utcMoment } from "./format.js";
import { placeOf } from "./timeline.js";

/** @import { EntryVersion } from "../../src/records/index.js" */
/** @import { EntryReply } from "../../src/inspector/replies.js" */
/** @import { App } from "./app.js" */

/** @param {string} title @param {...(Node | null | false)} content */
function part(title, ...content) {
  return el("section", {}, el("h3", {}, title), ...content);
}

/** The turns that prove it. @param {EntryReply} reply @param {App} app */
export function sourcesPart({ sources, missingSources }, app) {
  const turns = sources.map((turn) =>
    el(
      "div",
      { class: "source" },
      el("p", { class: "small" }, el("strong", {}, turn.speaker), `, ${moment(turn.timestamp, turn.offsetMinutes)}`),
      el("p", { class: "said" }, turn.content),
      button(
        "Show in the timeline",
        () => app.go("timeline", { session: turn.sessionId, turn: placeOf(turn), order: "oldest" }),
        {
          class: "quiet small",
        },
      ),
    ),
  );
  const gone =
    missingSources.length > 0 && el("p", { class: "soft small" }, `No longer in the log: ${missingSources.join(", ")}`);
  return part("Said in", ...turns, gone);
}

/** Minutes east of UTC where it was said. @param {EntryReply} reply */
function offsetOf({ sources }) {
  return sources[0]?.offsetMinutes ?? 0;
}

/** By what each view finds it. @param {EntryReply} reply */
export function viewsPart(reply) {
  const { entry } = reply;
  const time = [entry.timestamp, entry.timestampEnd]
    .map((instant) => moment(instant, offsetOf(reply)))
    .filter((one) => one !== null)
    .join(" until ");
  return part(
    "How it is found",
    pairs([
      ["by meaning", `vector of the statement (${entry.embeddingModel})`],
      ["by words", entry.keywords],
      ["by time", time],
      ["by place", entry.location],
      ["by people", entry.persons],
      ["by things", entry.entities],
      ["by topic", entry.topic],
      ...Object.entries(entry.attributes).map(([name, value]) => /** @type {const} */ ([inWords(name), value])),
    ]),
  );
}

/** How far it may be believed. @param {EntryReply} reply */
export function trustPart(reply) {
  const { entry, doubt, guards, extractedBy, review } = reply;
  const offset = offsetOf(reply);
  const findings = guards.map(({ code, detail }) => `${inWords(code)}: ${detail}`);
  return part(
    "How sure it is",
    pairs([
      ["kind", entry.kind],
      ["confidence", `${Math.round(entry.confidence * 100)} %`],
      ["importance", `${Math.round(entry.importance * 100)} %`],
      ["source", `${entry.speaker} (${entry.trust})`],
      ["made by", extractedBy],
      ["holds from", moment(entry.validFrom, offset)],
      ["held until", moment(entry.validTo, offset)],
      ["expires", moment(entry.expiresAt, offset)],
      ["found", `${entry.accessCount} times`],
      ["doubt", doubt],
      ["its turns do not say", findings],
      ["asks for review", review.map(inWords)],
    ]),
  );
}

/** @param {EntryReply} reply @param {App} app */
export function relatedPart({ related }, app) {
  if (related.length === 0) return null;
  const facts = related.map((entry) => factButton(entry, { open: app.open, isOpen: false }));
  for (const fact of facts) fact.tabIndex = 0;
  return part("Facts that had a part in it", ...facts);
}

/** @param {EntryVersion} version @param {EntryVersion | undefined} before */
function wording({ entry }, before) {
  const former = before?.entry.losslessRestatement;
  if (former === undefined || former === entry.losslessRestatement) return null;
  return el("p", { class: "fact-text" }, el("del", {}, former), " → ", el("ins", {}, entry.losslessRestatement));
}

/**
 * Every version, newest first.
 * @param {EntryReply} reply
 * @param {(version: number) => void} restore
 */
export function historyPart({ versions }, restore) {
  const items = versions.map((version, index) =>
    el(
      "li",
      { class: "version" },
      el(
        "p",
        { class: "small" },
        el("strong", {}, inWords(version.op)),
        ` by ${version.by}, `,
        el("time", { datetime: version.at }, utcMoment(version.at)),
      ),
      version.reason !== null && el("p", { class: "small soft" }, `“${version.reason}”`),
      version.changed.length > 0 &&
        el("p", { class: "small soft" }, `changed: ${version.changed.map(inWords).join(", ")}`),
      wording(version, versions[index - 1]),
      index < versions.length - 1 &&
        button(`Restore version ${version.version}`, () => restore(version.version), { class: "quiet small" }),
    ),
  );
  return part("History", el("ol", {}, ...items.reverse()));
}
