import type { Charge } from "@pixcharge/core/charges"
import { txidOf, txidUuid } from "./txids.ts"

/**
 * A short name for histories: `c2~1x` for the txid of a simulated charge, where `1x` stands for the company; `c2` for
 * its id; `p2` for the second payment; else the id itself.
 */
export const shortName = (named: string): string => {
  if (named.startsWith("E00")) return `p${Number(named.slice(1, 32))}${named.slice(32)}`
  const uuid = txidUuid(named)
  const id = uuid ?? named
  if (!id.startsWith("0000")) return named
  return `c${Number.parseInt(id.slice(0, 8), 16)}${uuid === undefined ? "" : `~${named.slice(25, 27)}`}`
}

export const chargeName = ({ issuer, id }: Pick<Charge, "issuer" | "id">): string => shortName(txidOf(issuer, id))

export const chargeKey = ({ issuer, id }: Pick<Charge, "issuer" | "id">): string => `${issuer} ${id}`

export const paymentKey = ({ issuer, endToEndId }: { readonly issuer: string; readonly endToEndId: string }): string =>
  `${issuer} ${endToEndId}`
