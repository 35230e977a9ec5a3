import * as Effect from "effect/Effect"
import type { ChargeMoves, MoveError } from "../ChargeMoves.ts"
import type { ChargePorts } from "../ChargePorts.ts"
import { makeExceptionMoves } from "../exceptions/ExceptionMoves.ts"
import type { Charge } from "../rules/Charge.ts"
import { isSettledBy } from "../rules/chargeParts.ts"
import type { Return } from "../rules/Payment.ts"

/** Records a return once, with the charge or exception to which its payment belongs. */
export const makeRecordReturn = (ports: ChargePorts, moves: ChargeMoves) => {
  const { store, lists } = ports
  const exceptions = makeExceptionMoves(ports)

  /** The charge for which the payment is recorded; undefined for one of no charge, or not recorded. */
  const findByPayment = Effect.fnUntraced(function* ({ issuer, endToEndId }: Pick<Return, "issuer" | "endToEndId">) {
    const payment = yield* lists.payment(issuer, endToEndId)
    return payment?.chargeId && (yield* store.find(issuer, payment.chargeId))
  })

  /** The owner of a return is the charge that its payment settled, or the payment's exception. */
  return Effect.fnUntraced(function* (returned: Return, among?: Charge): Effect.fn.Return<void, MoveError> {
    const { issuer, endToEndId } = returned
    const command = { _tag: "RecordReturn", returned } as const
    const owner = yield* findByPayment(returned)
    if (owner !== undefined && isSettledBy(owner, endToEndId)) {
      yield* moves.apply(owner, command)
      return
    }
    yield* exceptions.apply(issuer, endToEndId, command).pipe(
      // Its payment is not recorded, or was adopted by its charge meanwhile: the fact is kept all the same.
      Effect.catchTag("ExceptionNotFound", () =>
        Effect.flatMap(findByPayment(returned), (adopter = among) =>
          adopter === undefined ? Effect.void : moves.apply(adopter, command),
        ),
      ),
      // A return is a fact, and refused in no state.
      Effect.catchTag("ExceptionClosed", Effect.die),
    )
  })
}
