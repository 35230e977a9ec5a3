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

/** Recurrences and the charges of their cycles, in this process's memory. A contract is unique within the company. */
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

  /** Those whose payer authorises by paying this charge. */
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

  /** The charges of a recurrence's cycles. */
  debits(issuer: Cnpj, contract: string): ReadonlyArray<RememberedDebit> {
    return this.#debits.values().filter(({ charge }) => charge.issuer === issuer && charge.cycle.contract === contract)
  }
}
