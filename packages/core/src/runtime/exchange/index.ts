// Receivers in other apps load this folder, so nothing here imports Effect.
export type { Exchange, ExchangeBody, RefusedBody, Reply } from "./Exchange.ts"
export { meansThisMachine } from "./meansThisMachine.ts"
export { Pieces } from "./Pieces.ts"
export { plainPath } from "./plainPath.ts"
export { readUpTo } from "./readUpTo.ts"
