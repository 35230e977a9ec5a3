import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { FinalRefundOutcome, RefundCommand } from "../charge/decideRefund.ts"
import { firstCallAt, type Refund, unansweredForMs } from "../charge/Refund.ts"
import { ProcessorUnavailable } from "../errors.ts"
import type { PaymentProcessor, RefundOrder } from "../ports/PaymentProcessor.ts"
import type { Moved } from "./ChargeMoves.ts"

/** A refund under way, and what is asked of the processor for it. */
export interface RefundUnderWay {
  readonly refund: Refund
  readonly order: RefundOrder
}

/** What a refund belongs to, a charge or an exception, and how it is read and moved. */
export interface RefundOwner<S, E> {
  /** Undefined when no refund is under way. */
  readonly underWay: (state: S) => RefundUnderWay | undefined
  /** Applies a command to what is stored now. */
  readonly move: (state: S, command: RefundCommand) => Effect.Effect<Moved<S>, E>
  /** Asks the processor about the payment itself, and records what went back for it. */
  readonly look: (state: S) => Effect.Effect<S, E | ProcessorUnavailable>
}

/** What stands for the answer of a processor that is silent. */
const whenSilent = <A, E>(asked: Effect.Effect<A, E | ProcessorUnavailable>, otherwise: A): Effect.Effect<A, E> =>
  Effect.catch(asked, (error) =>
    error instanceof ProcessorUnavailable ? Effect.succeed(otherwise) : Effect.fail(error),
  )

/**
 * A refund is committed before the processor is called for it, and so is each further call: no crash can lose it, and any
 * number of processes may call at once. A refusal counts only when no call is without an answer (`isRefusalFinal`), and
 * nothing is decided on a copy that was read before the processor answered.
 */
export const makePursueRefund = <S, E>(
  processor: PaymentProcessor["Service"],
  { underWay, move, look }: RefundOwner<S, E>,
) => {
  const finish = (state: S, { order: { refundId } }: RefundUnderWay, outcome: FinalRefundOutcome) =>
    Effect.map(move(state, { _tag: "FinishRefund", refundId, outcome }), (after) => after.state)

  const hangs = ({ refund }: RefundUnderWay) =>
    Effect.map(Clock.currentTimeMillis, (now) => now - refund.requestedAt >= unansweredForMs)

  /**
   * Looks at the payment before a refusal counts; whether it may count. A processor that shows no payment for an hour must
   * not keep the refund from its end: the daily reconciliation finds what went back.
   */
  const lookFirst = Effect.fnUntraced(function* (state: S, found: RefundUnderWay) {
    return (yield* whenSilent(Effect.as(look(state), true), false)) || (yield* hangs(found))
  })

  /** What is on record at the processor, if another call for the refund is without an answer. */
  const findRecord = ({ refund, order }: RefundUnderWay) =>
    (refund.unanswered ?? []).length > 1
      ? whenSilent(processor.lookupRefund(order), undefined)
      : Effect.succeed(undefined)

  /** Calls for the refund, at the moment that stands committed, and ends it if the answer does. */
  const call = Effect.fnUntraced(function* (state: S, found: RefundUnderWay, calledAt: number) {
    const answer = yield* processor.refund(found.order)
    const record = answer._tag === "Rejected" ? yield* findRecord(found) : undefined
    const outcome = record ?? answer
    if (outcome._tag === "Processing") return state
    if (outcome._tag === "Returned") return yield* finish(state, found, outcome)
    const hasLooked = yield* lookFirst(state, found)
    if (record !== undefined && hasLooked) return yield* finish(state, found, outcome)
    const { refundId } = found.order
    const refused = { _tag: "RefuseRefund", refundId, calledAt, reason: outcome.reason, hasLooked } as const
    return (yield* move(state, refused)).state
  })

  /** Commits that one more call is about to be made, and makes it, unless the refund has ended meanwhile. */
  const callAgain = Effect.fnUntraced(function* (state: S, { order: { refundId } }: RefundUnderWay) {
    const called = yield* move(state, { _tag: "CallRefund", refundId })
    const found = underWay(called.state)
    const calledAt = found?.refund.unanswered?.at(-1)
    if (!called.isOurs || found === undefined || calledAt === undefined) return called.state
    return yield* call(called.state, found, calledAt)
  })

  /** Brings on a refund that may have been called for before: only one that the processor doesn't know is called for again. */
  const resume = Effect.fnUntraced(function* (state: S) {
    const found = underWay(state)
    if (found === undefined) return state
    const known = yield* processor.lookupRefund(found.order)
    const isLong = yield* hangs(found)
    if (known === undefined) return yield* callAgain(isLong ? yield* whenSilent(look(state), state) : state, found)
    if (known._tag === "Processing") return isLong ? yield* look(state) : state
    if (known._tag === "Rejected" && !(yield* lookFirst(state, found))) return state
    return yield* finish(state, found, known)
  })

  /** Brings on a refund that was just requested. While the processor is silent it stands as it was committed. */
  const begin = Effect.fnUntraced(function* ({ state, isOurs }: Moved<S>) {
    const found = underWay(state)
    if (found === undefined) return state
    const calledAt = isOurs ? firstCallAt(found.refund) : undefined
    const pursued = calledAt === undefined ? resume(state) : call(state, found, calledAt)
    return yield* whenSilent(pursued, state)
  })

  return { begin, resume }
}
