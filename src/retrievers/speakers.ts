import { contentStems } from "../language/index.js";

/** Shorter short forms stand for too many names. */
const SHORT_FORM = 3;

export function samePerson(left: string, right: string): boolean {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  return a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `);
}

/** Whom of those who speak a name means: the one of that name, else the only one whose name begins with it ("Mel"). */
function speakerOf(name: string, speaking: readonly string[]): string | null {
  const exact = speaking.find((speaker) => samePerson(speaker, name));
  if (exact !== undefined) return exact;
  if (name.length < SHORT_FORM) return null;
  const longer = speaking.filter((speaker) => speaker.toLowerCase().startsWith(name.toLowerCase()));
  return longer.length === 1 ? (longer[0] ?? null) : null;
}

/** The persons of a question, parted by whether they speak in what was found. */
export interface NamedPersons {
  /** Names of speakers, in the order in which the question names them. */
  readonly speakers: readonly string[];
  readonly thirdParties: readonly string[];
  /** Stems of the speakers' names as the question writes them. */
  readonly nameStems: ReadonlySet<string>;
}

export function namedPersons(question: string, persons: readonly string[], speaking: readonly string[]): NamedPersons {
  const place = (name: string): number => question.toLowerCase().indexOf(name.toLowerCase());
  const named = [...persons]
    .sort((left, right) => place(left) - place(right))
    .map((name) => ({ name, speaker: speakerOf(name, speaking) }));
  const known = named.filter(({ speaker }) => speaker !== null);
  return {
    speakers: [...new Set(known.flatMap(({ speaker }) => speaker ?? []))],
    thirdParties: named.filter(({ speaker }) => speaker === null).map(({ name }) => name),
    nameStems: new Set(known.flatMap(({ name }) => contentStems(name))),
  };
}
