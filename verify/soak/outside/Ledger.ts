import type { Company } from "../../world/companies.ts"

/** What the integrator, the payer and the receiver know about one charge. Times are from `performance.now()`. */
export interface LedgerEntry {
  readonly id: string
  readonly company: Company
  readonly cents: number
  isIssued: boolean
  paidAt?: number
  endToEndId?: string
  isNoticed: boolean
  isRefundRequested: boolean
  isRefundAccepted: boolean
  /** The events that the receiver has accepted, in order, without repeats. */
  readonly taken: Array<"paid" | "refunded">
}

export class Ledger {
  readonly entries = new Map<string, LedgerEntry>()
  readonly violations: Array<string> = []

  add(id: string, company: Company, cents: number): LedgerEntry {
    const nothing = { isIssued: false, isNoticed: false, isRefundRequested: false, isRefundAccepted: false }
    const entry: LedgerEntry = { id, company, cents, ...nothing, taken: [] }
    this.entries.set(id, entry)
    return entry
  }

  violate(sentence: string): void {
    this.violations.push(sentence)
  }

  take(id: string, kind: "paid" | "refunded"): void {
    const entry = this.entries.get(id)
    if (entry?.paidAt === undefined) return this.violate(`An event says that ${id} is ${kind}, but it is unpaid`)
    if (kind === "paid" && entry.taken.includes("refunded")) this.violate(`${id}: paid was sent after refunded`)
    if (!entry.taken.includes(kind)) entry.taken.push(kind)
  }

  findAwaited(): ReadonlyArray<LedgerEntry> {
    return [...this.entries.values()].filter((entry) => missingEvent(entry) !== undefined)
  }
}

/** The event that a receiver must have at the end. A refunded charge's unsent `paid` is withdrawn. */
export const missingEvent = ({ paidAt, isRefundAccepted, taken }: LedgerEntry): "paid" | "refunded" | undefined => {
  if (paidAt === undefined) return undefined
  const wanted = isRefundAccepted ? "refunded" : "paid"
  return taken.includes(wanted) || taken.includes("refunded") ? undefined : wanted
}
