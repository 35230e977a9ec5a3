import { type LedgerEntry, missingEvent } from "./Ledger.ts"

export interface BankBooks {
  readonly isCharged: boolean
  readonly paidCents: number
  readonly returnedCents: number
}

/** The answer to the status query: its status and its header `Pix-Erro`. */
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
  // The host can have made the refund of an unanswered request.
  return isRefundAsked ? ["200", "409 cobranca-estornada"] : ["200"]
}

/** The violations of a charge at the end of a run, one sentence each. Acknowledged work must not be lost. */
export const judgeEntry = (entry: LedgerEntry, bank: BankBooks, answer: StatusAnswer): ReadonlyArray<string> => {
  const { id, cents, paidAt, isIssued, isRefundAccepted } = entry
  if (!isIssued) return []
  const said = answer.error === null ? String(answer.status) : `${answer.status} ${answer.error}`
  const expected = trueAnswers(entry)
  const missing = missingEvent(entry)
  return [
    ...(bank.isCharged ? [] : [`${id} was issued, but the bank has no such charge`]),
    ...(expected.includes(said) ? [] : [`${id} must be ${expected.join(" or ")}, but is ${said}`]),
    ...(missing === undefined ? [] : [`${id} was ${missing}, but no receiver got the event`]),
    ...(paidAt === undefined || bank.paidCents === cents
      ? []
      : [`${id} was paid ${bank.paidCents} instead of ${cents}`]),
    ...(bank.returnedCents > bank.paidCents ? [`More was returned of ${id} than was paid`] : []),
    ...(isRefundAccepted && bank.returnedCents !== cents
      ? [`${id} was refunded, but the bank has returned ${bank.returnedCents} of ${cents}`]
      : []),
  ]
}
