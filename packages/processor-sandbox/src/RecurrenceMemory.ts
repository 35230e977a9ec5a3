import type { ChargeId, CycleCharge, PendingCharge, Txid } from "@pixcharge/core/charges"
import { type DebitOutcome, makeRecentMap } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import type { DebitView, EndedBy, Recurrence, RecurrenceView } from "@pixcharge/core/recurrence"

export interface RememberedRecurrence {
  readonly terms: Recurrence
  readonly view: RecurrenceView
  /** The payer's limit for a cycle, in cents. */
  readonly maximumCents?: number
  /** The outcomes that a test played for the next days' attempts, in order. Attempts on later days are paid. */
  readonly outcomes: ReadonlyArray<DebitOutcome>
}

export interface RememberedDebit extends DebitView {
  readonly charge: CycleCharge<PendingCharge>
  /** The outcome of the current day's attempts. */
  readonly outcome?: DebitOutcome
  readonly by?: EndedBy
}

/** Of recurrences, and of cycles' charges. At least the youngest half is kept. */
const maxCount = 100_000

/** In this process. A contract is unique within its company. */
export class RecurrenceMemory {
  readonly #recurrences = makeRecentMap<string, RememberedRecurrence>(maxCount)
  readonly #debits = makeRecentMap<string, RememberedDebit>(maxCount)

  recurrence(issuer: Cnpj, contract: string): RememberedRecurrence | undefined {
    return this.#recurrences.get(`${issuer}/${contract}`)
  }

  remember(recurrence: RememberedRecurrence): void {
    const { issuer, contract } = recurrence.terms
    this.#recurrences.set(`${issuer}/${contract}`, recurrence)
  }

  /** The recurrences that a payer authorises by paying this charge. */
  paidBy(issuer: Cnpj, chargeId: ChargeId): ReadonlyArray<RememberedRecurrence> {
    return this.#recurrences.values().filter(({ terms }) => {
      const { journey } = terms
      return terms.issuer === issuer && journey.by === "payment" && journey.chargeId === chargeId
    })
  }

  debit(issuer: Cnpj, txid: Txid): RememberedDebit | undefined {
    return this.#debits.get(`${issuer}/${txid}`)
  }

  rememberDebit(debit: RememberedDebit): void {
    const { issuer, txid } = debit.charge
    this.#debits.set(`${issuer}/${txid}`, debit)
  }

  debits(issuer: Cnpj, contract: string): ReadonlyArray<RememberedDebit> {
    return this.#debits.values().filter(({ charge }) => charge.issuer === issuer && charge.cycle.contract === contract)
  }
}
