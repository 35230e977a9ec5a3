import { chargeIdFromTxid, type ChargeId } from "../../model/charge/ChargeId.ts"
import { isSameReturn, type Payment, type Return } from "../../model/charge/Payment.ts"
import type { Cents } from "../../model/money/Money.ts"
import type { ReceivedPayment } from "../../ports/PaymentProcessor.ts"

/** A difference between the books and the bank's list. */
export type Difference =
  | "missingInBooks"
  | "missingAtBank"
  | "otherAmount"
  /** The bank's txid isn't the recorded txid, or names a different charge. */
  | "otherCharge"
  | "returnMissingInBooks"
  | "returnMissingAtBank"
  | "returnOtherAmount"

export interface ComparedSide {
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  readonly txid?: string
  /** The payment's charge in the books. */
  readonly chargeId?: ChargeId
  /** Sum of the payment's returns. */
  readonly returnedCents: number
}

export interface ComparedPayment {
  readonly endToEndId: string
  /** Empty if both sides agree. */
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

/** Result of `pix.comparison`: a period's payments in the books and in the bank's list. */
export interface Comparison {
  /** Differing payments first, then oldest first. */
  readonly rows: ReadonlyArray<ComparedPayment>
  readonly differences: number
  readonly matches: number
  /** Unreadable payments and returns in the bank's list. No row shows them. */
  readonly unreadable: number
  /** Listed payments whose txid names another company, oldest first. No row shows them. */
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
