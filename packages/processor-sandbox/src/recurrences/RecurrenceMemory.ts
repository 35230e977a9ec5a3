import type { ChargeId, CycleCharge, PendingCharge, Txid } from "@pixcharge/core/charges"
import { type DebitOutcome, makeRecentMap } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import type { DebitView, EndedBy, Recurrence, RecurrenceView } from "@pixcharge/core/recurrence"

/** What the sandbox keeps of a recurrence. */
export interface RememberedRecurrence {
  readonly terms: Recurrence
  readonly view: RecurrenceView
  /** What the payer allows a cycle to cost. */
  readonly maximumCents?: number
  /** How the next days' attempts end; what isn't said is paid. */
  readonly outcomes: ReadonlyArray<DebitOutcome>
}

/** What the sandbox keeps of a cycle's charge. */
export interface RememberedDebit extends DebitView {
  readonly charge: CycleCharge<PendingCharge>
  /** How the attempts of the day that has begun end. */
  readonly outcome?: DebitOutcome
  readonly by?: EndedBy
}

/** Of recurrences and of cycles' charges: half as many, the youngest, are kept in any case. */
const maxCount = 100_000

/** Recurrences and the charges of their cycles, in this process's memory. */
export interface RecurrenceMemory {
  /** By the contract, which is unique within the company. */
  readonly recurrence: (issuer: Cnpj, contract: string) => RememberedRecurrence | undefined
  readonly remember: (recurrence: RememberedRecurrence) => void
  /** Those whose payer authorises by paying this charge. */
  readonly paidBy: (issuer: Cnpj, chargeId: ChargeId) => ReadonlyArray<RememberedRecurrence>
  readonly debit: (issuer: Cnpj, txid: Txid) => RememberedDebit | undefined
  readonly rememberDebit: (debit: RememberedDebit) => void
  /** The charges of a recurrence's cycles. */
  readonly debits: (issuer: Cnpj, contract: string) => ReadonlyArray<RememberedDebit>
}

/** An empty memory. */
export const makeRecurrenceMemory = (): RecurrenceMemory => {
  const recurrences = makeRecentMap<string, RememberedRecurrence>(maxCount)
  const debits = makeRecentMap<string, RememberedDebit>(maxCount)
  return {
    recurrence: (issuer, contract) => recurrences.get(`${issuer}/${contract}`),
    remember: (recurrence) => {
      const { issuer, contract } = recurrence.terms
      recurrences.set(`${issuer}/${contract}`, recurrence)
    },
    paidBy: (issuer, chargeId) =>
      recurrences.values().filter(({ terms }) => {
        const { journey } = terms
        return terms.issuer === issuer && journey.by === "payment" && journey.chargeId === chargeId
      }),
    debit: (issuer, txid) => debits.get(`${issuer}/${txid}`),
    rememberDebit: (debit) => {
      const { issuer, txid } = debit.charge
      debits.set(`${issuer}/${txid}`, debit)
    },
    debits: (issuer, contract) =>
      debits.values().filter(({ charge }) => charge.issuer === issuer && charge.cycle.contract === contract),
  }
}
