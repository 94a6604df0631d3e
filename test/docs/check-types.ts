import { join } from "node:path";
import ts from "typescript";
import { DOORS } from "../../doors.config.js";
import { type Program, ROOT } from "./pages.js";

/** The doors as an importer names them, and the source file that each opens. */
export const DOOR_SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DOORS).map(([name, file]) => [
    name === "index" ? "simplemem-langchain" : `simplemem-langchain/${name}`,
    join(ROOT, file),
  ]),
);

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  return {
    ...options,
    paths: Object.fromEntries(Object.entries(DOOR_SOURCES).map(([name, file]) => [name, [file]])),
    // A block without an import is a program too.
    moduleDetection: ts.ModuleDetectionKind.Force,
    // A page may make a thing and leave its use to the reader.
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
}

function hostOver(options: ts.CompilerOptions, texts: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  return {
    ...host,
    fileExists: (name) => texts.has(name) || fileExists(name),
    readFile: (name) => texts.get(name) ?? readFile(name),
    getSourceFile: (name, target, ...rest) => {
      const text = texts.get(name);
      return text === undefined ? getSourceFile(name, target, ...rest) : ts.createSourceFile(name, text, target);
    },
  };
}

function told(page: string, { file, start = 0, messageText }: ts.Diagnostic): string {
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
  return `${page}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
}

/** Type-checks programs against the package's sources, all in one go; what is wrong with each, by page and line. */
export function typeErrors(programs: readonly Program[]): ReadonlyMap<Program, readonly string[]> {
  const options = compilerOptions();
  const fileOf = (program: Program): string => join(ROOT, `${program.name.replace(":", ".")}.ts`);
  const texts = new Map(programs.map((program) => [fileOf(program), program.text]));
  const checker = ts.createProgram([...texts.keys()], options, hostOver(options, texts));
  return new Map(
    programs.map((program) => {
      const source = checker.getSourceFile(fileOf(program));
      const found = [...checker.getSyntacticDiagnostics(source), ...checker.getSemanticDiagnostics(source)];
      return [program, found.map((diagnostic) => told(program.page, diagnostic))];
    }),
  );
}
