export { failureFacts, paymentLabel } from "./failureFacts.ts"
export { logFailure } from "./logFailure.ts"
export { isTraced, safeSpan, useSafeSpan } from "./safeSpan.ts"
