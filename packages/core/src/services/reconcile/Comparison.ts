import { chargeIdFromTxid, type ChargeId } from "../../model/charge/ChargeId.ts"
import { isSameReturn, type Payment, type Return } from "../../model/charge/Payment.ts"
import type { Cents } from "../../model/money/Money.ts"
import type { ReceivedPayment } from "../../ports/PaymentProcessor.ts"

/** How the books and the bank's list differ about a payment. */
export type Difference =
  | "missingInBooks"
  | "missingAtBank"
  | "otherAmount"
  /** The bank's txid isn't the one in the books, or names another charge than the payment's. */
  | "otherCharge"
  | "returnMissingInBooks"
  | "returnMissingAtBank"
  | "returnOtherAmount"

/** A payment on one side, in the books or at the bank. */
export interface ComparedSide {
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  readonly txid?: string
  /** The charge for which it is recorded; only in the books. */
  readonly chargeId?: ChargeId
  /** The sum of its returns. */
  readonly returnedCents: number
}

/** A payment in the books and at the bank. */
export interface ComparedPayment {
  readonly endToEndId: string
  /** Empty if both agree. */
  readonly differences: ReadonlyArray<Difference>
  /** Absent if the payment isn't in the books. */
  readonly books?: ComparedSide
  /** Absent if the bank doesn't list it. */
  readonly bank?: ComparedSide
}

/** A payment in the bank's list that belongs to another company. */
export interface PaymentOfOther extends Omit<ComparedSide, "chargeId"> {
  readonly endToEndId: string
}

/** A period's payments in the books, compared with the bank's list: `pix.comparison`. */
export interface Comparison {
  /** Payments that differ first; then oldest first. */
  readonly rows: ReadonlyArray<ComparedPayment>
  /** The number of rows that differ. */
  readonly differences: number
  /** The number of rows that don't differ. */
  readonly matches: number
  /** Payments and returns of the bank's list that can't be read; no row has them. */
  readonly unreadable: number
  /** Payments of the bank's list whose txid names another company; no row has them. Oldest first. */
  readonly others: ReadonlyArray<PaymentOfOther>
}

export interface RecordedPayment {
  readonly payment: Payment
  readonly returns: ReadonlyArray<Return>
}

const side = (
  { amountCents, paidAt, txid, chargeId }: Pick<Payment, "amountCents" | "paidAt" | "txid" | "chargeId">,
  returns: ReadonlyArray<Return>,
): ComparedSide => ({
  amountCents,
  paidAt,
  ...(txid !== undefined && { txid }),
  ...(chargeId !== undefined && { chargeId }),
  returnedCents: returns.reduce((sum, returned) => sum + returned.amountCents, 0),
})

const isOtherCharge = ({ issuer, txid, chargeId }: Payment, bank: ReceivedPayment): boolean => {
  if (bank.txid === undefined) return false
  if (txid !== undefined && txid.toLowerCase() !== bank.txid.toLowerCase()) return true
  const named = chargeIdFromTxid(issuer, bank.txid)
  return chargeId !== undefined && named !== undefined && named !== chargeId
}

/** The kinds of differences between the returns of both sides, each once. */
const returnDifferences = (books: ReadonlyArray<Return>, bank: ReadonlyArray<Return>): ReadonlyArray<Difference> => {
  const differences = new Set<Difference>()
  for (const one of books) {
    const same = bank.find((other) => isSameReturn(one, other))
    if (same === undefined) differences.add("returnMissingAtBank")
    else if (same.amountCents !== one.amountCents) differences.add("returnOtherAmount")
  }
  if (bank.some((one) => !books.some((other) => isSameReturn(one, other)))) differences.add("returnMissingInBooks")
  return [...differences]
}

/** Compares one payment; at least one side is given. */
export const comparePayment = (
  endToEndId: string,
  books: RecordedPayment | undefined,
  bank: ReceivedPayment | undefined,
): ComparedPayment => {
  const sides = {
    ...(books && { books: side(books.payment, books.returns) }),
    ...(bank && { bank: side(bank, bank.returns) }),
  }
  if (books === undefined) return { endToEndId, differences: ["missingInBooks"], ...sides }
  if (bank === undefined) return { endToEndId, differences: ["missingAtBank"], ...sides }
  const differences: Array<Difference> = []
  if (books.payment.amountCents !== bank.amountCents) differences.push("otherAmount")
  if (isOtherCharge(books.payment, bank)) differences.push("otherCharge")
  return { endToEndId, differences: [...differences, ...returnDifferences(books.returns, bank.returns)], ...sides }
}

const paidAt = ({ books, bank }: ComparedPayment): number => bank?.paidAt ?? books?.paidAt ?? 0

const byTime = (a: readonly [number, string], b: readonly [number, string]): number =>
  a[0] - b[0] || (a[1] < b[1] ? -1 : 1)

/** Sorts the rows and counts those that differ. */
export const toComparison = (
  rows: ReadonlyArray<ComparedPayment>,
  rest: { readonly unreadable: number; readonly others: ReadonlyArray<ReceivedPayment> },
): Comparison => {
  const differing = rows.filter(({ differences }) => differences.length > 0).length
  return {
    rows: rows.toSorted(
      (a, b) =>
        Number(a.differences.length === 0) - Number(b.differences.length === 0) ||
        byTime([paidAt(a), a.endToEndId], [paidAt(b), b.endToEndId]),
    ),
    differences: differing,
    matches: rows.length - differing,
    unreadable: rest.unreadable,
    others: rest.others
      .map((one): PaymentOfOther => ({ endToEndId: one.endToEndId, ...side(one, one.returns) }))
      .toSorted((a, b) => byTime([a.paidAt, a.endToEndId], [b.paidAt, b.endToEndId])),
  }
}
