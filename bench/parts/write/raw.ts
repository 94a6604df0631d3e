import { connect } from "@lancedb/lancedb";
import { Field, FixedSizeList, Float32, Float64, Schema, Utf8 } from "apache-arrow";
import type { TurnInput } from "../../../src/index.js";
import { inFreshFolder } from "../../suite/folders.js";
import { median, timed, timedEach } from "../../suite/numbers.js";

const SINGLES = 100;

const TEXT = [
  new Field("id", new Utf8(), false),
  new Field("speaker", new Utf8(), false),
  new Field("content", new Utf8(), false),
  new Field("at", new Float64(), false),
];

function rowsOf(turns: readonly TurnInput[]) {
  return turns.map(({ speaker, content }, index) => ({ id: `t${index}`, speaker, content, at: index }));
}

/** Plain LanceDB: one row a time, and all rows at once into a table of text and one with vectors. */
export async function rawAppends(turns: readonly TurnInput[], dimension: number) {
  return inFreshFolder(async (folder) => {
    const connection = await connect(folder);
    const vector = new Field("vector", new FixedSizeList(dimension, new Field("item", new Float32(), true)), true);
    const rows = rowsOf(turns);
    const numbers = Array.from({ length: dimension }, (_, index) => index + 1);
    const single = await connection.createEmptyTable("single", new Schema(TEXT));
    const singles = await timedEach(rows.slice(0, SINGLES), (row) => single.add([row]));
    const plain = await connection.createEmptyTable("plain", new Schema(TEXT));
    const vectors = await connection.createEmptyTable("vectors", new Schema([...TEXT, vector]));
    const bulk = await timed(async () => {
      await plain.add(rows);
      await vectors.add(rows.map((row) => ({ ...row, vector: numbers })));
    });
    connection.close();
    return { oneMs: median(singles), bulkMsPerTurn: bulk / turns.length };
  });
}
