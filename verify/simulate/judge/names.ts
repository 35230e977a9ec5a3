import { createHash } from "node:crypto"
import type { Charge } from "@pixcharge/core/charges"
import type { LedgerPayment } from "@pixcharge/simulated-bank"

// Decision 59: a txid is a number in base 36 of 35 digits: 25 of the UUID, 6 of the company, and 4 that check both.
const companyCount = 36n ** 6n

export const txidOf = (issuer: string, id: string): string => {
  const digest = createHash("sha256").update(`pixcharge txid of ${issuer}`).digest("hex")
  const named = BigInt(`0x${id.replaceAll("-", "")}`) * companyCount + (BigInt(`0x${digest}`) % companyCount)
  return [named, named % 1_679_609n]
    .map((part, index) => part.toString(36).padStart(index === 0 ? 31 : 4, "0"))
    .join("")
}

/** The UUID in a txid, without hyphens; undefined if `txid` isn't one of ours. */
export const txidUuid = (txid: string): string | undefined => {
  if (!/^[0-9a-z]{35}$/.test(txid)) return undefined
  const uuid = Array.from(txid.slice(0, 25)).reduce(
    (number, digit) => number * 36n + BigInt(Number.parseInt(digit, 36)),
    0n,
  )
  return uuid.toString(16).padStart(32, "0")
}

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
