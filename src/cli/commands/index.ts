import type { Command } from "commander";
import type { Cli } from "../call.js";
import { addAdd } from "./add.js";
import { addAsk } from "./ask.js";
import { addFlush } from "./flush.js";
import { addList } from "./list.js";
import { addSearch } from "./search.js";
import { addStats } from "./stats.js";
import { addUsers } from "./users.js";

/** Every command, in the order of the help. Each adds itself to the program. */
export const COMMANDS: readonly ((program: Command, cli: Cli) => void)[] = [
  addAdd,
  addFlush,
  addAsk,
  addSearch,
  addList,
  addStats,
  addUsers,
];
