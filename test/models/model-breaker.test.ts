import { expect, it } from "vitest";
import { CallBudget } from "../../src/models/index.js";
import { ModelBreaker } from "../../src/models/model-breaker.js";

it("leaves a model alone after three time-outs in a row (R78)", () => {
  const breaker = new ModelBreaker();
  for (let failure = 0; failure < 2; failure++) breaker.failed("timeout", 0);
  expect(() => breaker.ensureClosed(0)).not.toThrow();
  breaker.failed("timeout", 0);
  expect(() => breaker.ensureClosed(29_999)).toThrow(/left alone/);
  expect(() => breaker.ensureClosed(30_000)).not.toThrow();
});

it("is opened again by the first failure after the pause, and closed by an answer", () => {
  const breaker = new ModelBreaker();
  for (let failure = 0; failure < 9; failure++) breaker.failed("error", 0);
  breaker.failed("error", 30_000);
  expect(() => breaker.ensureClosed(59_999)).toThrow(/left alone/);
  breaker.answered();
  for (let failure = 0; failure < 8; failure++) breaker.failed("error", 60_000);
  expect(() => breaker.ensureClosed(60_000)).not.toThrow();
});

it("a budget gives as many calls as it holds", () => {
  const budget = new CallBudget(2);
  budget.take();
  budget.take();
  expect(() => budget.take()).toThrow(/maxCallsPerFlush/);
});
