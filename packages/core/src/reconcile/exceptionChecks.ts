import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { nextRefundCheckAt } from "../charges/rules/checkSchedule.ts"
import type { PaymentException } from "../charges/rules/PaymentException.ts"
import { makeExceptionMoves } from "../charges/exceptions/ExceptionMoves.ts"
import { makeRefundException } from "../charges/exceptions/refundException.ts"
import type { CheckJob, DueCheck } from "./DueCheck.ts"
import type { ReconcilerPorts } from "./ReconcilerPorts.ts"
import { paymentLabel } from "../runtime/telemetry/index.ts"

const requestedAt = ({ payment, state }: PaymentException): number =>
  state._tag === "Refunding" ? state.refund.requestedAt : payment.recordedAt

/** The checks of exceptions whose refund has no answer; a committed refund is checked until the processor answers. */
export const exceptionChecks = (ports: ReconcilerPorts): CheckJob => {
  const { dueChecks } = ports
  const { resume } = makeRefundException(makeExceptionMoves(ports), ports)

  const check = Effect.fnUntraced(function* (exception: PaymentException) {
    const after = yield* resume(exception)
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
