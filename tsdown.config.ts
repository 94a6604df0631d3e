import { defineConfig } from "tsdown";
import { DOORS } from "./doors.config.js";

/** The program of the package. It has no types, and is not required by anybody. */
const PROGRAM = { simplemem: "src/cli/main.ts" };

export default defineConfig({
  entry: { ...DOORS },
  format: { esm: { entry: { ...DOORS, ...PROGRAM } }, cjs: {} },
  dts: { entry: Object.values(DOORS) },
  deps: {
    // What only the program needs comes with it; a model is the user's to install.
    onlyBundle: ["commander", "hono", "@hono/node-server"],
    neverBundle: ["@langchain/openai"],
  },
  platform: "node",
  target: "node20",
  outDir: "dist",
  // .js and .cjs, as `exports` in package.json say, not .mjs.
  fixedExtension: false,
  clean: true,
  shims: true,
});
