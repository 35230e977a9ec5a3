import * as Effect from "effect/Effect"
import type { ChargeMoves, MoveError } from "../ChargeMoves.ts"
import type { ChargePorts } from "../ChargePorts.ts"
import { makeExceptionMoves } from "../exceptions/ExceptionMoves.ts"
import type { Charge } from "../rules/Charge.ts"
import { isSettledBy } from "../rules/chargeParts.ts"
import type { Return } from "../rules/Payment.ts"
import type { RefundCommand } from "../rules/RefundCommand.ts"
import type { ReceivedPayment, RefundRejection } from "../../ports/PaymentProcessor.ts"

/** Records how money went back, or did not, with the charge or exception to which its payment belongs. */
export const makeRecordReturn = (ports: ChargePorts, moves: ChargeMoves) => {
  const { store, lists } = ports
  const exceptions = makeExceptionMoves(ports)

  /** The charge for which the payment is recorded; undefined for one of no charge, or not recorded. */
  const findByPayment = Effect.fnUntraced(function* ({ issuer, endToEndId }: Pick<Return, "issuer" | "endToEndId">) {
    const payment = yield* lists.payment(issuer, endToEndId)
    return payment?.chargeId && (yield* store.find(issuer, payment.chargeId))
  })

  /** Applies what the processor says to the charge that the payment settled, or to the payment's exception. */
  const apply = Effect.fnUntraced(function* (
    payment: Pick<Return, "issuer" | "endToEndId">,
    command: RefundCommand,
    among?: Charge,
  ): Effect.fn.Return<void, MoveError> {
    const { issuer, endToEndId } = payment
    const owner = yield* findByPayment(payment)
    if (owner !== undefined && isSettledBy(owner, endToEndId)) {
      yield* moves.apply(owner, command)
      return
    }
    yield* exceptions.apply(issuer, endToEndId, command).pipe(
      // Its payment is not recorded, or was adopted by its charge meanwhile: the fact is kept all the same.
      Effect.catchTag("ExceptionNotFound", () =>
        Effect.flatMap(findByPayment(payment), (adopter = among) =>
          adopter === undefined ? Effect.void : moves.apply(adopter, command),
        ),
      ),
      // It is a fact, and refused in no state.
      Effect.catchTag("ExceptionClosed", Effect.die),
    )
  })

  const recordReturn = (returned: Return, among?: Charge) => apply(returned, { _tag: "RecordReturn", returned }, among)

  /** Ends a refund of ours that was not carried out; nothing changes where another attempt is under way, or none. */
  const recordRejection = (payment: ReceivedPayment, { refundId, reason }: RefundRejection) =>
    apply(payment, {
      _tag: "FinishRefund",
      refundId,
      amountCents: payment.amountCents,
      outcome: { _tag: "Rejected", reason },
    })

  return { recordReturn, recordRejection }
}
