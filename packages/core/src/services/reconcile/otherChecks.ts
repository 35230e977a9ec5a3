import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { PaymentException } from "../../model/charge/PaymentException.ts"
import { deferredCheckAt, nextRefundCheckAt } from "../../model/charge/checkSchedule.ts"
import type { RecurrenceStore } from "../../ports/RecurrenceStore.ts"
import { paymentLabel, safeSpan } from "../../runtime/telemetry.ts"
import { ExceptionRefunds } from "../charges/PaymentExceptions.ts"
import type { Recurrences } from "../recurrences/Recurrences.ts"
import type { CheckJob, DueCheck } from "./DueCheck.ts"
import type { ReconcilerPorts } from "./ReconcilerPorts.ts"

const requestedAt = ({ payment, state }: PaymentException): number =>
  state._tag === "Refunding" ? state.refund.requestedAt : payment.recordedAt

/** The checks of exceptions whose refund has no answer; a committed refund is checked until the processor answers. */
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
    claim: (request) => Effect.map(dueChecks.claimExceptions(request), (found) => found.map(dueCheck)),
    maxAtOnce: 16,
    idleMs: { firstMs: 5_000, maxMs: 30_000 },
  }
}

/** The checks of recurrences: their authorisation, their cycles' windows and debits. */
export const recurrenceChecks = (store: RecurrenceStore["Service"], recurrences: Recurrences["Service"]): CheckJob => ({
  claim: (request) =>
    Effect.map(store.claim(request), (due) =>
      due.map(({ recurrence, dueAt }) => ({
        label: `Recurrence ${recurrence.id}`,
        issuer: recurrence.issuer,
        waitsSince: dueAt,
        run: Effect.suspend(() => recurrences.check(recurrence)).pipe(
          safeSpan("pix.recurrence.check", { "recurrence.id": recurrence.id, "recurrence.state": recurrence._tag }),
        ),
        retryAt: (now: number) => deferredCheckAt(recurrence.updatedAt, now),
        reschedule: (checkAt: number | undefined) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const { issuer, id, updatedAt, version } = recurrence
            return store.schedule(issuer, id, checkAt ?? deferredCheckAt(updatedAt, now), version)
          }),
      })),
    ),
  maxAtOnce: 16,
  idleMs: { firstMs: 1_000, maxMs: 5_000 },
})
