import { api } from "./api.js";
import { button, el, field } from "./dom.js";
import { counted } from "./format.js";

/** @import { MemoryEntry } from "../../src/records/index.js" */

/** @param {readonly string[]} names */
const joined = (names) => names.join(", ");

/** @param {string} text */
function split(text) {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** @param {string} text */
const orNull = (text) => (text.trim() === "" ? null : text.trim());

/**
 * What may be corrected: the name of the field, its label, how it is written, and how that is read.
 * @type {readonly (readonly [string, string, (entry: MemoryEntry) => string, (text: string) => unknown])[]}
 */
const FIELDS = [
  ["timestamp", "When it happens (ISO 8601)", ({ timestamp }) => timestamp ?? "", orNull],
  ["location", "Place", ({ location }) => location ?? "", orNull],
  ["topic", "Topic", ({ topic }) => topic ?? "", orNull],
  ["persons", "People, parted by commas", ({ persons }) => joined(persons), split],
  ["entities", "Things, parted by commas", ({ entities }) => joined(entities), split],
  ["keywords", "Words to find it by, parted by commas", ({ keywords }) => joined(keywords), split],
];

/**
 * A form for a correction; it sends what was changed and nothing else.
 * @param {MemoryEntry} entry
 * @param {{ save: (patch: object, reason: string | undefined) => Promise<unknown>, cancel: () => void, label: string }} parts
 */
export function editForm(entry, { save, cancel, label }) {
  const text = el("textarea", { id: "edit-text", required: true }, entry.losslessRestatement);
  const inputs = FIELDS.map(([name, , write]) => el("input", { id: `edit-${name}`, value: write(entry) }));
  const reason = el("input", { id: "edit-reason" });
  const patchOf = () => {
    const changed = FIELDS.flatMap(([name, , write, read], index) => {
      const value = inputs[index]?.value ?? "";
      return value === write(entry) ? [] : [[name, read(value)]];
    });
    const words = text.value === entry.losslessRestatement ? {} : { text: text.value };
    return { ...Object.fromEntries(changed), ...words };
  };
  return el(
    "form",
    {
      "aria-label": label,
      submit: (event) => {
        event.preventDefault();
        void save(patchOf(), orNull(reason.value) ?? undefined);
      },
    },
    field("Statement, in words that need no context", text),
    el(
      "details",
      {},
      el("summary", {}, "Time, place, people, words"),
      ...FIELDS.flatMap(([, name], index) => {
        const input = inputs[index];
        return input === undefined ? [] : [field(name, input)];
      }),
    ),
    field("Reason, kept in the history", reason),
    el("div", { class: "row" }, el("button", { type: "submit", class: "main" }, "Save"), button("Cancel", cancel)),
  );
}

/**
 * Says what would go before anything goes.
 * @param {string} id
 * @param {{ forgotten: (withTurns: boolean) => void, cancel: () => void, failed: (error: unknown) => void }} parts
 */
export async function forgetForm(id, { forgotten, cancel, failed }) {
  const { removed } = await api.forget({ ids: [id], dryRun: true });
  const purge = el("input", { type: "checkbox", id: "purge" });
  const go = button(
    "Forget it",
    async () => {
      go.disabled = true;
      try {
        const receipt = await api.forget({ ids: [id], purge: purge.checked });
        forgotten(receipt.removed.turns > 0);
      } catch (error) {
        go.disabled = false;
        failed(error);
      }
    },
    { class: "danger" },
  );
  return el(
    "div",
    { class: "confirm", role: "group", "aria-label": "Forget this fact" },
    el(
      "p",
      { id: "forget-what" },
      `This removes ${counted(removed.entries, "fact")} and ${counted(removed.turns, "turn")} for good.`,
    ),
    el(
      "p",
      { class: "inline" },
      purge,
      el("label", { for: "purge" }, "also from every file and old version (takes longer)"),
    ),
    el("div", { class: "actions" }, go, button("Keep it", cancel)),
  );
}
