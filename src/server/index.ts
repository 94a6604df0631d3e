export { checkBinding, isLoopback } from "./addresses.js";
export { bodyGuard, DEFAULT_MAX_BODY } from "./body-limit.js";
export { answerFailure, answerUnknown, refusalOf } from "./failures.js";
export { type GuardOptions, guard, securityHeaders } from "./guards.js";
export { ListenError, type Listening, type ListenOptions, listen } from "./listen.js";
export { type CallerOptions, crossOrigin, hostGuard, originGuard } from "./origins.js";
export { DEFAULT_RATE, type RateLimit, rateLimit } from "./rate-limit.js";
export { type Refusal, type RefusalBody, refuse } from "./refusals.js";
export { checkTokens, type GuardedEnv, type Holder, identify, MIN_TOKEN, requireToken } from "./tokens.js";
