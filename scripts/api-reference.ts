import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter } from "typedoc";
import { DOORS } from "../doors.config.js";

/**
 * Writes the API reference of all doors, made from their docstrings, to docs-api. A public name without a docstring, or a
 * type that a door shows and none exports, is an error. With --check nothing is written.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));

const importNames = new Map(
  Object.entries(DOORS).map(([name, file]) => [file, `simplemem-langchain${name === "index" ? "" : `/${name}`}`]),
);

async function startTypedoc(): Promise<Application> {
  const app = await Application.bootstrap({
    name: "simplemem-langchain",
    entryPoints: Object.values(DOORS),
    tsconfig: "tsconfig.json",
    readme: "none",
    disableSources: true,
    // What a class inherits from LangChain is LangChain's to document.
    excludeExternals: true,
    excludePrivate: true,
    validation: { notExported: true, invalidLink: true, notDocumented: true },
    treatWarningsAsErrors: true,
    // Types are checked by `npm run types`.
    skipErrorChecking: true,
  });
  // The doors and what they import alone: tests and examples would only be read in vain.
  const doors = Object.values(DOORS).map((file) => join(ROOT, file));
  app.options.setCompilerOptions(doors, app.options.getCompilerOptions(app.logger), undefined);
  // A module is called as it is imported, not as its file is.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const file = project.getSymbolIdFromReflection(module)?.packagePath;
      module.name = importNames.get(file ?? "") ?? module.name;
    }
  });
  return app;
}

const app = await startTypedoc();
const project = await app.convert();
if (project !== undefined) app.validate(project);
if (project === undefined || app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
else if (!process.argv.includes("--check")) await app.generateDocs(project, join(ROOT, "docs-api"));
