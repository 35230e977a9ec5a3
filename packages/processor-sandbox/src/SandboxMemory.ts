import type { ChargeOrder, ProcessorView } from "@pixcharge/core"
import { makeRecentMap } from "@pixcharge/core/internal"
import type { PaymentNotice, Return, Txid } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"

/** What the sandbox keeps of a charge. */
export interface RememberedCharge {
  readonly terms: Pick<ChargeOrder, "amountCents" | "dueDate" | "payer">
  readonly createdAt: number
  readonly removed: boolean
  /** In the order in which they were made. */
  readonly payments: ReadonlyArray<PaymentNotice>
}

/** Of charges, of payments and of what was returned: half as many, the youngest, are kept in any case. */
const maxCount = 100_000

/** Charges, payments and returns in this process's memory, bounded; a restart loses them. */
export interface SandboxMemory {
  readonly charge: (issuer: Cnpj, txid: Txid) => RememberedCharge | undefined
  readonly remember: (issuer: Cnpj, txid: Txid, charge: RememberedCharge) => void
  /** Every payment to the company, oldest first and then by endToEndId. */
  readonly payments: (issuer: Cnpj) => ReadonlyArray<PaymentNotice>
  readonly payment: (issuer: Cnpj, endToEndId: string) => PaymentNotice | undefined
  readonly returns: (issuer: Cnpj, endToEndId: string) => ReadonlyArray<Return>
  readonly addReturn: (row: Return) => void
}

const memoryKey = (issuer: Cnpj, id: string): string => `${issuer}/${id}`

const byMoment = (a: PaymentNotice, b: PaymentNotice): number =>
  a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1)

/** An empty memory. */
export const makeSandboxMemory = (): SandboxMemory => {
  const charges = makeRecentMap<string, RememberedCharge>(maxCount)
  const payments = makeRecentMap<string, PaymentNotice>(maxCount)
  const returns = makeRecentMap<string, ReadonlyArray<Return>>(maxCount)
  return {
    charge: (issuer, txid) => charges.get(memoryKey(issuer, txid)),
    remember: (issuer, txid, charge) => {
      charges.set(memoryKey(issuer, txid), charge)
      for (const payment of charge.payments) payments.set(memoryKey(issuer, payment.endToEndId), payment)
    },
    payments: (issuer) =>
      payments
        .values()
        .filter((payment) => payment.issuer === issuer)
        .toSorted(byMoment),
    payment: (issuer, endToEndId) => payments.get(memoryKey(issuer, endToEndId)),
    returns: (issuer, endToEndId) => returns.get(memoryKey(issuer, endToEndId)) ?? [],
    addReturn: (row) => {
      const key = memoryKey(row.issuer, row.endToEndId)
      returns.set(key, [...(returns.get(key) ?? []), row])
    },
  }
}

/** The status of a charge at the processor. */
export const chargeStatus = ({ payments, removed }: RememberedCharge): "completed" | "removed" | "active" =>
  payments.length > 0 ? "completed" : removed ? "removed" : "active"

/** What the sandbox knows of a charge; `unknown` for one that it never heard of, or forgot. */
export const sandboxView = (memory: SandboxMemory, issuer: Cnpj, txid: Txid): ProcessorView => {
  const known = memory.charge(issuer, txid)
  if (known === undefined) return { status: "unknown", payments: [], returns: [] }
  const { terms, payments } = known
  return {
    status: chargeStatus(known),
    terms: { amountCents: terms.amountCents, ...(terms.dueDate !== undefined && { dueDate: terms.dueDate }) },
    payments,
    returns: payments.flatMap(({ endToEndId }) => memory.returns(issuer, endToEndId)),
  }
}
