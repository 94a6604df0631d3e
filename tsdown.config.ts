import { defineConfig } from "tsdown";

/** One entry per door of the package; the names are those of `exports` in package.json. */
export default defineConfig({
  entry: {
    index: "src/index.ts",
    memory: "src/memory/index.ts",
    retrievers: "src/retrievers/index.ts",
    graph: "src/graph/index.ts",
    tools: "src/agents/tools.ts",
    embeddings: "src/models/embeddings.ts",
  },
  format: ["esm", "cjs"],
  dts: true,
  platform: "node",
  target: "node20",
  outDir: "dist",
  clean: true,
  shims: true,
});
