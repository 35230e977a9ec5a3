export { pass, settle } from "./pass.ts"
export { stopClock } from "./stopClock.ts"
