export type { Exchange, ExchangeBody, Reply } from "./Exchange.ts"
export { plainPath } from "./plainPath.ts"
export { type BytesRead, readUpTo } from "./readUpTo.ts"
