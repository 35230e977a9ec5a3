/** A clock that a test moves. */
export { pass, stopClock } from "./stopClock.ts"
