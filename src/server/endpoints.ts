import type { Endpoint } from "./endpoint.js";
import { FACT_ENDPOINTS } from "./fact-endpoints.js";
import { READ_ENDPOINTS } from "./read-endpoints.js";
import { REVIEW_ENDPOINTS } from "./review-endpoints.js";
import { WRITE_ENDPOINTS } from "./write-endpoints.js";

/** Everything that is served to the holder of a token. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...READ_ENDPOINTS,
  ...WRITE_ENDPOINTS,
  ...FACT_ENDPOINTS,
  ...REVIEW_ENDPOINTS,
];
