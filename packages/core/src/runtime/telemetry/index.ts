export { failureFacts, paymentLabel } from "./failureFacts.ts"
export { logFailure } from "./logFailure.ts"
export { safeSpan, useSafeSpan } from "./safeSpan.ts"
