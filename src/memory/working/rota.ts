import { scopeKey } from "../../store/index.js";
import type { Job } from "./backlog.js";

/** A scope that gets nowhere rests for at most so many times as long as after its first time. */
const LONGEST_REST = 32;

interface Standing {
  /** Turns in a row that came to nothing. */
  readonly inVain: number;
  readonly restsUntil: number;
}

const NEWCOMER: Standing = { inVain: 0, restsUntil: 0 };

/**
 * Whose turn it is: scopes stand in line, and who had a turn goes to its end. Who got nowhere rests, and holds up nobody. Those who
 * come at once stand by lot, so that several workers begin with different ones.
 */
export class Rota {
  /** In the order of the line. */
  readonly #line = new Map<string, Standing>();

  /**
   * @param restMs milliseconds of rest after a turn that came to nothing, doubled with each further one
   * @param random 0 to 1
   */
  constructor(
    private readonly restMs: number,
    private readonly random: () => number,
  ) {}

  /** The jobs in the order of their turns, without those that rest. Who is not among them has left the line. */
  inOrder(jobs: readonly Job[], now: number): readonly Job[] {
    const present = new Map(jobs.map((job) => [scopeKey(job.scope), job]));
    for (const [key, { restsUntil }] of this.#line) {
      if (!present.has(key) && restsUntil <= now) this.#line.delete(key);
    }
    const newcomers = [...present.keys()].filter((key) => !this.#line.has(key));
    for (const key of this.#byLot(newcomers)) this.#line.set(key, NEWCOMER);
    return [...this.#line].flatMap(([key, { restsUntil }]) => (restsUntil <= now ? (present.get(key) ?? []) : []));
  }

  /** Notes that a scope had its turn. */
  note({ scope }: Job, cameTo: "something" | "nothing", now: number): void {
    const key = scopeKey(scope);
    const before = this.#line.get(key)?.inVain ?? 0;
    const inVain = cameTo === "something" ? 0 : before + 1;
    const rest = inVain === 0 ? 0 : this.restMs * Math.min(2 ** (inVain - 1), LONGEST_REST);
    this.#line.delete(key);
    this.#line.set(key, { inVain, restsUntil: now + rest });
  }

  #byLot(keys: readonly string[]): readonly string[] {
    const drawn = keys.map((key) => ({ key, lot: this.random() }));
    return drawn.sort((left, right) => left.lot - right.lot).map(({ key }) => key);
  }
}
