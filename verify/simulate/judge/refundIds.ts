import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { createHash } from "node:crypto"

/**
 * The refund family: the common part of the ids of all attempts at one refund (decision 50). For a return that isn't
 * ours, its whole id.
 */
export const refundFamily = (id: string): string => /^(?:.{32}X|[0-9a-f]{30}P)(?=[0-9a-z]{1,4}$)/.exec(id)?.[0] ?? id

/** The number of the attempt that has this refund id, from 1. */
export const refundAttempt = (id: string): number => {
  const family = refundFamily(id)
  const attempt = Number.parseInt(id.slice(family.length), family.endsWith("P") ? 36 : 10)
  return family.endsWith("X") ? attempt + 1 : attempt
}

/** The refund family of a part: 30 hexadecimal digits of SHA-256 over payment and key. */
export const partFamily = (endToEndId: string, key: string): string =>
  `${createHash("sha256").update(`${endToEndId.toLowerCase()} ${key}`).digest("hex").slice(0, 30)}P`

/**
 * Which of a charge's payments settles it: the one with the lowest rank, the first among equals (decision 31). 0: a refund of
 * the charge returned some of it. 2: its refund as an exception did.
 */
export const settlingRank = (payment: LedgerPayment | undefined): number => {
  const done = (payment?.returns ?? []).filter(({ status }) => status === "returned").map(({ id }) => refundFamily(id))
  if (done.some((family) => family.endsWith("P"))) return 0
  return done.some((family) => family.endsWith("X")) ? 2 : 1
}

/** Stands for the key of a charge's whole refund. A part can't have this key. */
export const wholeKey = "all of it"

/** The refund families of a payment's whole refunds: as the charge's payment, with `wholeKey`, and as an exception. */
export const wholeFamilies = ({ endToEndId }: Pick<LedgerPayment, "endToEndId">): ReadonlyArray<string> => [
  partFamily(endToEndId, wholeKey),
  `${endToEndId}X`,
]
