import { describe, expect, it } from "vitest";
import { SettledState } from "../../src/store/settled.js";

describe("the state of a table by its looks", () => {
  const later = () => {
    let now = 0;
    return { state: new SettledState(() => now), pass: (ms: number) => (now += ms) };
  };

  it("is known only when the table has looked the same for five seconds", () => {
    const { state, pass } = later();
    state.learn("a", "1");
    pass(4_999);
    state.learn("a", "1");
    expect(state.of("a")).toBeNull();
    pass(1);
    state.learn("a", "1");
    expect(state.of("a")).toBe("1");
  });

  it("of a commit that left the same looks as the one before, the last is known", () => {
    const { state, pass } = later();
    state.learn("a", "1");
    pass(6_000);
    state.learn("a", "2");
    expect(state.of("a")).toBe("2");
  });

  it("is unknown again as soon as the table looks different, and for five seconds after", () => {
    const { state, pass } = later();
    state.learn("a", "1");
    pass(6_000);
    state.learn("a", "1");
    expect(state.of("b")).toBeNull();
    state.learn("b", "2");
    expect(state.of("a")).toBeNull();
    pass(100);
    state.learn("b", "3");
    expect(state.of("b")).toBeNull();
  });

  it("is never known of a table that has no looks", () => {
    const { state, pass } = later();
    state.learn(null, "1");
    pass(6_000);
    state.learn(null, "1");
    expect(state.of(null)).toBeNull();
  });
});
