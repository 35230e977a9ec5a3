import { ProcessorRejected } from "@pixcharge/core"
import type { CycleOrder, CycleView, RecurrenceProcessor } from "@pixcharge/core/recurring"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { CycleCharge, PendingCharge } from "@pixcharge/core/charges"
import { requestableUntil, type DebitAttempt, type EndedBy, isLiveAttempt } from "@pixcharge/core/recurrence"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { SandboxMemory } from "./SandboxMemory.ts"
import { debitPayment } from "./SandboxPayment.ts"
import type { RecurrenceMemory, RememberedDebit } from "./RecurrenceMemory.ts"
import { canBeStopped, cancelDebit, debitInBooks, retryDaysLeft, settleDebit } from "./settleDebit.ts"

type Port = RecurrenceProcessor["Service"]

export const reject = (operation: string, reason: string) =>
  Effect.fail(new ProcessorRejected({ operation, reason: Redacted.make(reason) }))

/** Each call first makes the debit attempts that are due. */
export class SandboxDebits {
  readonly #memory: SandboxMemory
  readonly #recurrences: RecurrenceMemory

  constructor(memory: SandboxMemory, recurrences: RecurrenceMemory) {
    this.#memory = memory
    this.#recurrences = recurrences
  }

  readonly charge: Port["charge"] = Effect.fnUntraced({ self: this }, function* ({ charge }: CycleOrder) {
    const now = yield* Clock.currentTimeMillis
    const known = this.#find(charge, now)
    if (known !== undefined) {
      const isSame = known.charge.amountCents === charge.amountCents && known.charge.dueDate === charge.dueDate
      return isSame ? undefined : yield* reject("charge", "the txid belongs to another charge")
    }
    const flaw = this.#findFlaw(charge, now)
    if (flaw !== undefined) return yield* reject("charge", flaw)
    const first = this.#order(charge, "first", charge.cycle.settlesOn)
    this.#recurrences.rememberDebit({ charge, status: "active", attempts: [first] })
  })

  readonly lookupCharge: Port["lookupCharge"] = (charge) =>
    Effect.map(Clock.currentTimeMillis, (now) => this.#view(charge, this.#find(charge, now)))

  readonly cancelCharge: Port["cancelCharge"] = Effect.fnUntraced({ self: this }, function* (charge: CycleCharge) {
    const now = yield* Clock.currentTimeMillis
    const debit = this.#find(charge, now)
    if (debit?.status === "completed") return { _tag: "Paid", view: this.#view(charge, debit) }
    if (debit?.status === "active") {
      if (!canBeStopped(debit, now)) return yield* reject("cancelCharge", "its debit is due")
      this.#recurrences.rememberDebit(cancelDebit(debit, "company", "SLCR"))
    }
    return { _tag: "Cancelled" }
  })

  readonly retry: Port["retry"] = Effect.fnUntraced({ self: this }, function* (charge: CycleCharge, on: LocalDate) {
    const now = yield* Clock.currentTimeMillis
    const debit = this.#find(charge, now)
    if (debit?.attempts.some((attempt) => attempt.on === on)) return
    const isOpen = debit?.status === "active" && !debit.attempts.some(isLiveAttempt)
    if (!isOpen) return yield* reject("retry", "it can't be retried")
    const isPermitted = retryDaysLeft(debit, now).includes(on)
    if (!isPermitted) return yield* reject("retry", "no new attempt is permitted on this day")
    const { outcome: _, ...rest } = debit
    this.#recurrences.rememberDebit({ ...rest, attempts: [...debit.attempts, this.#order(debit.charge, "retry", on)] })
  })

  /** Cancels the charges of a recurrence that ends, except those whose debit can no longer be stopped. */
  cancelAll(issuer: PendingCharge["issuer"], contract: string, by: EndedBy, now: number): void {
    for (const debit of this.#settleAll(issuer, contract, now)) {
      const isEnding = debit.status === "active" && canBeStopped(debit, now)
      if (isEnding) this.#recurrences.rememberDebit(cancelDebit(debit, by, "CCLD"))
    }
  }

  /** Makes the due attempts first: an outcome that is played now is only for later ones. */
  hasActiveDebit(issuer: PendingCharge["issuer"], contract: string, now: number): boolean {
    return this.#settleAll(issuer, contract, now).some(({ status }) => status === "active")
  }

  /** A charge from before a restart is read from the books. */
  #find(charge: CycleCharge, now: number): RememberedDebit | undefined {
    const known = this.#recurrences.debit(charge.issuer, charge.txid) ?? debitInBooks(charge)
    return known && this.#settle(known, now)
  }

  #settleAll(issuer: PendingCharge["issuer"], contract: string, now: number): ReadonlyArray<RememberedDebit> {
    return this.#recurrences.debits(issuer, contract).map((debit) => this.#settle(debit, now))
  }

  #settle(before: RememberedDebit, now: number): RememberedDebit {
    const { issuer, cycle } = before.charge
    const recurrence = this.#recurrences.recurrence(issuer, cycle.contract)
    const { debit, usesOutcome, paid } = settleDebit(before, recurrence?.outcomes[0], now)
    this.#recurrences.rememberDebit(debit)
    if (usesOutcome && recurrence) this.#recurrences.remember({ ...recurrence, outcomes: recurrence.outcomes.slice(1) })
    if (paid) this.#pay(before.charge, paid.attempt.on, paid.paidAt)
    return debit
  }

  #pay(charge: PendingCharge, on: LocalDate, paidAt: number): void {
    const payments = [debitPayment(charge, on, paidAt)]
    this.#memory.remember(charge.issuer, charge.txid, { ...this.#memory.recall(charge), payments })
  }

  #order(charge: CycleCharge<PendingCharge>, kind: DebitAttempt["kind"], on: LocalDate): DebitAttempt {
    const { maximumCents = Infinity } = this.#recurrences.recurrence(charge.issuer, charge.cycle.contract) ?? {}
    const { endToEndId } = debitPayment(charge, on, 0)
    return charge.amountCents > maximumCents
      ? { kind, on, endToEndId, status: "rejected", code: "AM02" }
      : { kind, on, endToEndId, status: "scheduled" }
  }

  #findFlaw({ issuer, amountCents, cycle }: CycleCharge<PendingCharge>, now: number): string | undefined {
    const recurrence = this.#recurrences.recurrence(issuer, cycle.contract)
    if (recurrence?.view.status !== "approved") return "the recurrence is not approved"
    const fixedCents = recurrence.terms.amountCents
    if (fixedCents !== undefined && amountCents !== fixedCents) return "the recurrence has another amount"
    const isTaken = this.#settleAll(issuer, cycle.contract, now).some(
      ({ charge, status }) => charge.cycle.cycle === cycle.cycle && status !== "rejected" && status !== "cancelled",
    )
    if (isTaken) return "the cycle already has a charge"
    return now >= requestableUntil(cycle.settlesOn) ? "it is too late for the debit on its day" : undefined
  }

  #view({ issuer, txid }: CycleCharge, debit: RememberedDebit | undefined): CycleView {
    const shown = this.#memory.view(issuer, txid)
    if (debit === undefined) return { ...shown, debit: { status: "absent", attempts: [] } }
    const { status, attempts, by, code } = debit
    const { amountCents, dueDate } = debit.charge
    return {
      ...shown,
      terms: { amountCents, ...(dueDate && { dueDate }) },
      debit: { status, attempts, ...(by && { by }), ...(code && { code }) },
    }
  }
}
