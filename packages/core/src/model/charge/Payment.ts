import type { Cents } from "../money/Money.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { ChargeId } from "./ChargeId.ts"

/** A recorded payment, inserted once by its endToEndId and never changed (decision 31). */
export interface Payment {
  readonly issuer: Cnpj
  readonly endToEndId: string
  readonly txid?: string
  /** The charge that the payment names; absent if the company has no such charge. */
  readonly chargeId?: ChargeId
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly paidAt: number
  /** Epoch milliseconds. */
  readonly recordedAt: number
  /** Whether it was paid after the charge's `payableUntil`. */
  readonly late: boolean
  /** Whether its amount differs from the amount due on the day of the payment. */
  readonly otherAmount: boolean
}

/** The origin of a return: our refund, the company at its bank (`outside`), or a dispute (`MED_*`). */
export type ReturnKind = "refund" | "outside" | "dispute"

/** A completed return of a payment's money, inserted once by its id and never changed. */
export interface Return {
  readonly issuer: Cnpj
  /** The id at the processor (`devolucao.id`), unique within the payment. */
  readonly id: string
  readonly endToEndId: string
  readonly kind: ReturnKind
  readonly amountCents: Cents
  /** Epoch milliseconds. */
  readonly returnedAt: number
}

/** Ignores case, because processors write ids in capitals or small letters. */
export const isSamePaymentId = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase()

/** How much of a payment was returned, in centavos. */
export const returnedCents = (endToEndId: string, returns: ReadonlyArray<Return>): number => {
  let cents = 0
  for (const row of returns) if (row.endToEndId === endToEndId) cents += row.amountCents
  return cents
}

/** For two returns of one payment; ignores case. */
export const isSameReturn = (a: Pick<Return, "id">, b: Pick<Return, "id">): boolean =>
  a.id.toLowerCase() === b.id.toLowerCase()

export const unknownReturns = (known: ReadonlyArray<Return>, returned: Return): ReadonlyArray<Return> => {
  const isKnown = known.some((one) => one.endToEndId === returned.endToEndId && isSameReturn(one, returned))
  return isKnown ? [] : [returned]
}
