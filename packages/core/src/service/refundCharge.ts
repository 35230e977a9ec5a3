import * as Effect from "effect/Effect"
import type { RefundedCharge, RefundingCharge } from "../charge/Charge.ts"
import type { ChargeId } from "../charge/ChargeId.ts"
import { ChargeNotPaid, type ProcessorUnavailable, RefundRejected } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { PaymentProcessor } from "../ports/PaymentProcessor.ts"
import { askRefund } from "./askRefund.ts"
import type { ChargeMoves, MoveError } from "./ChargeMoves.ts"

type RefundError = MoveError | RefundRejected

/** A refund is committed before it is asked for, so that no crash can lose it or make it twice (design §2). */
export const makeRefund = (moves: ChargeMoves, processor: PaymentProcessor["Service"]) => {
  /** Brings a committed refund on: asks, and finishes it if there is a final answer. */
  const pursue = Effect.fnUntraced(function* (
    charge: RefundingCharge,
    resumed: boolean,
  ): Effect.fn.Return<RefundedCharge | RefundingCharge, RefundError | ProcessorUnavailable> {
    const { issuer, id, payment, refund } = charge
    const { endToEndId, amountCents } = payment
    const outcome = yield* askRefund(processor, { issuer, endToEndId, amountCents, refundId: refund.id }, resumed)
    if (outcome._tag === "Processing") return charge
    const after = yield* moves.apply(charge, { _tag: "FinishRefund", refundId: refund.id, outcome })
    if (after._tag === "Refunded" || after._tag === "Refunding") return after
    const reason = after._tag === "Paid" ? after.failedRefund?.reason : undefined
    return yield* new RefundRejected({ issuer, id, reason: reason ?? "" })
  })

  const refund = Effect.fnUntraced(function* (
    issuer: Cnpj,
    id: ChargeId,
  ): Effect.fn.Return<RefundedCharge | RefundingCharge, RefundError> {
    const charge = yield* moves.load({ issuer, id })
    const after = yield* moves.apply(charge, { _tag: "RequestRefund" })
    if (after._tag === "Refunded") return after
    if (after._tag !== "Refunding") return yield* new ChargeNotPaid({ issuer, id })
    // Another call may have committed it, and asked, before us. A silence changes nothing of what stands committed.
    const asked = pursue(after, charge._tag === "Refunding")
    return yield* Effect.catchTag(asked, "ProcessorUnavailable", () => Effect.succeed(after))
  })

  return { refund, pursue }
}
