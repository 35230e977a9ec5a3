// A receiver in another app loads this folder: it needs nothing of Effect.
export type { Exchange, ExchangeBody, RefusedBody, Reply } from "./Exchange.ts"
export { Pieces } from "./Pieces.ts"
export { plainPath } from "./plainPath.ts"
export { readUpTo } from "./readUpTo.ts"
