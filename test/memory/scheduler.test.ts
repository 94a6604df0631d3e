import { describe, expect, it } from "vitest";
import { Scheduler, type Timer } from "../../src/memory/scheduler.js";

/** Timers that go off when they are told to. */
class Alarm {
  readonly delays: number[] = [];
  #work: (() => void) | null = null;

  readonly timer: Timer = (work, delayMs) => {
    this.delays.push(delayMs);
    this.#work = work;
    return () => {
      this.#work = null;
    };
  };

  get isArmed(): boolean {
    return this.#work !== null;
  }

  async ring(): Promise<void> {
    const work = this.#work;
    this.#work = null;
    work?.();
    for (let step = 0; step < 5; step += 1) await Promise.resolve();
  }
}

function scheduled(random: () => number, run: (signal: AbortSignal) => Promise<void>) {
  const alarm = new Alarm();
  const scheduler = new Scheduler({ everyMs: 1000, jitter: 0.2, run, timer: alarm.timer, random });
  scheduler.start();
  return { alarm, scheduler };
}

describe("the scheduler", () => {
  it("runs first within the jitter, then every interval, earlier or later by the jitter", async () => {
    const draws = [0.5, 0, 1, 0.5];
    let runs = 0;
    const { alarm } = scheduled(
      () => draws.shift() ?? 0,
      async () => {
        runs += 1;
      },
    );
    for (let time = 0; time < 3; time += 1) await alarm.ring();
    expect(runs).toBe(3);
    expect(alarm.delays).toEqual([100, 800, 1200, 1000]);
  });

  it("never runs twice at once: the next time is set when a run has ended", async () => {
    let end = (): void => {};
    const { alarm } = scheduled(
      () => 0,
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await alarm.ring();
    expect(alarm.isArmed).toBe(false);
    end();
    for (let step = 0; step < 5; step += 1) await Promise.resolve();
    expect(alarm.isArmed).toBe(true);
  });

  it("stops: what is to come is called off, what runs is aborted, and nothing follows", async () => {
    let seen: AbortSignal | undefined;
    const { alarm, scheduler } = scheduled(
      () => 0,
      async (signal) => {
        seen = signal;
        scheduler.stop();
      },
    );
    await alarm.ring();
    expect(seen?.aborted).toBe(true);
    expect(alarm.isArmed).toBe(false);
  });
});
