import { TRUST_OF_ROLE } from "../records/index.js";
import type { FilterColumns } from "./filter.js";

/** Raw turns tell by their role whose words they are. */
export const ROLE_TRUST: FilterColumns["trust"] = {
  column: "role",
  valuesOf: (trust) => Object.entries(TRUST_OF_ROLE).flatMap(([role, source]) => (source === trust ? [role] : [])),
};
