import { readFileSync, writeFileSync } from "node:fs";
import { exportsMap } from "../doors.config.js";

/** Writes `exports` in package.json from doors.config.ts; with --check it only says whether they agree. */
const place = new URL("../package.json", import.meta.url);
const before = readFileSync(place, "utf8");
const after = `${JSON.stringify({ ...JSON.parse(before), exports: exportsMap() }, null, 2)}\n`;
const agree = JSON.stringify(JSON.parse(before)) === JSON.stringify(JSON.parse(after));

if (!process.argv.includes("--check")) writeFileSync(place, after);
else if (!agree) {
  console.error("package.json and doors.config.ts name different doors: run `npm run doors`.");
  process.exitCode = 1;
}
