import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { ChargeId } from "./ChargeId.ts"

/** One payment as it is kept: inserted once by its endToEndId, never changed (decision 31). */
export interface Payment {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly txid?: string
  /** The charge it was made for; absent while no charge of the company is known for it. */
  readonly chargeId?: ChargeId
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  /** When it was recorded here. Epoch milliseconds. */
  readonly recordedAt: number
  /** It came after the moment until which the charge was promised to be payable. */
  readonly late: boolean
  /** Its amount is not the amount that was due on the day it was made. */
  readonly otherAmount: boolean
}

/** What brought money back: our own refund, the processor's portal or a partial return there, a dispute (`MED_*`). */
export type ReturnKind = "refund" | "outside" | "dispute"

/** Money that went back for a payment: a settled fact, inserted once by its id. */
export interface Return {
  readonly issuer: Cnpj
  /** The return's id at the processor (`devolucao.id`), unique for its payment. */
  readonly id: string
  readonly endToEndId: string
  readonly kind: ReturnKind
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly returnedAt: number
}

/** Whether two endToEndIds are of one payment: processors write ids in either case. */
export const isSamePaymentId = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase()

/** How much of the payment went back, in centavos. */
export const returnedCents = (endToEndId: string, returns: ReadonlyArray<Return>): number => {
  let cents = 0
  for (const row of returns) if (row.endToEndId === endToEndId) cents += row.amountCents
  return cents
}

/** Whether two returns of one payment are the same: processors write ids in either case. */
export const isSameReturn = (a: Pick<Return, "id">, b: Pick<Return, "id">): boolean =>
  a.id.toLowerCase() === b.id.toLowerCase()

/** The return, if it is not among those known: its id is unique for its payment. */
export const unknownReturns = (known: ReadonlyArray<Return>, returned: Return): ReadonlyArray<Return> => {
  const isKnown = known.some((one) => one.endToEndId === returned.endToEndId && isSameReturn(one, returned))
  return isKnown ? [] : [returned]
}
