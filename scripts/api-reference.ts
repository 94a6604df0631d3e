import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  Converter,
  type ProjectReflection,
  ReferenceType,
  type Reflection,
  ReflectionKind,
} from "typedoc";
import { DOORS } from "../doors.config.js";

/**
 * Writes the API reference of all doors, made from their docstrings, to docs-api. A public name without a docstring, or a
 * type that a door shows and none exports, is an error. With --check nothing is written.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));

const importNames = new Map(
  Object.entries(DOORS).map(([name, file]) => [file, `simplemem-langchain${name === "index" ? "" : `/${name}`}`]),
);

/** Parts that an engine makes and hands on: nobody else can make or use them. */
const ENGINE_PARTS = [
  "AccessLog",
  "CallBudget",
  "Engine",
  "HybridRetriever",
  "ItemStoreParts",
  "MemoryStore",
  "ScopedFacts",
  "ScopeLocks",
  "SharedRuns",
];

/** Graphs and middleware get their type arguments, a page of them, by inference: nobody declares the members. */
const INFERRED = new Set(["CompiledStateGraph", "AgentMiddleware"]);

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
    intentionallyNotExported: ENGINE_PARTS,
    treatWarningsAsErrors: true,
    // Types are checked by `npm run types`.
    skipErrorChecking: true,
  });
  // The doors and what they import alone: tests and examples would only be read in vain.
  const doors = Object.values(DOORS).map((file) => join(ROOT, file));
  app.options.setCompilerOptions(doors, app.options.getCompilerOptions(app.logger), undefined);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    nameModules(project);
    hideInferred(project);
  });
  return app;
}

/** A module is called as it is imported, not as its file is. */
function nameModules(project: ProjectReflection): void {
  for (const module of project.children ?? []) {
    const file = project.getSymbolIdFromReflection(module)?.packagePath;
    module.name = importNames.get(file ?? "") ?? module.name;
  }
}

function hideInferred(project: ProjectReflection): void {
  for (const reflection of project.getReflectionsByKind(ReflectionKind.SomeSignature)) {
    const type = reflection.isSignature() ? reflection.type : undefined;
    if (!(type instanceof ReferenceType) || !INFERRED.has(type.name)) continue;
    type.typeArguments = [];
    for (const literal of project.getReflectionsByKind(ReflectionKind.TypeLiteral)) {
      if (literal.parent === reflection) project.removeReflection(literal);
    }
  }
}

function* ancestors(reflection: Reflection): Generator<Reflection> {
  for (let above = reflection.parent; above !== undefined; above = above.parent) yield above;
}

/** Members of objects without a name, for which the docstring of what holds the object may speak. */
function spokenFor(project: ProjectReflection): string[] {
  const members = project.getReflectionsByKind(ReflectionKind.Property).filter((member) => {
    const above = [...ancestors(member)];
    const holder = above.find((one) => !one.kindOf(ReflectionKind.TypeLiteral));
    // The validation does not look at parameters, and would call their names superfluous here.
    const isLookedAt = !member.hasComment() && !above.some((one) => one.kindOf(ReflectionKind.Parameter));
    return isLookedAt && holder !== member.parent && holder?.hasComment() === true;
  });
  return [...new Set(members.map((member) => member.getFriendlyFullName()))];
}

const app = await startTypedoc();
const project = await app.convert();
if (project !== undefined) {
  app.options.setValue("intentionallyNotDocumented", spokenFor(project));
  app.validate(project);
}
if (project === undefined || app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
else if (!process.argv.includes("--check")) await app.generateDocs(project, join(ROOT, "docs-api"));
