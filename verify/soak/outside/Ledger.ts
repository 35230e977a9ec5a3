import type { Company } from "../../world/companies.ts"

/** What those outside know of one charge: what they were promised, and what they did. Moments are `performance.now()`. */
export interface LedgerEntry {
  readonly id: string
  readonly company: Company
  readonly cents: number
  /** The host has answered that it is issued. */
  isIssued: boolean
  /** When the payer had paid; the bank has the money. */
  paidAt?: number
  endToEndId?: string
  /** The host has confirmed the bank's notice of it. */
  isNoticed: boolean
  /** Somebody has asked for the refund, answered or not. */
  isRefundAsked: boolean
  /** The host has accepted the refund. */
  isRefundAccepted: boolean
  /** Events that the receiver has taken, in that order, without repeats. */
  readonly taken: Array<"paid" | "refunded">
}

/** The books of those outside, by the charge's id. */
export class Ledger {
  readonly entries = new Map<string, LedgerEntry>()
  /** What must not have happened, one sentence each. */
  readonly violations: Array<string> = []

  add(id: string, company: Company, cents: number): LedgerEntry {
    const nothing = { isIssued: false, isNoticed: false, isRefundAsked: false, isRefundAccepted: false }
    const entry: LedgerEntry = { id, company, cents, ...nothing, taken: [] }
    this.entries.set(id, entry)
    return entry
  }

  violate(sentence: string): void {
    this.violations.push(sentence)
  }

  /** The receiver has answered that it took this event. */
  take(id: string, kind: "paid" | "refunded"): void {
    const entry = this.entries.get(id)
    if (entry?.paidAt === undefined) return this.violate(`An event says that ${id} is ${kind}, which nobody paid`)
    if (kind === "paid" && entry.taken.includes("refunded")) this.violate(`${id}: paid was sent after refunded`)
    if (!entry.taken.includes(kind)) entry.taken.push(kind)
  }

  /** Charges of which an event hasn't been taken yet that must come. */
  findAwaited(): ReadonlyArray<LedgerEntry> {
    return [...this.entries.values()].filter((entry) => missingEvent(entry) !== undefined)
  }
}

/** The event that a receiver must have in the end: of a refunded charge a paid one that wasn't sent is withdrawn. */
export const missingEvent = ({ paidAt, isRefundAccepted, taken }: LedgerEntry): "paid" | "refunded" | undefined => {
  if (paidAt === undefined) return undefined
  const wanted = isRefundAccepted ? "refunded" : "paid"
  return taken.includes(wanted) || taken.includes("refunded") ? undefined : wanted
}
