export { afterFailure, allowedAtOnce, type BreakerRule, type CircuitBreaker, closedBreaker } from "./CircuitBreaker.ts"
