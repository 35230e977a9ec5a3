export type { Exchange, ExchangeBody, Reply } from "./Exchange.ts"
export { type BytesRead, readUpTo } from "./readUpTo.ts"
