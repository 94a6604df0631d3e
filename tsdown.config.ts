import { defineConfig } from "tsdown";
import { DOORS } from "./doors.config.js";

export default defineConfig({
  entry: { ...DOORS },
  format: ["esm", "cjs"],
  dts: true,
  platform: "node",
  target: "node20",
  outDir: "dist",
  // .js and .cjs, as `exports` in package.json say, not .mjs.
  fixedExtension: false,
  clean: true,
  shims: true,
});
