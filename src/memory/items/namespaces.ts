import { InvalidNamespaceError, type MatchCondition } from "@langchain/langgraph-checkpoint";
import { InvalidInputError } from "../../records/index.js";

const ANY_LABEL = "*";

export interface ListRequest {
  readonly conditions: readonly MatchCondition[];
  readonly maxDepth?: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Checks the labels that reached `batch`. The named methods of BaseStore refuse more (`.`, `:`, the root `langgraph`),
 * because other stores join labels; this one keeps them apart whatever they hold.
 * @throws InvalidNamespaceError
 */
export function checkNamespace(namespace: unknown, options: { allowEmpty: boolean }): readonly string[] {
  if (!Array.isArray(namespace)) throw new InvalidNamespaceError("A namespace must be a list of labels.");
  if (namespace.length === 0 && !options.allowEmpty) throw new InvalidNamespaceError("Namespace cannot be empty.");
  return namespace.map((label: unknown) => {
    if (typeof label === "string" && label !== "" && !label.includes("\0")) return label;
    throw new InvalidNamespaceError(
      `Invalid namespace label ${JSON.stringify(label)}: labels are non-empty strings without NUL.`,
    );
  });
}

function meets(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false;
  const start = matchType === "prefix" ? 0 : namespace.length - path.length;
  return path.every((label, index) => label === ANY_LABEL || label === namespace[start + index]);
}

function compareLabels(left: readonly string[], right: readonly string[]): number {
  for (const [index, label] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (label !== other) return label < other ? -1 : 1;
  }
  return left.length - right.length;
}

/** The labels that every match begins with: the store can select by these. */
export function knownPrefix(conditions: readonly MatchCondition[]): readonly string[] {
  const paths = conditions.filter(({ matchType }) => matchType === "prefix").map(({ path }) => path);
  const known = paths.map((path) => (path.includes(ANY_LABEL) ? path.slice(0, path.indexOf(ANY_LABEL)) : path));
  return known.reduce((longest, path) => (path.length > longest.length ? path : longest), []);
}

/** @throws InvalidInputError for a condition that is neither a prefix nor a suffix */
export function checkConditions(conditions: readonly MatchCondition[]): readonly MatchCondition[] {
  for (const { matchType } of conditions) {
    if (matchType === "prefix" || matchType === "suffix") continue;
    throw new InvalidInputError(`namespaces are matched by prefix or suffix, got ${JSON.stringify(matchType)}.`);
  }
  return conditions;
}

/** The namespaces that meet all conditions, cut at `maxDepth`, each once, ordered label by label. */
export function listNamespaces(
  namespaces: readonly (readonly string[])[],
  { conditions, maxDepth, limit, offset }: ListRequest,
): string[][] {
  const met = namespaces.filter((namespace) => conditions.every((condition) => meets(namespace, condition)));
  const cut = new Map(met.map((namespace) => [JSON.stringify(namespace.slice(0, maxDepth)), namespace]));
  const ordered = [...cut.values()].map((namespace) => namespace.slice(0, maxDepth)).sort(compareLabels);
  return ordered.slice(offset, offset + limit);
}
