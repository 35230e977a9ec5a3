import type { ChargeOrder, ProcessorView } from "@pixcharge/core"
import { makeRecentMap } from "@pixcharge/core/internal"
import type { Charge, PaymentNotice, Return, Txid } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"

export interface RememberedCharge {
  readonly terms: Pick<ChargeOrder, "amountCents" | "dueDate" | "payer">
  /** The number of changes; absent for a charge from before a restart. */
  readonly revision?: number
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly removed: boolean
  /** Oldest first. */
  readonly payments: ReadonlyArray<PaymentNotice>
}

/** Of charges, of payments and of payments with returns. At least the youngest half is kept. */
const maxCount = 100_000

const memoryKey = (issuer: Cnpj, id: string): string => `${issuer}/${id}`

const byTime = (a: PaymentNotice, b: PaymentNotice): number =>
  a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1)

export const chargeStatus = ({ payments, removed }: RememberedCharge): "completed" | "removed" | "active" =>
  payments.length > 0 ? "completed" : removed ? "removed" : "active"

export class SandboxMemory {
  readonly #charges = makeRecentMap<string, RememberedCharge>(maxCount)
  readonly #payments = makeRecentMap<string, PaymentNotice>(maxCount)
  readonly #returns = makeRecentMap<string, ReadonlyArray<Return>>(maxCount)

  charge(issuer: Cnpj, txid: Txid): RememberedCharge | undefined {
    return this.#charges.get(memoryKey(issuer, txid))
  }

  /** A charge from before a restart counts as unpaid. */
  recall(charge: Charge): RememberedCharge {
    const { issuer, txid, createdAt } = charge
    return this.charge(issuer, txid) ?? { terms: charge, createdAt, removed: false, payments: [] }
  }

  remember(issuer: Cnpj, txid: Txid, charge: RememberedCharge): void {
    this.#charges.set(memoryKey(issuer, txid), charge)
    for (const payment of charge.payments) this.#payments.set(memoryKey(issuer, payment.endToEndId), payment)
  }

  /** Shows a charge, with the status `unknown` if this memory doesn't have it. */
  view(issuer: Cnpj, txid: Txid): ProcessorView {
    const known = this.charge(issuer, txid)
    if (known === undefined) return { status: "unknown", payments: [], returns: [] }
    const { terms, revision, payments } = known
    const { amountCents, dueDate } = terms
    return {
      status: chargeStatus(known),
      terms: { amountCents, ...(dueDate !== undefined && { dueDate }), ...(revision !== undefined && { revision }) },
      payments,
      returns: payments.flatMap(({ endToEndId }) => this.returns(issuer, endToEndId)),
    }
  }

  payments(issuer: Cnpj): ReadonlyArray<PaymentNotice> {
    const all = this.#payments.values().filter((payment) => payment.issuer === issuer)
    return all.toSorted(byTime)
  }

  payment(issuer: Cnpj, endToEndId: string): PaymentNotice | undefined {
    return this.#payments.get(memoryKey(issuer, endToEndId))
  }

  returns(issuer: Cnpj, endToEndId: string): ReadonlyArray<Return> {
    return this.#returns.get(memoryKey(issuer, endToEndId)) ?? []
  }

  addReturn(row: Return): void {
    const { issuer, endToEndId } = row
    this.#returns.set(memoryKey(issuer, endToEndId), [...this.returns(issuer, endToEndId), row])
  }
}
