#!/usr/bin/env node
import { runProcess } from "./process.js";

// Work that nobody waits for any more must not hold the process; what was printed has been handed over.
process.exit(await runProcess());
