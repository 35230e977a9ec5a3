import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { createHash } from "node:crypto"

/** The common part of the ids of all attempts at one refund (decision 50); a foreign return's whole id. */
export const refundFamily = (id: string): string => /^(?:.{32}X|[0-9a-f]{30}P)(?=[0-9a-z]{1,4}$)/.exec(id)?.[0] ?? id

/** The number of an id's attempt at its refund, from 1. */
export const refundAttempt = (id: string): number => {
  const family = refundFamily(id)
  const attempt = Number.parseInt(id.slice(family.length), family.endsWith("P") ? 36 : 10)
  return family.endsWith("X") ? attempt + 1 : attempt
}

/** The family of a part's refunds: 30 digits of SHA-256 over payment and key. */
export const partFamily = (endToEndId: string, key: string): string =>
  `${createHash("sha256").update(`${endToEndId.toLowerCase()} ${key}`).digest("hex").slice(0, 30)}P`

/** The key of a charge's whole refund, which no part can have. */
export const wholeKey = "all of it"

/** The families of a payment's whole refunds: as its charge's, with `wholeKey`, and as an exception. */
export const wholeFamilies = ({ endToEndId }: Pick<LedgerPayment, "endToEndId">): ReadonlyArray<string> => [
  partFamily(endToEndId, wholeKey),
  `${endToEndId}X`,
]
