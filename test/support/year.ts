import type { TurnInput } from "../../src/index.js";

/** Something of a person that has one value at a time, and changes. */
export interface Slot {
  readonly person: string;
  readonly kind: Kind;
}

/** What holds from a session on. */
interface Told {
  readonly session: number;
  readonly value: string;
}

export interface Session {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly turns: readonly TurnInput[];
}

/** A question about one slot, in the words of somebody who asks for the present. */
export interface Asked {
  readonly slot: Slot;
  readonly question: string;
}

/** A year of chats of one user about some people, the same for the same seed. */
export interface Life {
  readonly sessions: readonly Session[];
  readonly questions: readonly Asked[];
  /** What was true of a slot after so many sessions; null before it was told. */
  truth(slot: Slot, sessions: number): string | null;
  /** What was true of it before, and is no more. */
  former(slot: Slot, sessions: number): readonly string[];
}

export interface LifeOptions {
  readonly sessions: number;
  /** At most 20. */
  readonly people: number;
  readonly seed?: number;
}

const PEOPLE =
  "Orla Bram Liv Maren Tove Ansel Petra Runa Ivo Saskia Jory Wenna Hale Mirt Odile Corin Thea Galen Brisa Nils".split(
    " ",
  );
const TOWNS = "Dunmore Porthaven Skerrow Vellin Ashmoor Tarnby Kessick Roswyn Holmfleet Brackley Ostwick Farrow".split(
  " ",
);
const FIRMS =
  "Oakline|Quill & Fern|Harrow Mill|Bright Keel|Stonebridge Labs|Lantern House|Northgate Dairy|Pell Press|Ember Works|Wharf Nine|Cobalt Yard|Saltmarsh Tools".split(
    "|",
  );
const DRINKS =
  "cider|green tea|cocoa|black coffee|lemonade|oat milk|ginger beer|mint tea|espresso|apple juice|rooibos|tonic water".split(
    "|",
  );
const TITLES =
  "baker|surveyor|welder|archivist|florist|plumber|librarian|beekeeper|glazier|translator|cartographer|roofer".split(
    "|",
  );

/** How each kind is said for the first time and again, when it changes, and how it is asked. */
const KINDS = {
  residence: {
    values: TOWNS,
    told: (p, v) => [`${p} lives in ${v}.`, `By the way, ${p} lives in ${v}.`],
    changed: (p, v) => [`${p} moved to ${v}.`, `${p} lives in ${v} now.`],
    asked: (p) => `Where does ${p} live?`,
  },
  employer: {
    values: FIRMS,
    told: (p, v) => [`${p} works at ${v}.`, `${p} works for ${v}.`],
    changed: (p, v) => [`${p} works for ${v} now.`, `${p} started working at ${v}.`],
    asked: (p) => `Where does ${p} work?`,
  },
  phone: {
    values: TOWNS.map((_, index) => `555-${String(1013 + index * 389).padStart(4, "0")}`),
    told: (p, v) => [`${p}'s phone number is ${v}.`],
    changed: (p, v) => [`${p}'s phone number changed to ${v}.`, `${p}'s phone number is now ${v}.`],
    asked: (p) => `What is ${p}'s phone number?`,
  },
  drink: {
    values: DRINKS,
    told: (p, v) => [`${p}'s favourite drink is ${v}.`],
    changed: (p, v) => [`${p}'s favourite drink is now ${v}.`],
    asked: (p) => `What is ${p}'s favourite drink?`,
  },
  title: {
    values: TITLES,
    told: (p, v) => [`${p}'s job title is ${v}.`],
    changed: (p, v) => [`${p}'s job title is now ${v}.`],
    asked: (p) => `What is ${p}'s job title?`,
  },
} satisfies {
  readonly [kind: string]: {
    readonly values: readonly string[];
    told(person: string, value: string): readonly string[];
    changed(person: string, value: string): readonly string[];
    asked(person: string): string;
  };
};
type Kind = keyof typeof KINDS;
const KIND_NAMES: readonly Kind[] = ["residence", "employer", "phone", "drink", "title"];

const PLANS: readonly (readonly [verb: string, past: string, thing: string])[] = [
  ["paint", "painted", "the garden shed"],
  ["repair", "repaired", "the kitchen tap"],
  ["visit", "visited", "the tram museum"],
  ["plant", "planted", "two pear trees"],
  ["sort", "sorted", "the attic boxes"],
  ["bake", "baked", "a walnut cake"],
  ["restore", "restored", "the oak dresser"],
  ["mend", "mended", "the torn sail"],
  ["clean", "cleaned", "the rain gutters"],
  ["knit", "knitted", "a wool blanket"],
];
const NOISE = [
  "Ok.",
  "Haha, thanks!",
  "Good morning.",
  "It is grey again today.",
  "See you later.",
  "Hm, let me think.",
];
const YEAR_DAYS = 365;
const FACTS_A_SESSION = 3;
const CHANGES = 0.2;
const DONE = 0.5;
const CALLED_OFF = 0.7;

/** Numbers from 0 to 1 that are the same for the same seed (Mulberry32, T. Ettinger). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const keyOf = ({ person, kind }: Slot): string => `${person}/${kind}`;

/** Writes a year down, session by session. */
class Chronicle {
  readonly #random: () => number;
  readonly #told = new Map<string, Told[]>();
  readonly #open: (readonly [verb: string, past: string, thing: string])[] = [];
  #untold: Slot[];

  constructor(
    private readonly slots: readonly Slot[],
    seed: number,
  ) {
    this.#random = randomFrom(seed);
    this.#untold = [...slots];
  }

  told(slot: Slot): readonly Told[] {
    return this.#told.get(keyOf(slot)) ?? [];
  }

  session(index: number, of: number): Session {
    const at = new Date(Date.UTC(2025, 0, 1, 9) + (index / of) * YEAR_DAYS * 86_400_000);
    const facts = Array.from({ length: FACTS_A_SESSION }, () => this.#fact(index));
    const said = [this.#pick(NOISE), ...facts, ...this.#plans(), this.#pick(NOISE)];
    const turns = said.flatMap((content, place): TurnInput[] => {
      const timestamp = new Date(at.getTime() + place * 60_000).toISOString();
      return [{ id: `s${index}-${place}`, speaker: "Ilse", role: "user", content, timestamp }];
    });
    return { id: `s${index}`, at: at.toISOString(), turns };
  }

  #pick<T>(values: readonly [T, ...T[]] | readonly T[]): T {
    const value = values[Math.floor(this.#random() * values.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  }

  #fact(session: number): string {
    const slot = this.#untold.shift() ?? this.#pick(this.slots);
    const kind = KINDS[slot.kind];
    const known = this.#told.get(keyOf(slot)) ?? [];
    const current = known.at(-1)?.value;
    if (current !== undefined && this.#random() >= CHANGES) return this.#pick(kind.told(slot.person, current));
    const value = this.#pick(kind.values.filter((one) => !known.some((told) => told.value === one)));
    this.#told.set(keyOf(slot), [...known, { session, value }]);
    return this.#pick((current === undefined ? kind.told : kind.changed)(slot.person, value));
  }

  /** One plan is made; an earlier one may come to its end. */
  #plans(): string[] {
    const ended = this.#random() < CALLED_OFF ? this.#open.shift() : undefined;
    const made = this.#pick(PLANS);
    this.#open.push(made);
    const plan = `I plan to ${made[0]} ${made[2]}.`;
    if (ended === undefined) return [plan];
    const [verb, past, thing] = ended;
    return [plan, this.#random() < DONE / CALLED_OFF ? `I ${past} ${thing}.` : `I decided not to ${verb} ${thing}.`];
  }
}

export function lifeOf({ sessions, people, seed = 7 }: LifeOptions): Life {
  const slots = PEOPLE.slice(0, people).flatMap((person) => KIND_NAMES.map((kind) => ({ person, kind })));
  const chronicle = new Chronicle(slots, seed);
  const written = Array.from({ length: sessions }, (_, index) => chronicle.session(index, sessions));
  const until = (slot: Slot, count: number): Told[] => chronicle.told(slot).filter(({ session }) => session < count);
  return {
    sessions: written,
    questions: slots.map((slot) => ({ slot, question: KINDS[slot.kind].asked(slot.person) })),
    truth: (slot, count) => until(slot, count).at(-1)?.value ?? null,
    former: (slot, count) =>
      until(slot, count)
        .slice(0, -1)
        .map(({ value }) => value),
  };
}
