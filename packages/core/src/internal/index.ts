// What the packages of one release share: no promise holds for it, and it may change with any release.
export {
  afterFailure,
  allowedAtOnce,
  type BreakerRule,
  type CircuitBreaker,
  closedBreaker,
} from "../runtime/breaker/CircuitBreaker.ts"
export { type Cache, type CacheOptions, makeCache } from "../runtime/cache/Cache.ts"
export { makeRecentMap, type RecentMap } from "../runtime/cache/RecentMap.ts"
export { makeSingleFlight, type SingleFlight } from "../runtime/cache/SingleFlight.ts"
export {
  type BytesRead,
  type Exchange,
  type ExchangeBody,
  Pieces,
  plainPath,
  readUpTo,
  type RefusedBody,
  type Reply,
} from "../runtime/exchange/index.ts"
export { InvalidOption } from "../runtime/options/InvalidOption.ts"
export { checkOptions, optionFlaw, type OptionRules } from "../runtime/options/optionFlaw.ts"
export {
  aFlag,
  aFunction,
  aListOf,
  anAdapter,
  anObject,
  aNumber,
  aText,
  hasMethods,
  oneOf,
  type OptionRule,
  required,
} from "../runtime/options/OptionRule.ts"
export {
  type FailureFacts,
  failureFacts,
  logFailure,
  paymentLabel,
  safeSpan,
  useSafeSpan,
} from "../runtime/telemetry/index.ts"
