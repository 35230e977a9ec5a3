import { type LedgerEntry, missingEvent } from "./Ledger.ts"

export interface BankBooks {
  readonly isCharged: boolean
  readonly paidCents: number
  readonly returnedCents: number
}

/** The status query's answer: its status, and the header `Pix-Erro`. */
export interface StatusAnswer {
  readonly status: number
  readonly error: string | null
}

const trueAnswers = ({
  paidAt,
  isRefundRequested: isRefundAsked,
  isRefundAccepted,
}: LedgerEntry): ReadonlyArray<string> => {
  if (paidAt === undefined) return ["410 cobranca-pendente", "410 cobranca-expirada"]
  if (isRefundAccepted) return ["409 cobranca-estornada"]
  // The host can have done the work of an unanswered request.
  return isRefundAsked ? ["200", "409 cobranca-estornada"] : ["200"]
}

/** A charge's final violations, one sentence each: acknowledged work must not be lost. */
export const judgeEntry = (entry: LedgerEntry, bank: BankBooks, answer: StatusAnswer): ReadonlyArray<string> => {
  const { id, cents, paidAt, isIssued, isRefundAccepted } = entry
  if (!isIssued) return []
  const said = answer.error === null ? String(answer.status) : `${answer.status} ${answer.error}`
  const expected = trueAnswers(entry)
  const missing = missingEvent(entry)
  return [
    ...(bank.isCharged ? [] : [`${id} was issued, and the bank has no such charge`]),
    ...(expected.includes(said) ? [] : [`${id} must be ${expected.join(" or ")}, and is ${said}`]),
    ...(missing === undefined ? [] : [`${id} was ${missing}, and no receiver got the event`]),
    ...(paidAt === undefined || bank.paidCents === cents
      ? []
      : [`${id} was paid ${bank.paidCents} instead of ${cents}`]),
    ...(bank.returnedCents > bank.paidCents ? [`More was returned of ${id} than was paid`] : []),
    ...(isRefundAccepted && bank.returnedCents !== cents
      ? [`${id} was refunded, and the bank has returned ${bank.returnedCents} of ${cents}`]
      : []),
  ]
}
