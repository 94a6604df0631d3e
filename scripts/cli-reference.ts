import { readFileSync, writeFileSync } from "node:fs";
import type { Argument, Command, Option } from "commander";
import { ENVIRONMENT } from "../src/cli/environment.js";
import { EXIT, EXIT_MEANINGS } from "../src/cli/exit-codes.js";
import { buildProgram } from "../src/cli/program.js";
import type { Sink } from "../src/cli/terminal.js";

/** Writes docs/cli.md from the commands of the program. With --check it only says whether the page is up to date. */
const PAGE = new URL("../docs/cli.md", import.meta.url);

const INTRO = `# The command line

Made from the commands by \`npm run docs:cli\`.

\`\`\`sh
npx -p simplemem-langchain simplemem demo
npx -p simplemem-langchain simplemem inspect
\`\`\`

\`demo\` fills \`./simplemem-data\` with a conversation and asks it questions, offline; \`inspect\` serves a page to look at it. Where the package is
installed the program is \`npx simplemem\`, in this project \`npx tsx src/cli/main.ts\`.

\`\`\`sh
simplemem add chat.jsonl --user ilse
simplemem ask --user ilse "Who repairs clocks?"
cat more.jsonl | simplemem add --user ilse
simplemem list --user ilse --json | jq -r '.items[].losslessRestatement'
simplemem forget --user ilse --person Ane          # shows what would go; --yes removes it
\`\`\`

- There is no default user: \`--user\` or \`SIMPLEMEM_USER\` says whose memory is meant. Only \`demo\` has one, \`demo\`.
- Results go to stdout, everything else to stderr. With \`--json\` a command gives one JSON document, in the shape in which the library gives
  it. Progress, with rate and time left, is shown where stderr is a terminal.
- Times are shown in \`--time-zone\`, else in UTC.
- All of an input is checked before its first turn is added: a line that does not fit is named, and nothing is added.
- The first Ctrl-C ends a command orderly: turns that were accepted are in the log and wait, and \`simplemem flush\` makes facts of them. The
  second one ends it at once; nothing that was accepted is lost then either.
- Several programs may use one folder at the same time.
- Texts of memories are printed so that they cannot drive the terminal: control characters and marks of direction are shown, not obeyed.
`;

function nothing(): Sink {
  return { isTerminal: false, columns: 100, write: async () => {} };
}

function program(): Command {
  const terminal = {
    input: null,
    ask: null,
    output: nothing(),
    errors: nothing(),
    env: {},
    signal: new AbortController().signal,
    clock: Date.now,
  };
  return buildProgram({ terminal, finish: () => {} }, "");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const lines = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`);
  return `\n${lines.join("\n")}\n`.replace("| --- | --- |", "|---|---|");
}

function optionRow(option: Option): readonly string[] {
  const values = option.argChoices === undefined ? "" : ` (${option.argChoices.join(", ")})`;
  const fallback = option.defaultValue === undefined ? "" : ` (default ${String(option.defaultValue)})`;
  return [`\`${option.flags}\``, `${option.description}${values}${fallback}`];
}

function argumentRow(argument: Argument): readonly string[] {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return [`\`${argument.required ? `<${name}>` : `[${name}]`}\``, argument.description];
}

function usageOf(command: Command, parents: string): string {
  return `${parents} ${command.name()} ${command.usage()}`.replace(/\[options\] \[command\]/, "[command]").trim();
}

function section(command: Command, parents: string, depth: number): string {
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  const children = command.commands.map((child) => section(child, `${parents} ${command.name()}`, depth + 1));
  const heading = `${"#".repeat(depth)} ${`${parents} ${command.name()}`.replace("simplemem ", "")}`;
  return `\n${heading}\n\n\`${usageOf(command, parents)}\`\n\n${command.description()}\n${table(["", ""], rows)}${children.join("")}`;
}

function page(): string {
  const root = program();
  const codes = Object.entries(EXIT).map(([name, code]) => {
    const meaning = Object.entries(EXIT_MEANINGS).find(([known]) => known === name)?.[1];
    return [String(code), meaning ?? ""];
  });
  const variables = Object.entries(ENVIRONMENT).map(([name, says]) => [`\`${name}\``, says]);
  const commands = root.commands.map((command) => section(command, "simplemem", 2)).join("");
  return [
    INTRO,
    `\n## Options of every command\n\nBefore or after the command's name.\n${table(["", ""], root.options.map(optionRow))}`,
    `\n## The environment\n${table(["", ""], variables)}`,
    `\n## How it ends\n\nIts exit codes:\n${table(["code", "meaning"], codes)}`,
    commands,
  ].join("");
}

const made = page();
if (!process.argv.includes("--check")) writeFileSync(PAGE, made);
else if (readFileSync(PAGE, "utf8") !== made) {
  console.error("docs/cli.md does not say what the commands are: run `npm run docs:cli`.");
  process.exitCode = 1;
}
