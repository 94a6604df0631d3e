import { z } from "zod/v4";
import { patchSchema, reasonSchema, restoreSchema, updateSchema, versionSchema } from "../memory/correction-schemas.js";
import { reportsSchema } from "../memory/maintenance-options.js";
import { flushSchema, forgetSchema, maintainSchema } from "../memory/options.js";
import type { FlushOptions, FlushProgress, ScopedMemory } from "../records/index.js";
import { MAX_PAGE, nonBlank, turnBody, turnOf } from "./bodies.js";
import { type Endpoint, endpoint, type ServerEvent, sessionEndpoint } from "./endpoint.js";

/** Each step of a flush as it comes, then its report. */
async function* flushEvents(memory: ScopedMemory, options: FlushOptions): AsyncGenerator<ServerEvent> {
  const steps: FlushProgress[] = [];
  let wake = () => {};
  const report = memory.flush({
    ...options,
    onProgress: (progress) => {
      steps.push(progress);
      wake();
    },
  });
  let isDone = false;
  const done = report.finally(() => {
    isDone = true;
    wake();
  });
  // A failure is thrown where the report is awaited.
  done.catch(() => {});
  while (!isDone || steps.length > 0) {
    const step = steps.shift();
    if (step !== undefined) yield { event: "progress", data: step };
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield { event: "report", data: await report };
}

const reasoned = reasonSchema.extend({ id: nonBlank });

const add = sessionEndpoint({
  path: "/v1/add",
  summary: "Accepts turns: they are in the log when this answers, and are rewritten into facts later.",
  body: z.strictObject({ turns: z.array(turnBody).min(1).max(MAX_PAGE) }),
  run: (memory, { turns }) => memory.add(turns.map(turnOf)),
});

const flush = endpoint({
  path: "/v1/flush",
  summary: "Makes facts of what is pending; with its progress as server-sent events.",
  body: flushSchema.omit({ onProgress: true, signal: true }),
  // Not ended with the request: what a model was paid for is kept.
  run: (memory, body) => memory.flush(body),
  events: (memory, body) => flushEvents(memory, body),
});

const update = endpoint({
  path: "/v1/update",
  summary: "Changes what the patch names of an entry; the version before stays in the history.",
  body: updateSchema.extend({ id: nonBlank, patch: patchSchema }),
  run: (memory, { id, patch, ...options }) => memory.update(id, patch, options),
});

const restore = endpoint({
  path: "/v1/restore",
  summary: "Makes what an entry said in a former version current again.",
  body: restoreSchema.extend({ id: nonBlank, version: versionSchema }),
  run: (memory, { id, version, ...options }) => memory.restore(id, version, options),
});

const pin = endpoint({
  path: "/v1/pin",
  summary: "Marks an entry as not to be archived by itself.",
  body: reasoned,
  run: (memory, { id, ...options }) => memory.pin(id, options),
});

const unpin = endpoint({
  path: "/v1/unpin",
  summary: "Takes the mark of a pin away.",
  body: reasoned,
  run: (memory, { id, ...options }) => memory.unpin(id, options),
});

const forget = endpoint({
  path: "/v1/forget",
  summary: "Removes entries, turns and facts for good; with dryRun it says what would go.",
  body: forgetSchema,
  run: (memory, body) => memory.forget(body),
});

const maintain = endpoint({
  path: "/v1/maintain",
  summary: "Archives what has expired or faded, joins what was stored twice, sums up what is said again and again.",
  body: maintainSchema.omit({ signal: true }),
  run: (memory, body) => memory.maintain(body),
});

const reports = endpoint({
  path: "/v1/maintenance/reports",
  summary: "The last runs of maintenance, newest first.",
  body: reportsSchema,
  run: async (memory, body) => ({ items: await memory.maintenance.reports(body) }),
});

const expand = endpoint({
  path: "/v1/maintenance/expand",
  summary: "Takes a pattern apart: its parts are active again.",
  body: reasoned,
  run: async (memory, { id, ...options }) => ({ items: await memory.maintenance.expand(id, options) }),
});

/** Everything of the scope, which is more than one answer should hold. */
const exportAll: Endpoint = {
  ...endpoint({
    path: "/v1/export",
    summary: "Everything of the scope as JSON Lines: turns, windows, entries with their histories, and facts.",
    body: z.strictObject({}),
    run: async () => null,
  }),
  lines: ({ memory, signal }) => memory.export({ signal }),
};

/** What writes and corrects memory, keeps it in order, and takes it out. */
export const WRITE_ENDPOINTS: readonly Endpoint[] = [
  add,
  flush,
  update,
  restore,
  pin,
  unpin,
  forget,
  maintain,
  reports,
  expand,
  exportAll,
];
