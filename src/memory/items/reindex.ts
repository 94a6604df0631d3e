import type { Json } from "../../records/index.js";
import type { ItemRow, ItemTable, ItemWrite } from "../../store/index.js";
import { plainFields } from "./filter.js";
import type { TextIndex } from "./text-index.js";

/** Items whose texts go to the embedder in one call. */
const ITEMS_PER_CALL = 100;

/** The item as it is, with the vectors that its texts have now; null when none of them has one. */
function withVectors(
  item: ItemRow,
  value: Json,
  texts: readonly string[],
  vectors: ReadonlyMap<string, readonly number[]>,
): ItemWrite | null {
  const found = texts.flatMap((text) => [vectors.get(text)].filter((vector) => vector !== undefined));
  return found.length === 0 ? null : { ...item, fields: plainFields(value), vectors: found };
}

/** Gives vectors to the items under a prefix that have none; answers to how many. */
export async function reindexItems(
  items: ItemTable,
  index: TextIndex,
  prefix: readonly string[],
  clock: () => number,
): Promise<number> {
  const bare = await items.unindexed({ prefix, now: clock() });
  let indexed = 0;
  for (let start = 0; start < bare.length; start += ITEMS_PER_CALL) {
    const some = bare.slice(start, start + ITEMS_PER_CALL).map((item) => {
      const value: Json = JSON.parse(item.json);
      return { item, value, texts: index.textsOf(value, undefined) };
    });
    const vectors = await index.embed([...new Set(some.flatMap(({ texts }) => texts))]);
    for (const { item, value, texts } of some) {
      const write = withVectors(item, value, texts, vectors);
      if (write !== null && (await items.index(write, clock()))) indexed += 1;
    }
  }
  return indexed;
}
