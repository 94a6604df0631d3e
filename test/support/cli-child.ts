/** The program `simplemem` as a process of its own, as src/cli/main.ts runs it. */
import { runProcess } from "../../src/cli/process.js";

process.exit(await runProcess());
