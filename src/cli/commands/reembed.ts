import type { Command } from "commander";
import type { ReembedReport } from "../../records/index.js";
import { type Cli, performOnStore, type StoreCall } from "../call.js";

async function tell(
  { output }: StoreCall,
  { embedder, formerEmbedder, entries, turnPieces, embeddedTexts }: ReembedReport,
): Promise<void> {
  await output.table(null, [
    ["embedder", embedder],
    ["former one", formerEmbedder ?? "none"],
    ["facts", String(entries)],
    ["pieces of turns", String(turnPieces)],
    ["texts embedded", String(embeddedTexts)],
  ]);
}

async function reembed(call: StoreCall): Promise<undefined> {
  const { simplemem, output, terminal } = call;
  const report = await simplemem.reembed({
    signal: terminal.signal,
    onProgress: ({ done, total }) => output.progress.tell({ what: "embedding", unit: "rows", done, total }),
  });
  await output.give(report, () => tell(call, report));
  return undefined;
}

/** `simplemem reembed` */
export function addReembed(program: Command, cli: Cli): void {
  program
    .command("reembed")
    .summary("make all vectors anew with another embedder")
    .description(
      "Makes the vectors of all users anew with the embedder that OPENAI_EMBEDDING_MODEL or --config names, or else with the local one. " +
        "After a break, calling it again goes on where it ended.",
    )
    .action(async (_flags: unknown, self: Command) => {
      await performOnStore(cli, self, {}, reembed);
    });
}
