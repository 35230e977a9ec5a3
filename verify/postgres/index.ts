export { realPostgres } from "./realPostgres.ts"
export { storeHooks } from "./storeHooks.ts"
export { isLockTimeout, until, untilBlocking, waitMs, withoutLockTimeout } from "./waiting.ts"
