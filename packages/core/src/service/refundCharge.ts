import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Charge, RefundedCharge, RefundingCharge, ChargeId } from "../charge/index.ts"
import { ChargeNotPaid, RefundRejected } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { PaymentProcessor, ProcessorView } from "../ports/PaymentProcessor.ts"
import type { ChargeMoves, MoveError } from "./ChargeMoves.ts"
import { makePursueRefund } from "./pursueRefund.ts"

/** A charge whose refund has begun, or has returned the money. */
export type BegunRefund = RefundedCharge | RefundingCharge

/** The charge once its refund was carried on. */
const ended = (charge: Charge): Effect.Effect<BegunRefund, RefundRejected | ChargeNotPaid> => {
  if (charge._tag === "Refunded" || charge._tag === "Refunding") return Effect.succeed(charge)
  const { issuer, id } = charge
  const failed = charge._tag === "Paid" ? charge.failedRefund : undefined
  return failed === undefined
    ? new ChargeNotPaid({ issuer, id })
    : new RefundRejected({ issuer, id, reason: Redacted.make(failed.reason) })
}

/** Refunds of charges. */
export const makeRefundCharge = (
  moves: ChargeMoves,
  processor: PaymentProcessor["Service"],
  applyView: (charge: Charge, view: ProcessorView) => Effect.Effect<Charge, MoveError>,
) => {
  const pursue = makePursueRefund<Charge, MoveError>(processor, {
    underWay: (charge) => (charge._tag === "Refunding" ? charge : undefined),
    move: (read, command) => Effect.flatMap(moves.load(read), (charge) => moves.move(charge, command)),
    lookUpPayment: (charge) => Effect.flatMap(processor.lookup(charge), (view) => applyView(charge, view)),
  })

  const refund = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId) {
    const requested = yield* moves.move(yield* moves.load({ issuer, id }), { _tag: "RequestRefund" })
    return yield* ended(yield* pursue.begin(requested))
  })

  const resume = (charge: RefundingCharge) => Effect.flatMap(pursue.resume(charge), ended)

  return { refund, resume }
}
