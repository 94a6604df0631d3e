/** A single-valued attribute of someone or something, as a sentence states it. */
export interface Slot {
  /** Whose: "ilse", "the trip to skerrow". */
  readonly subject: string;
  /** Which: "residence", "locker code", "favourite colour". Two slots with other names never compete. */
  readonly attribute: string;
  readonly value: string;
  /** Stems that tell the thing from others of its kind. */
  readonly qualifiers?: readonly string[];
}
