import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { nextRefundCheckAt } from "../charges/rules/checkSchedule.ts"
import type { PaymentException } from "../charges/rules/PaymentException.ts"
import { makeExceptionMoves } from "../charges/exceptions/ExceptionMoves.ts"
import { makeRefundException } from "../charges/exceptions/refundException.ts"
import type { CheckJob } from "./checkWorker.ts"
import type { ReconcilerPorts } from "./ReconcilerPorts.ts"
import { paymentLabel } from "../runtime/telemetry/index.ts"

const requestedAt = ({ payment, state }: PaymentException): number =>
  state._tag === "Refunding" ? state.refund.requestedAt : payment.recordedAt

/** The checks of exceptions whose refund has no answer. */
export const exceptionChecks = ({ dueChecks, exceptions, processor }: ReconcilerPorts): CheckJob<PaymentException> => {
  const { resume } = makeRefundException(makeExceptionMoves(exceptions), processor)
  return {
    label: ({ payment }) => `The refund of payment ${paymentLabel(payment.endToEndId)}`,
    issuer: ({ payment }) => payment.issuer,
    claim: (request) => dueChecks.claimExceptions(request),
    check: Effect.fnUntraced(function* (exception) {
      const after = yield* resume(exception)
      if (after.state._tag === "Refunding") {
        const now = yield* Clock.currentTimeMillis
        yield* dueChecks.scheduleException(after, nextRefundCheckAt(after.state.refund, now))
      }
      return after
    }),
    schedule: (exception, checkAt) =>
      checkAt === undefined ? Effect.void : dueChecks.scheduleException(exception, checkAt),
    since: requestedAt,
    repeatedAt: (exception, now) => nextRefundCheckAt({ requestedAt: requestedAt(exception) }, now),
    // A committed refund is checked until the processor answers.
    isOver: () => false,
    mostAtOnce: 16,
    idleMs: { first: 5_000, longest: 30_000 },
  }
}
