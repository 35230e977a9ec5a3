import type { Charge, PartialRefund, Payment, Refund, Return } from "@pixcharge/core/charges"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import type { Evidence } from "./Evidence.ts"
import { refundFamily } from "./names.ts"

export type SettledCharge = Extract<Charge, { readonly payment: Payment }>

export const backCents = ({ endToEndId }: Pick<Payment, "endToEndId">, rows: ReadonlyArray<Return>): number =>
  rows.reduce((sum, row) => (row.endToEndId === endToEndId ? sum + row.amountCents : sum), 0)

const dayMs = 86_400_000
/** Brasília is three hours behind UTC during every run. */
const behindMs = 3 * 3_600_000

/** The central bank's limit for returns: the end of the 90th day after the payment's. Epoch milliseconds. */
export const returnableUntil = ({ paidAt }: Pick<Payment, "paidAt">): number =>
  (Math.floor((paidAt - behindMs) / dayMs) + 91) * dayMs + behindMs - 1

/** True if a refund began after the limit by every possible clock. */
export const isTooLate = ({ requestedAt }: Refund, payment: Payment): boolean =>
  requestedAt > returnableUntil(payment) + 60_000

/**
 * True if any attempt returned the part's cents, according to the given returns. Restored books can have forgotten the
 * last attempt.
 */
export const isPartBack = (
  { refund, amountCents }: PartialRefund,
  rows: ReadonlyArray<Pick<Return, "id" | "amountCents">>,
): boolean => rows.some((row) => row.amountCents === amountCents && refundFamily(row.id) === refundFamily(refund.id))

export const liveParts = ({ partialRefunds = [], returns }: Charge): ReadonlyArray<PartialRefund> =>
  partialRefunds.filter((part) => part.rejection === undefined && !isPartBack(part, returns))

type SeenLedger = Pick<Evidence, "ledger" | "accounts">
type NamedCharge = Pick<Charge, "issuer"> & { readonly txid: string }

export const bankCharge = ({ ledger, accounts }: SeenLedger, { issuer, txid }: NamedCharge): LedgerCharge | undefined =>
  ledger.charges.get(`${accounts.holder(issuer)}/${txid}`)

export const bankKey = (seen: SeenLedger, charge: NamedCharge): string | undefined =>
  bankCharge(seen, charge)?.terms.body?.chave
