/** How the program ends. Scripts rely on these numbers: docs/cli.md lists them. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  nothingFound: 3,
  refused: 4,
  faults: 5,
  windowsFailed: 6,
  store: 7,
  missingPackage: 8,
  interrupted: 130,
  terminated: 143,
} as const;

/** One of the numbers with which the program ends. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What each number means, for the documentation. */
export const EXIT_MEANINGS: { readonly [name in keyof typeof EXIT]: string } = {
  ok: "done",
  failure: "an unexpected failure; `--debug` shows where",
  usage: "wrong usage: an unknown option, a missing user, input that does not fit",
  nothingFound: "what was asked for is not there: no hit, an abstention, an unknown id",
  refused: "not done, since nobody confirmed it",
  faults: "`verify` found faults",
  windowsFailed:
    "the turns are kept, but facts could not be made of all of them; `simplemem flush --retry-failed` tries again",
  store: "the store cannot be used: its folder, its version or its embedder do not fit",
  missingPackage: "an optional package is not installed",
  interrupted: "interrupted by Ctrl-C; what was accepted is kept",
  terminated: "ended by SIGTERM; what was accepted is kept",
};
