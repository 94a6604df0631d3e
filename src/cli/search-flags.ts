import { type Command, Option } from "commander";
import { type SearchOptions, VIEWS, type View } from "../records/index.js";
import { addFilterFlags, type FilterFlags, filterOf } from "./filter-flags.js";
import { choices, wholeNumber } from "./flags.js";

/** The flags of `search` and `ask`. */
export interface SearchFlags extends FilterFlags {
  readonly k?: number;
  readonly view?: readonly View[];
  readonly asOf?: string;
  readonly order?: NonNullable<SearchOptions["order"]>;
  readonly planning?: NonNullable<SearchOptions["planning"]>;
  readonly maxTokens?: number;
  readonly archived?: boolean;
}

/** Gives a command the options of a search. */
export function addSearchFlags(command: Command): Command {
  command
    .option("-k, --k <n>", "hits at most, 1 to 1,000; absent: as deep as the question needs", wholeNumber(1, 1000))
    .addOption(choices("--view <view>", "searches by this view alone", VIEWS))
    .option("--as-of <time>", "what was believed at this time, ISO 8601")
    .addOption(new Option("--order <order>", "order of the hits").choices(["relevance", "newest", "oldest"]))
    .addOption(new Option("--planning <when>", "whether a model plans the search").choices(["auto", "always", "never"]))
    .option("--max-tokens <n>", "cuts the hits so that their texts fit", wholeNumber(0, 10_000_000))
    .option("--archived", "also what was archived, superseded or done");
  return addFilterFlags(command);
}

/** The options that the flags describe. */
export function searchOptions(flags: SearchFlags, signal: AbortSignal): SearchOptions {
  const { k, view, asOf, order, planning, maxTokens, archived } = flags;
  return {
    ...filterOf(flags),
    ...(k === undefined ? {} : { k }),
    ...(view === undefined ? {} : { views: view }),
    ...(asOf === undefined ? {} : { asOf }),
    ...(order === undefined ? {} : { order }),
    ...(planning === undefined ? {} : { planning }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(archived === true ? { includeArchived: true } : {}),
    signal,
  };
}
