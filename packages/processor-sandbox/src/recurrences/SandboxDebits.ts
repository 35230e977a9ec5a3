import { ProcessorRejected } from "@pixcharge/core"
import type { CycleView, RecurrenceProcessor } from "@pixcharge/core/recurring"
import type { LocalDate } from "@pixcharge/core/calendar"
import type { CycleCharge, PendingCharge } from "@pixcharge/core/charges"
import { askableUntil, type DebitAttempt, type EndedBy, isLiveAttempt } from "@pixcharge/core/recurrence"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type SandboxMemory, sandboxView } from "../SandboxMemory.ts"
import { debitPayment } from "../SandboxPayment.ts"
import type { RecurrenceMemory, RememberedDebit } from "./RecurrenceMemory.ts"
import { retryDaysLeft, settleDebit } from "./settleDebit.ts"

type Port = RecurrenceProcessor["Service"]
type PendingCycleCharge = CycleCharge<PendingCharge>

const reject = (operation: string, reason: string) =>
  Effect.fail(new ProcessorRejected({ operation, reason: Redacted.make(reason) }))

/** The charges of cycles at the sandbox's bank, whose attempts follow the clock: each call first does what was due. */
export const makeSandboxDebits = (memory: SandboxMemory, recurrences: RecurrenceMemory) => {
  const pay = (charge: PendingCharge, on: LocalDate, paidAt: number): void => {
    const { issuer, txid, createdAt } = charge
    const known = memory.charge(issuer, txid) ?? { terms: charge, createdAt, removed: false, payments: [] }
    memory.remember(issuer, txid, { ...known, payments: [debitPayment(charge, on, paidAt)] })
  }

  const settle = (before: RememberedDebit, now: number): RememberedDebit => {
    const { charge } = before
    const recurrence = recurrences.recurrence(charge.issuer, charge.cycle.contract)
    const { debit, takes, paid } = settleDebit(before, recurrence?.outcomes[0], now)
    recurrences.rememberDebit(debit)
    if (takes && recurrence) recurrences.remember({ ...recurrence, outcomes: recurrence.outcomes.slice(1) })
    if (paid) pay(charge, paid.attempt.on, paid.paidAt)
    return debit
  }

  /** As it is now; one from before this memory goes by the books. */
  const find = (charge: CycleCharge, now: number): RememberedDebit | undefined => {
    const known = recurrences.debit(charge.issuer, charge.txid)
    if (known !== undefined) return settle(known, now)
    if (charge._tag !== "Pending" || charge.debit === undefined || charge.debit.status === "requested") return undefined
    const { status, attempts } = charge.debit
    const end = { rejected: "rejected", unpaid: "expired" } as const
    return settle(
      { charge, attempts, status: status === "rejected" || status === "unpaid" ? end[status] : "active" },
      now,
    )
  }

  const order = (charge: PendingCycleCharge, kind: DebitAttempt["kind"], on: LocalDate): DebitAttempt => {
    const { maximumCents = Infinity } = recurrences.recurrence(charge.issuer, charge.cycle.contract) ?? {}
    const { endToEndId } = debitPayment(charge, on, 0)
    const attempt = { kind, on, endToEndId } as const
    return charge.amountCents > maximumCents
      ? { ...attempt, status: "rejected", code: "AM02" }
      : { ...attempt, status: "scheduled" }
  }

  /** Why the bank takes no charge of this cycle. */
  const findFlaw = (charge: PendingCycleCharge, now: number): string | undefined => {
    const { issuer, amountCents, cycle } = charge
    const recurrence = recurrences.recurrence(issuer, cycle.contract)
    if (recurrence?.view.status !== "approved") return "the recurrence is not approved"
    const fixedCents = recurrence.terms.amountCents
    if (fixedCents !== undefined && amountCents !== fixedCents) return "the recurrence has another amount"
    const isTaken = recurrences
      .debits(issuer, cycle.contract)
      .map((debit) => settle(debit, now))
      .some((other) => other.charge.cycle.cycle === cycle.cycle && !["rejected", "cancelled"].includes(other.status))
    if (isTaken) return "the cycle has a charge"
    return now >= askableUntil(cycle.settlesOn) ? "it is too late for its day" : undefined
  }

  const charge: Port["charge"] = ({ charge: ordered }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const known = find(ordered, now)
      if (known !== undefined) {
        const isSame = known.charge.amountCents === ordered.amountCents && known.charge.dueDate === ordered.dueDate
        return isSame ? Effect.void : reject("charge", "the txid has another charge")
      }
      const flaw = findFlaw(ordered, now)
      if (flaw !== undefined) return reject("charge", flaw)
      const first = order(ordered, "first", ordered.cycle.settlesOn)
      recurrences.rememberDebit({ charge: ordered, status: "active", attempts: [first] })
      return Effect.void
    })

  const view = (of: CycleCharge, debit: RememberedDebit | undefined): CycleView => {
    const shown = sandboxView(memory, of.issuer, of.txid)
    if (debit === undefined) return { ...shown, debit: { status: "absent", attempts: [] } }
    const { status, attempts, by, code } = debit
    const { amountCents, dueDate } = debit.charge
    return {
      ...shown,
      terms: { amountCents, ...(dueDate && { dueDate }) },
      debit: { status, attempts, ...(by && { by }), ...(code && { code }) },
    }
  }

  const lookupCharge: Port["lookupCharge"] = (looked) =>
    Effect.map(Clock.currentTimeMillis, (now) => view(looked, find(looked, now)))

  const cancel = (debit: RememberedDebit, by: EndedBy, code: string): void => {
    const attempts = debit.attempts.map((attempt): DebitAttempt =>
      isLiveAttempt(attempt) ? { ...attempt, status: "cancelled" } : attempt,
    )
    recurrences.rememberDebit({ ...debit, attempts, status: "cancelled", by, code })
  }

  /** No attempt of it is so near that the payer's bank makes it all the same. */
  const canBeStopped = ({ attempts }: RememberedDebit, now: number): boolean =>
    attempts.filter(isLiveAttempt).every(({ on }) => now < askableUntil(on))

  const cancelCharge: Port["cancelCharge"] = (wanted) =>
    Effect.flatMap(Clock.currentTimeMillis, (now): ReturnType<Port["cancelCharge"]> => {
      const debit = find(wanted, now)
      if (debit?.status === "completed") return Effect.succeed({ _tag: "Paid", view: view(wanted, debit) })
      if (debit?.status === "active") {
        if (!canBeStopped(debit, now)) return reject("cancelCharge", "its debit is due")
        cancel(debit, "company", "SLCR")
      }
      return Effect.succeed({ _tag: "Cancelled" })
    })

  /** What ends with its recurrence: every charge whose debit can still be stopped. */
  const cancelAll = (issuer: PendingCharge["issuer"], contract: string, by: EndedBy, now: number): void => {
    for (const known of recurrences.debits(issuer, contract)) {
      const debit = settle(known, now)
      if (debit.status === "active" && canBeStopped(debit, now)) cancel(debit, by, "CCLD")
    }
  }

  const retry: Port["retry"] = (wanted, on) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const debit = find(wanted, now)
      if (debit?.attempts.some((attempt) => attempt.on === on)) return Effect.void
      if (debit?.status !== "active" || debit.attempts.some(isLiveAttempt))
        return reject("retry", "it can't be retried")
      if (!retryDaysLeft(debit, now).includes(on)) return reject("retry", "no new attempt is permitted on this day")
      const { outcome: _, ...rest } = debit
      recurrences.rememberDebit({ ...rest, attempts: [...debit.attempts, order(debit.charge, "retry", on)] })
      return Effect.void
    })

  /** Does what was due until now, so that what is played next counts for later attempts; whether one may still be debited. */
  const settleAll = (issuer: PendingCharge["issuer"], contract: string, now: number): boolean =>
    recurrences
      .debits(issuer, contract)
      .map((debit) => settle(debit, now))
      .some(({ status }) => status === "active")

  return { charge, lookupCharge, cancelCharge, retry, cancelAll, settleAll }
}
