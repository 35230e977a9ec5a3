import * as Effect from "effect/Effect"
import type { PaymentProcessor } from "../../ports/PaymentProcessor.ts"
import type { Moved } from "../ChargeMoves.ts"
import { firstCallAt, isKnownToFail } from "../rules/Refund.ts"
import type { CallRefund } from "../rules/RefundCommand.ts"
import {
  isOverdue,
  makeCallRefund,
  type RefundOwner,
  refundOrder,
  type RefundUnderWay,
  whenUnavailable,
} from "./callRefund.ts"

/**
 * Begins and resumes refunds.
 *
 * A refund is committed before the processor is called for it, and so is each further call: no crash loses one, and any number
 * of processes may call at once. The change that follows from an answer is decided on the state before the call, and once more
 * on the stored one if that has moved meanwhile (`decideRefund`).
 */
export const makePursueRefund = <S, E>(processor: PaymentProcessor["Service"], owner: RefundOwner<S, E>) => {
  const { underWay, move, lookUpPayment } = owner
  const { call, finish, lookBefore, hasSeenPayment } = makeCallRefund(processor, owner)

  /** Commits one more call and makes it, unless the refund has ended meanwhile. */
  const callAgain = Effect.fnUntraced(function* (read: S, before: RefundUnderWay, how?: Pick<CallRefund, "isRefused">) {
    const seen = yield* lookBefore(read, before)
    const called = yield* move(seen.state, { _tag: "CallRefund", refundId: before.refund.id, ...how })
    const found = underWay(called.state)
    const calledAt = found?.refund.unanswered?.at(-1)
    if (!called.isOurs || found === undefined || calledAt === undefined) return called.state
    return yield* call({ ...seen, state: called.state }, found, calledAt)
  })

  /**
   * Resumes a refund that may have been requested: it is requested again only if the processor doesn't know it. The next
   * attempt begins only if the processor has the last one on record as refused, and its refusal is known here.
   */
  const resume = Effect.fnUntraced(function* (state: S) {
    const found = underWay(state)
    if (found === undefined) return state
    const known = yield* processor.lookupRefund(refundOrder(found))
    if (known === undefined) return yield* callAgain(state, found)
    if (known._tag === "Processing") return (yield* isOverdue(found)) ? (yield* lookUpPayment(state)).state : state
    if (known._tag === "Rejected") {
      if (isKnownToFail(found.refund)) return yield* callAgain(state, found, { isRefused: true })
      if (!(yield* hasSeenPayment(state, found))) return state
    }
    return yield* finish(state, found, known)
  })

  /** Makes the first call, unless the look before it has ended the refund. */
  const callFirst = Effect.fnUntraced(function* (read: S, begun: RefundUnderWay, calledAt: number) {
    const seen = yield* lookBefore(read, begun)
    const found = underWay(seen.state)
    return found?.refund.id === begun.refund.id ? yield* call(seen, found, calledAt) : seen.state
  })

  /** Resumes a refund that was just requested. It stays as committed while the processor does not answer. */
  const begin = Effect.fnUntraced(function* ({ state, isOurs }: Moved<S>) {
    const found = underWay(state)
    if (found === undefined) return state
    const calledAt = isOurs ? firstCallAt(found.refund) : undefined
    return yield* whenUnavailable(calledAt === undefined ? resume(state) : callFirst(state, found, calledAt), state)
  })

  return { begin, resume }
}
