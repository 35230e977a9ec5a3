import { chargeIdFromTxid, type ChargeId } from "../../model/charge/ChargeId.ts"
import { isSameReturn, type Payment, type Return } from "../../model/charge/Payment.ts"
import type { Cents } from "../../model/money/Money.ts"
import type { ReceivedPayment } from "../../ports/PaymentProcessor.ts"

/** How the books and the bank's list differ about a payment. */
export type Difference =
  | "missingInBooks"
  | "missingAtBank"
  | "otherAmount"
  /** The bank's txid is not the one in the books, or names a charge other than the one that the payment is recorded for. */
  | "otherCharge"
  | "returnMissingInBooks"
  | "returnMissingAtBank"
  | "returnOtherAmount"

/** A payment as one of both sides has it. */
export interface ComparedSide {
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  readonly txid?: string
  /** The charge that it is recorded for; only of the books. */
  readonly chargeId?: ChargeId
  /** What went back of it. */
  readonly returnedCents: number
}

/** A payment in the books and at the bank. */
export interface ComparedPayment {
  readonly endToEndId: string
  /** Empty where both agree. */
  readonly differences: ReadonlyArray<Difference>
  /** Absent where the payment isn't in the books. */
  readonly books?: ComparedSide
  /** Absent where the bank doesn't list it. */
  readonly bank?: ComparedSide
}

/** A payment of the bank's list that is another company's. */
export interface PaymentOfOther extends Omit<ComparedSide, "chargeId"> {
  readonly endToEndId: string
}

/** A period's payments, compared with what the bank lists: `pix.comparison`. */
export interface Comparison {
  /** Those that differ first; and then oldest first. */
  readonly rows: ReadonlyArray<ComparedPayment>
  /** How many of the rows differ. */
  readonly differences: number
  /** How many don't. */
  readonly matches: number
  /** Payments and returns of the bank's list that can't be read, so that they are in no row. */
  readonly unreadable: number
  /** Payments of the bank's list that are another company's by their txid, so that they are in no row; oldest first. */
  readonly others: ReadonlyArray<PaymentOfOther>
}

/** A payment with what went back of it. */
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

/** The differences of the returns on both sides, each kind once. */
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

/** How the books and the bank have one payment; one of both at least is given. */
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

/** The rows in order, and how many of them differ. */
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
