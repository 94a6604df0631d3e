/** How much of memory one model call may be given. */
export interface InjectionBudget {
  /** Memories at most; 0: none. */
  readonly items: number;
  /** Characters of each; longer ones are cut and marked. */
  readonly charactersPerItem: number;
  /** Tokens of the whole block, frame included. */
  readonly tokens: number;
}

/**
 * CALMem's boundaries on the fill ratio r = used / window. The fuller the window, the less is injected, so that memory
 * never pushes out the conversation that it is there to help.
 */
export const AMPLE_BELOW = 0.6;
/** The fill below which three shorter memories are injected. */
export const TIGHT_BELOW = 0.7;
/** The fill below which two short memories are injected; from here on none. */
export const SCARCE_BELOW = 0.8;

/** r < 0.60 */
export const AMPLE: InjectionBudget = Object.freeze({ items: 5, charactersPerItem: 600, tokens: 900 });
/** 0.60 ≤ r < 0.70 */
export const TIGHT: InjectionBudget = Object.freeze({ items: 3, charactersPerItem: 450, tokens: 400 });
/** 0.70 ≤ r < 0.80 */
export const SCARCE: InjectionBudget = Object.freeze({ items: 2, charactersPerItem: 250, tokens: 130 });
/** r ≥ 0.80 */
export const NONE: InjectionBudget = Object.freeze({ items: 0, charactersPerItem: 0, tokens: 0 });

/** Facts of the session come at every level; these tokens are their share, out of what is left of the window. */
export const FACT_TOKENS = 300;

/**
 * What may be injected into a request that already takes `used` of `window` tokens.
 * @example injectionBudget(2_600, 4_000) // r = 0.65: 3 items of 450 characters
 */
export function injectionBudget(used: number, window: number): InjectionBudget {
  const budget = levelOf(used / window);
  const left = Math.max(0, Math.floor(window - used));
  return left < budget.tokens ? { ...budget, tokens: left } : budget;
}

function levelOf(fill: number): InjectionBudget {
  if (fill < AMPLE_BELOW) return AMPLE;
  if (fill < TIGHT_BELOW) return TIGHT;
  return fill < SCARCE_BELOW ? SCARCE : NONE;
}
