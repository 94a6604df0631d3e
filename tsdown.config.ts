import { defineConfig } from "tsdown";
import { DOORS } from "./doors.config.js";

export default defineConfig({
  entry: { ...DOORS },
  format: ["esm", "cjs"],
  dts: true,
  platform: "node",
  target: "node20",
  outDir: "dist",
  clean: true,
  shims: true,
});
