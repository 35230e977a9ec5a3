import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import {
  type CancelledBy,
  type Charge,
  livePart,
  type PaidCharge,
  type PendingCharge,
  type RefundingCharge,
  unsettledFailures,
} from "../../model/charge/Charge.ts"
import { isRestoreRefused } from "../../model/charge/requestChange.ts"
import { payableAtBankUntil, requestedRow, rowsOf } from "../../model/charge/TermsRow.ts"
import type { PaymentException } from "../../model/charge/PaymentException.ts"
import type { Refund } from "../../model/charge/Refund.ts"
import {
  nextLookUpAt,
  nextPaidCheckAt,
  nextPaymentCheckAt,
  nextRefundCheckAt,
  paymentChecksEndAt,
  provesExpiry,
  repeatedPaymentCheckAt,
} from "../../model/charge/checkSchedule.ts"
import { repeatedCheckAt } from "../../model/recurrence/recurrenceChecks.ts"
import type { ProcessorView } from "../../ports/PaymentProcessor.ts"
import type { RecurrenceStore } from "../../ports/RecurrenceStore.ts"
import { paymentLabel, safeSpan } from "../../runtime/telemetry.ts"
import { Cancelling } from "../charges/Cancelling.ts"
import { ChargeMoves } from "../charges/ChargeMoves.ts"
import { Changing } from "../charges/Changing.ts"
import { ExceptionRefunds } from "../charges/PaymentExceptions.ts"
import type { Recurrences } from "../recurrences/Recurrences.ts"
import type { ReconcilerPorts } from "./ReconcilerPorts.ts"
import type { CheckJob, DueCheck } from "./checkWorker.ts"

const checks = Metric.counter("pix_reconciler_checks", {
  description: "Checks of charges at the processor, by finding",
  incremental: true,
})

const refundUnderWay = (charge: Charge): Refund | undefined =>
  charge._tag === "Refunding" ? charge.refund : livePart(charge)?.refund

const retryAt = (charge: Charge, now: number): number => {
  if (charge._tag === "Refunding") return nextRefundCheckAt(charge.refund, now)
  const followedAt = charge._tag === "Paid" ? nextPaidCheckAt(charge, now) : undefined
  return followedAt ?? repeatedPaymentCheckAt(charge, now)
}

/** Checks unpaid charges that a sweep can't judge, and unanswered refunds. */
export const chargeChecks = (ports: ReconcilerPorts): CheckJob => {
  const { dueChecks } = ports
  const check = new ChargeCheck(ports)

  const dueCheck = (charge: Charge): DueCheck => ({
    label: `Charge ${charge.id}`,
    issuer: charge.issuer,
    waitsSince: refundUnderWay(charge)?.requestedAt ?? charge.createdAt,
    ...(charge._tag === "Pending" && { giveUpAt: paymentChecksEndAt(charge) }),
    run: Effect.suspend(() => check.run(charge)).pipe(
      Effect.map((after) => after.version !== charge.version),
      safeSpan("pix.charge.reconcile", { "charge.id": charge.id, "charge.state": charge._tag }),
    ),
    retryAt: (now) => retryAt(charge, now),
    reschedule: (checkAt) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        dueChecks.scheduleCharge(charge, checkAt, checkAt === undefined ? { endedAt: now } : {}),
      ),
  })

  return {
    kind: "charges",
    claim: (request) => Effect.map(dueChecks.claimCharges(request), (charges) => charges.map(dueCheck)),
    onFinding: (finding) => Metric.update(Metric.withAttributes(checks, { finding }), 1),
    maxAtOnce: 64,
  }
}

export class ChargeCheck {
  readonly #ports: ReconcilerPorts
  readonly #moves: ChargeMoves
  readonly #cancelling: Cancelling
  readonly #changing: Changing

  constructor(ports: ReconcilerPorts) {
    this.#ports = ports
    this.#moves = new ChargeMoves(ports)
    this.#cancelling = new Cancelling(ports)
    this.#changing = new Changing(ports)
  }

  run(charge: Charge) {
    switch (charge._tag) {
      case "Pending":
        return this.#checkPending(charge)
      case "Refunding":
        return this.#checkRefunding(charge)
      case "Paid":
        return this.#checkPaid(charge)
      default:
        return Effect.as(this.#ports.dueChecks.scheduleCharge(charge, undefined), charge)
    }
  }

  readonly #checkPending = Effect.fnUntraced({ self: this }, function* (charge: PendingCharge) {
    const { dueChecks, processor, books } = this.#ports
    const requestedAt = yield* Clock.currentTimeMillis
    const view = yield* processor.lookup(charge)
    const shown = yield* books.applyView(charge, view)
    const resumed = shown._tag === "Pending" ? yield* this.#changing.resume(shown, view) : shown
    const known = resumed._tag === "Pending" ? yield* this.#recordExpiry(resumed, view, requestedAt) : resumed
    const by = known._tag === "Pending" ? findCancelling(known, view) : undefined
    const after = by === undefined ? known : yield* this.#cancel(known, by)
    if (after._tag !== "Pending") return after
    const now = yield* Clock.currentTimeMillis
    // The answer can be as old as the request. A request made before the watch ended isn't the last check.
    const since = requestedAt < charge.watchUntil ? Math.min(now, charge.watchUntil - 1) : now
    const isSwept =
      processor.locality === "remote" && view.status === "active" && requestedRow(rowsOf(after)) === undefined
    const checkAt = isSwept
      ? nextLookUpAt(after, since, this.#ports.published.includes("expired"))
      : nextPaymentCheckAt(after, since)
    // Keeps a check that was set meanwhile: passes the new version, but the `checkAt` of the claim.
    const read = { ...charge, version: after.version }
    yield* dueChecks.scheduleCharge(read, checkAt, checkAt === undefined ? { endedAt: since } : {})
    return after
  })

  /** Publishes the expiry once, unless it came before `expiryEventsSince`. */
  readonly #recordExpiry = Effect.fnUntraced(
    { self: this },
    function* (charge: PendingCharge, { status, payments, isOfAnother }: ProcessorView, sentAt: number) {
      const { published, reconciliations } = this.#ports
      if (charge.expiryEventAt !== undefined || !published.includes("expired") || !provesExpiry(charge, sentAt)) {
        return charge
      }
      const isUnpaid = status !== "completed" && payments.length === 0 && isOfAnother !== true
      if (!isUnpaid) return charge
      const since = yield* reconciliations.expiryEventsSince(charge.issuer)
      if (since === undefined || payableAtBankUntil(charge) < since) return charge
      return yield* this.#moves.apply(yield* this.#moves.load(charge), { _tag: "RecordExpiry" })
    },
  )

  #cancel({ issuer, id }: Charge, by: CancelledBy) {
    const cancelled = this.#cancelling.cancel(issuer, id, by)
    return Effect.catchTag(cancelled, "ChargeAlreadyPaid", () => this.#moves.load({ issuer, id }))
  }

  readonly #checkPaid = Effect.fnUntraced({ self: this }, function* (charge: PaidCharge) {
    const after = yield* this.#followPaid(charge)
    if (after._tag === "Paid") {
      const checkAt = nextPaidCheckAt(after, yield* Clock.currentTimeMillis)
      yield* this.#ports.dueChecks.scheduleCharge(after, checkAt)
    }
    return after
  })

  /** An unanswered call of a refused refund can still return money. */
  #followPaid(charge: PaidCharge) {
    const { processor, books } = this.#ports
    if (livePart(charge) !== undefined) return books.resumePartialRefund(charge)
    return unsettledFailures(charge).length === 0
      ? books.applyView(charge, { status: "completed", payments: [], returns: charge.returns })
      : Effect.flatMap(processor.lookup(charge), (view) => books.applyView(charge, view))
  }

  readonly #checkRefunding = Effect.fnUntraced({ self: this }, function* (charge: RefundingCharge) {
    const { dueChecks, charges, books } = this.#ports
    const after = yield* Effect.catchTag(books.resumeRefund(charge), "RefundRejected", () =>
      charges.find(charge.issuer, charge.id),
    )
    if (after._tag === "Refunding") {
      yield* dueChecks.scheduleCharge(after, nextRefundCheckAt(after.refund, yield* Clock.currentTimeMillis))
    }
    return after
  })
}

const findCancelling = (charge: PendingCharge, { status }: ProcessorView): CancelledBy | undefined => {
  if (status === "removed") return "bank"
  return status === "active" && isRestoreRefused(charge) ? "terms" : undefined
}

const requestedAt = ({ payment, state }: PaymentException): number =>
  state._tag === "Refunding" ? state.refund.requestedAt : payment.recordedAt

export const exceptionChecks = (ports: ReconcilerPorts): CheckJob => {
  const { dueChecks } = ports
  const refunds = new ExceptionRefunds(ports)

  const check = Effect.fnUntraced(function* (exception: PaymentException) {
    const after = yield* refunds.resume(exception)
    if (after.state._tag === "Refunding") {
      const now = yield* Clock.currentTimeMillis
      yield* dueChecks.scheduleException(after, nextRefundCheckAt(after.state.refund, now))
    }
    return after.version !== exception.version
  })

  const dueCheck = (exception: PaymentException): DueCheck => ({
    label: `The refund of payment ${paymentLabel(exception.payment.endToEndId)}`,
    issuer: exception.payment.issuer,
    waitsSince: requestedAt(exception),
    run: Effect.suspend(() => check(exception)),
    retryAt: (now) => nextRefundCheckAt({ requestedAt: requestedAt(exception) }, now),
    reschedule: (checkAt) => (checkAt === undefined ? Effect.void : dueChecks.scheduleException(exception, checkAt)),
  })

  return {
    kind: "exceptions",
    claim: (request) => Effect.map(dueChecks.claimExceptions(request), (found) => found.map(dueCheck)),
    maxAtOnce: 16,
  }
}

export const recurrenceChecks = (store: RecurrenceStore["Service"], recurrences: Recurrences["Service"]): CheckJob => ({
  kind: "recurrences",
  claim: (request) =>
    Effect.map(store.claim(request), (due) =>
      due.map(({ recurrence, dueAt }) => ({
        label: `Recurrence ${recurrence.id}`,
        issuer: recurrence.issuer,
        waitsSince: dueAt,
        run: Effect.suspend(() => recurrences.check(recurrence)).pipe(
          safeSpan("pix.recurrence.check", { "recurrence.id": recurrence.id, "recurrence.state": recurrence._tag }),
        ),
        retryAt: (now: number) => repeatedCheckAt(recurrence, now),
        reschedule: (checkAt: number | undefined) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const { issuer, id, version } = recurrence
            return store.schedule(issuer, id, checkAt ?? repeatedCheckAt(recurrence, now), version)
          }),
      })),
    ),
  maxAtOnce: 16,
})
