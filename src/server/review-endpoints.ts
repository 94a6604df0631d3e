import { editSchema, reasonSchema, updateSchema } from "../memory/correction-schemas.js";
import { nonBlank, reviewListBody } from "./bodies.js";
import { type Endpoint, endpoint } from "./endpoint.js";

const reasoned = reasonSchema.extend({ id: nonBlank });

const list = endpoint({
  path: "/v1/review/list",
  summary: "Entries that a person should look at, in the order of creation.",
  body: reviewListBody,
  run: (memory, body) => memory.review.list(body),
});

const approve = endpoint({
  path: "/v1/review/approve",
  summary: "Makes an entry active, as sure as what the user says.",
  body: reasoned,
  run: (memory, { id, ...options }) => memory.review.approve(id, options),
});

const reject = endpoint({
  path: "/v1/review/reject",
  summary: "Puts an entry away, as not true from now on.",
  body: reasoned,
  run: (memory, { id, ...options }) => memory.review.reject(id, options),
});

const edit = endpoint({
  path: "/v1/review/edit",
  summary: "Changes an entry and approves it in one step.",
  body: updateSchema.extend({ id: nonBlank, patch: editSchema }),
  run: (memory, { id, patch, ...options }) => memory.review.edit(id, patch, options),
});

/** The queue of contradicted, doubted and untrusted entries. */
export const REVIEW_ENDPOINTS: readonly Endpoint[] = [list, approve, reject, edit];
