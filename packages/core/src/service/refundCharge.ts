import * as Effect from "effect/Effect"
import type { Charge, RefundedCharge, RefundingCharge } from "../charge/Charge.ts"
import type { ChargeId } from "../charge/ChargeId.ts"
import { ChargeNotPaid, type ProcessorUnavailable, RefundRejected } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { PaymentProcessor, ProcessorView } from "../ports/PaymentProcessor.ts"
import type { ChargeMoves, MoveError } from "./ChargeMoves.ts"
import { makePursueRefund, type RefundUnderWay } from "./pursueRefund.ts"

type RefundError = MoveError | RefundRejected

/** What the processor is asked to return of a charge whose refund is under way. */
const underWay = (charge: Charge): RefundUnderWay | undefined => {
  if (charge._tag !== "Refunding") return undefined
  const { issuer, payment, refund } = charge
  const { endToEndId, amountCents } = payment
  return { refund, order: { issuer, endToEndId, amountCents, refundId: refund.id } }
}

/** The charge once its refund was brought on. */
const ended = (charge: Charge): Effect.Effect<RefundedCharge | RefundingCharge, RefundRejected | ChargeNotPaid> => {
  if (charge._tag === "Refunded" || charge._tag === "Refunding") return Effect.succeed(charge)
  const { issuer, id } = charge
  const failed = charge._tag === "Paid" ? charge.failedRefund : undefined
  return failed === undefined
    ? new ChargeNotPaid({ issuer, id })
    : new RefundRejected({ issuer, id, reason: failed.reason })
}

/** Refunds of charges. */
export const makeRefund = (
  moves: ChargeMoves,
  processor: PaymentProcessor["Service"],
  absorb: (charge: Charge, view: ProcessorView) => Effect.Effect<Charge, MoveError>,
) => {
  const pursue = makePursueRefund<Charge, MoveError>(processor, {
    underWay,
    move: (read, command) => Effect.flatMap(moves.load(read), (charge) => moves.move(charge, command)),
    look: (charge) => Effect.flatMap(processor.lookup(charge), (view) => absorb(charge, view)),
  })

  const refund = Effect.fnUntraced(function* (
    issuer: Cnpj,
    id: ChargeId,
  ): Effect.fn.Return<RefundedCharge | RefundingCharge, RefundError> {
    const requested = yield* moves.move(yield* moves.load({ issuer, id }), { _tag: "RequestRefund" })
    return yield* ended(yield* pursue.begin(requested))
  })

  const resume = (
    charge: RefundingCharge,
  ): Effect.Effect<RefundedCharge | RefundingCharge, RefundError | ProcessorUnavailable> =>
    Effect.flatMap(pursue.resume(charge), ended)

  return { refund, resume }
}
