import { z } from "zod/v4";
import { InvalidVectorError, type ReembedOptions, type ReembedReport } from "../../records/index.js";
import type { Engine } from "../engine.js";
import { check, signalSchema } from "../options.js";
import { embedAll } from "./embed-batches.js";

const optionsSchema = z.strictObject({
  onProgress: z
    .custom<ReembedOptions["onProgress"]>((value) => typeof value === "function", "must be a function")
    .optional(),
  signal: signalSchema.optional(),
});

/** Makes the vectors of the whole store anew with the engine's embedder; one process at a time. */
export async function reembed(engine: Engine, options: ReembedOptions): Promise<ReembedReport> {
  check(optionsSchema, options, "the options of reembed");
  const { embedder, store } = engine;
  const [probe] = await embedAll(embedder, ["dimension"]);
  if (probe === undefined || probe.length === 0) {
    throw new InvalidVectorError(`the embedder ${embedder.name} answered no vector; nothing was changed.`);
  }
  const { former, entries, chunks, embeddedTexts } = await engine.alone("reembed", () =>
    store.reembed({
      dimension: probe.length,
      embedder: embedder.name,
      embed: (texts) => embedAll(embedder, texts),
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    }),
  );
  return { embedder: embedder.name, formerEmbedder: former, entries, turnPieces: chunks, embeddedTexts };
}
