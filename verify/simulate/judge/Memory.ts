import type { Charge, PaymentException } from "@pixcharge/core/charges"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import type * as Effect from "effect/Effect"
import { Changes } from "./Changes.ts"
import { Checks } from "./Checks.ts"
import { Comparisons } from "./Comparisons.ts"
import { Deliveries } from "./Deliveries.ts"
import type { Evidence } from "./Evidence.ts"
import { Expiries, Looks } from "./Looks.ts"
import { Leases } from "./Leases.ts"
import { Moves } from "./Moves.ts"
import { RefundCalls } from "./RefundCalls.ts"
import { Requests } from "./Requests.ts"
import type { Rule, Violation } from "./rules.ts"
import { Terms } from "./Terms.ts"

/** The stored states of charges or exceptions over time. Times are epoch milliseconds. */
class Standings<S> {
  readonly #standings = new Map<string, Array<readonly [at: number, state: S]>>()

  setBack(): void {
    this.#standings.clear()
  }

  add(id: string, at: number, state: S): void {
    const states = this.#standings.get(id) ?? []
    this.#standings.set(id, states)
    states.push([at, state])
  }

  since(id: string, from: number): ReadonlyArray<S> {
    const states = this.#standings.get(id) ?? []
    const first = states.findLastIndex(([at]) => at < from)
    return first < 0 ? [] : states.slice(first).map(([, state]) => state)
  }
}

/** What the judge remembers of a run. */
export class Memory {
  readonly requests = new Requests()
  readonly terms = new Terms()
  readonly changes = new Changes()
  readonly leases = new Leases()
  readonly deliveries = new Deliveries()
  readonly checks = new Checks()
  readonly looks = new Looks()
  readonly comparisons = new Comparisons()
  readonly refundCalls = new RefundCalls()
  readonly expiries = new Expiries()
  readonly moves = new Moves()
  readonly charges = new Standings<Charge>()
  readonly exceptions = new Standings<PaymentException>()
  /** When the last store call of a process failed. */
  readonly storeFailedAt = new Map<string, number>()

  /** Forgets what a store can have forgotten that was set back. Its refunds can be among `payments`. */
  forget(payments: Iterable<LedgerPayment>): void {
    const { changes, leases, deliveries, checks, looks, comparisons, refundCalls, expiries, moves } = this
    const known = [changes, leases, deliveries, checks, looks, comparisons, refundCalls, expiries, moves]
    for (const forgets of [...known, this.charges, this.exceptions]) forgets.setBack()
    this.requests.setBack(payments)
  }
}

/** What each part of the judge works with. */
export interface Judging extends Memory {
  /** Epoch milliseconds. */
  readonly world: { readonly now: number; readonly note: (actor: string, what: string) => void }
  readonly evidence: Evidence
  readonly report: (rule: Rule, what: string) => void
  readonly reportAll: (found: ReadonlyArray<Violation>) => void
  readonly read: (check: Effect.Effect<void, unknown>) => void
}
