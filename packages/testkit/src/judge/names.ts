import { txidUuid } from "./txids.ts"

/**
 * A short name for histories: `c3` for the third simulated charge by id or txid, `p2` for the second payment, else the
 * id.
 */
export const shortName = (named: string): string => {
  const id = txidUuid(named) ?? named
  if (id.startsWith("E00")) return `p${Number(id.slice(1, 32))}${id.slice(32)}`
  return id.startsWith("0000") ? `c${Number.parseInt(id.slice(0, 8), 16)}` : id
}
