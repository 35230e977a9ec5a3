import type { Charge, PartialRefund, Payment, Refund, Return } from "@pixcharge/core/charges"
import type { Ledger, LedgerCharge } from "@pixcharge/simulated-bank"
import { refundFamily } from "./refundIds.ts"

/** A charge with its payment. */
export type SettledCharge = Extract<Charge, { readonly payment: Payment }>

/** The returned cents of a payment, by whomever. */
export const backCents = ({ endToEndId }: Pick<Payment, "endToEndId">, rows: ReadonlyArray<Return>): number =>
  rows.reduce((sum, row) => (row.endToEndId === endToEndId ? sum + row.amountCents : sum), 0)

/** The central bank's limit for returns after the payment, plus the clocks' difference. */
export const returnableMs = 90 * 86_400_000 + 60_000

/** Whether a refund began after the limit. */
export const isTooLate = ({ requestedAt }: Refund, { paidAt }: Payment): boolean => requestedAt > paidAt + returnableMs

/** Whether any attempt returned the part's cents. */
export const isPartBack = ({ refund, amountCents }: PartialRefund, rows: ReadonlyArray<Return>): boolean =>
  rows.some((row) => row.amountCents === amountCents && refundFamily(row.id) === refundFamily(refund.id))

/** The parts of a charge that are under way. */
export const liveParts = ({ partialRefunds = [], returns }: Charge): ReadonlyArray<PartialRefund> =>
  partialRefunds.filter((part) => part.rejection === undefined && !isPartBack(part, returns))

/** The bank's charge. */
export const bankCharge = (
  { charges }: Ledger,
  { issuer, txid }: Pick<Charge, "issuer" | "txid">,
): LedgerCharge | undefined => charges.get(`${issuer}/${txid}`)
