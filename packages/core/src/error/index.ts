export { CausedError } from "./CausedError.ts"
export { hideCause } from "./hideCause.ts"
export { hasTag, isOfOurs } from "./isOfOurs.ts"
export { type ErrorCode, TaggedError, type TaggedErrorClass } from "./TaggedError.ts"
