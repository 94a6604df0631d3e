/**
 * The doors of the package: the name in `exports` of package.json ("." is index) → the file that it opens.
 * To add one, add a line here and run `npm run doors`.
 */
export const DOORS: Readonly<Record<string, string>> = {
  index: "src/index.ts",
  memory: "src/memory/index.ts",
  retrievers: "src/retrievers/door.ts",
  graph: "src/graph/door.ts",
  middleware: "src/agents/middleware.ts",
  tools: "src/agents/tools.ts",
  store: "src/memory/store.ts",
  embeddings: "src/models/embeddings.ts",
  server: "src/server/door.ts",
  mcp: "src/mcp/index.ts",
};

function door(name: string) {
  return {
    import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
    require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
  };
}

/** What `exports` in package.json must say. */
export function exportsMap(): Record<string, unknown> {
  const doors = Object.keys(DOORS).map((name) => [name === "index" ? "." : `./${name}`, door(name)]);
  return { ...Object.fromEntries(doors), "./package.json": "./package.json" };
}
