import type { Command } from "commander";
import type { Cli } from "../call.js";
import { addAdd } from "./add.js";
import { addAsk } from "./ask.js";
import { addDemo } from "./demo.js";
import { addEval } from "./eval.js";
import { addExport } from "./export.js";
import { addFacts } from "./facts.js";
import { addFlush } from "./flush.js";
import { addForget } from "./forget.js";
import { addImport } from "./import.js";
import { addInspect } from "./inspect.js";
import { addList } from "./list.js";
import { addMaintain } from "./maintain.js";
import { addMcp } from "./mcp.js";
import { addReembed } from "./reembed.js";
import { addReview } from "./review.js";
import { addSearch } from "./search.js";
import { addServe } from "./serve.js";
import { addShow } from "./show.js";
import { addStats } from "./stats.js";
import { addTimeline } from "./timeline.js";
import { addUpdate } from "./update.js";
import { addUsers } from "./users.js";
import { addVerify } from "./verify.js";
import { addWork } from "./work.js";

/** Every command, in the order of the help. Each adds itself to the program. */
export const COMMANDS: readonly ((program: Command, cli: Cli) => void)[] = [
  addDemo,
  addAdd,
  addFlush,
  addWork,
  addAsk,
  addSearch,
  addList,
  addShow,
  addTimeline,
  addFacts,
  addReview,
  addUpdate,
  addForget,
  addMaintain,
  addStats,
  addUsers,
  addExport,
  addImport,
  addReembed,
  addVerify,
  addEval,
  addServe,
  addMcp,
  addInspect,
];
