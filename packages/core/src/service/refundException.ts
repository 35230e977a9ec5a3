import * as Effect from "effect/Effect"
import type { PaymentException } from "../charge/PaymentException.ts"
import { ExceptionRefundRejected } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { PaymentProcessor } from "../ports/PaymentProcessor.ts"
import type { ExceptionMoveError, ExceptionMoves } from "./ExceptionMoves.ts"
import { findReturns } from "./findReturns.ts"
import { makePursueRefund } from "./pursueRefund.ts"

/** Refunds of payments that settled no charge. */
export const makeRefundException = (moves: ExceptionMoves, processor: PaymentProcessor["Service"]) => {
  const pursue = makePursueRefund<PaymentException, ExceptionMoveError>(processor, {
    underWay: ({ payment, state }) => (state._tag === "Refunding" ? { payment, refund: state.refund } : undefined),
    move: ({ payment: { issuer, endToEndId } }, command) => moves.move(issuer, endToEndId, command),
    lookUpPayment: Effect.fnUntraced(function* ({ payment }) {
      const { issuer, endToEndId } = payment
      for (const returned of yield* findReturns(processor, payment)) {
        yield* moves.apply(issuer, endToEndId, { _tag: "RecordReturn", returned })
      }
      return yield* moves.load(issuer, endToEndId)
    }),
  })

  const refund = Effect.fnUntraced(function* (issuer: Cnpj, endToEndId: string) {
    const after = yield* pursue.begin(yield* moves.move(issuer, endToEndId, { _tag: "RequestRefund" }))
    if (after.state._tag !== "Open") return after
    const reason = after.state.failedRefund?.reason ?? ""
    return yield* new ExceptionRefundRejected({ issuer, endToEndId, reason })
  })

  return { refund, resume: pursue.resume }
}
