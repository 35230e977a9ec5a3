import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Payment } from "../../model/charge/Payment.ts"
import {
  type FinalRefundOutcome,
  firstCallAt,
  isRequestedAgain,
  type Refund,
  unansweredForMs,
} from "../../model/charge/Refund.ts"
import type { CallRefund, RefundCommand } from "../../model/charge/decideRefund.ts"
import type { Cents } from "../../model/money/Money.ts"
import type { PaymentProcessor, RefundOrder } from "../../ports/PaymentProcessor.ts"
import type { ProcessorUnavailable } from "../../ports/portErrors.ts"
import { hasTag } from "../../runtime/error.ts"
import type { Moved } from "./moveUntilCommitted.ts"

/** The audit log never has the reason itself: a reason can name a payer, and an erasure can't change a record. */
export const noteReason = (reason: string | undefined): { readonly hasReason?: true } =>
  reason === undefined ? {} : { hasReason: true }

export const obstacleOfKey = "the bank shows another company's key"

export interface RefundUnderWay {
  readonly payment: Payment
  readonly amountCents: Cents
  readonly refund: Refund
}

export interface SeenPayment<S> {
  readonly state: S
  readonly isShown: boolean
  readonly obstacle?: string | undefined
}

export interface RefundOwner<S, E> {
  readonly underWay: (state: S) => RefundUnderWay | undefined
  /** Applies a command to `state`, or to the stored state if that has moved meanwhile. */
  readonly move: (state: S, command: RefundCommand) => Effect.Effect<Moved<S>, E>
  readonly lookUpPayment: (state: S) => Effect.Effect<SeenPayment<S>, E | ProcessorUnavailable>
}

const whenUnavailable = <A, E>(call: Effect.Effect<A, E | ProcessorUnavailable>, otherwise: A): Effect.Effect<A, E> =>
  Effect.catch(call, (error) =>
    hasTag<ProcessorUnavailable>(error, "ProcessorUnavailable") ? Effect.succeed(otherwise) : Effect.fail(error),
  )

const refundOrder = ({ payment, amountCents, refund }: RefundUnderWay): RefundOrder => {
  const { issuer, endToEndId } = payment
  const { id: refundId, reason } = refund
  return { issuer, endToEndId, amountCents, refundId, ...(reason !== undefined && { reason }) }
}

const isOverdue = ({ refund }: RefundUnderWay) =>
  Effect.map(Clock.currentTimeMillis, (now) => now - refund.requestedAt >= unansweredForMs)

/** Each call is committed first: a crash can't lose one, and any number of processes can call. */
export class RefundCalls<S, E> {
  readonly #processor: PaymentProcessor["Service"]
  readonly #owner: RefundOwner<S, E>

  constructor(processor: PaymentProcessor["Service"], owner: RefundOwner<S, E>) {
    this.#processor = processor
    this.#owner = owner
  }

  readonly begin = Effect.fnUntraced({ self: this }, function* ({ state, isOurs }: Moved<S>) {
    const found = this.#owner.underWay(state)
    if (found === undefined) return state
    const calledAt = isOurs ? firstCallAt(found.refund) : undefined
    const call = calledAt === undefined ? this.resume(state) : this.#callFirst(state, found, calledAt)
    return yield* whenUnavailable(call, state)
  })

  /**
   * Requests the refund again only if the processor doesn't know it. Begins the next attempt only if the processor and the books
   * both have the last attempt as refused.
   */
  readonly resume = Effect.fnUntraced({ self: this }, function* (state: S): Effect.fn.Return<
    S,
    E | ProcessorUnavailable
  > {
    const { underWay, lookUpPayment } = this.#owner
    const found = underWay(state)
    if (found === undefined) return state
    const known = yield* this.#processor.lookupRefund(refundOrder(found))
    if (known === undefined) return yield* this.#callAgain(state, found)
    if (known._tag === "Processing") return (yield* isOverdue(found)) ? (yield* lookUpPayment(state)).state : state
    if (known._tag === "Rejected") {
      if (isRequestedAgain(found.refund)) return yield* this.#callAgain(state, found, { isRefused: true })
      if (!(yield* this.#hasSeenPayment(state, found))) return state
    }
    return yield* this.#finish(state, found, known)
  })

  readonly #callFirst = Effect.fnUntraced(
    { self: this },
    function* (read: S, begun: RefundUnderWay, calledAt: number): Effect.fn.Return<S, E | ProcessorUnavailable> {
      const seen = yield* this.#lookBefore(read, begun)
      const found = this.#owner.underWay(seen.state)
      return found?.refund.id === begun.refund.id ? yield* this.#call(seen, found, calledAt) : seen.state
    },
  )

  readonly #callAgain = Effect.fnUntraced(
    { self: this },
    function* (
      read: S,
      before: RefundUnderWay,
      how?: Pick<CallRefund, "isRefused">,
    ): Effect.fn.Return<S, E | ProcessorUnavailable> {
      const { underWay, move } = this.#owner
      const seen = yield* this.#lookBefore(read, before)
      const called = yield* move(seen.state, { _tag: "CallRefund", refundId: before.refund.id, ...how })
      const found = underWay(called.state)
      const calledAt = found?.refund.unanswered?.at(-1)
      if (!called.isOurs || found === undefined || calledAt === undefined) return called.state
      return yield* this.#call({ ...seen, state: called.state }, found, calledAt)
    },
  )

  readonly #call = Effect.fnUntraced(
    { self: this },
    function* (
      { state, obstacle }: SeenPayment<S>,
      found: RefundUnderWay,
      calledAt: number,
    ): Effect.fn.Return<S, E | ProcessorUnavailable> {
      const refuse = (reason: string, hasLooked: boolean) =>
        this.#commit(state, { _tag: "RefuseRefund", refundId: found.refund.id, calledAt, reason, hasLooked })
      if (obstacle !== undefined) return yield* refuse(obstacle, true)
      const answer = yield* this.#processor.refund(refundOrder(found))
      const recorded = answer._tag === "Rejected" ? yield* this.#findRecordedOutcome(found) : undefined
      const outcome = recorded ?? answer
      if (outcome._tag === "Processing") return state
      if (outcome._tag === "Returned") return yield* this.#finish(state, found, outcome)
      const hasLooked = yield* this.#hasSeenPayment(state, found)
      if (recorded !== undefined && hasLooked) return yield* this.#finish(state, found, outcome)
      return yield* refuse(outcome.reason, hasLooked)
    },
  )

  #finish(state: S, { refund, amountCents: requestedCents }: RefundUnderWay, outcome: FinalRefundOutcome) {
    const returned = outcome._tag === "Returned" ? outcome.amountCents : undefined
    return this.#commit(state, {
      _tag: "FinishRefund",
      refundId: refund.id,
      amountCents: returned ?? requestedCents,
      outcome,
    })
  }

  #commit(state: S, command: RefundCommand): Effect.Effect<S, E> {
    return Effect.map(this.#owner.move(state, command), (moved) => moved.state)
  }

  /**
   * Looks up the payment before a call, because restored books can lack a return, and the payment can belong to another company.
   * After an hour without an answer, the call is made anyway.
   */
  readonly #lookBefore = Effect.fnUntraced(
    { self: this },
    function* (state: S, found: RefundUnderWay): Effect.fn.Return<SeenPayment<S>, E | ProcessorUnavailable> {
      if (yield* isOverdue(found)) return yield* this.#seePayment(state)
      if (this.#processor.locality === "remote") return yield* this.#owner.lookUpPayment(state)
      return { state, isShown: false }
    },
  )

  /** A refusal counts once the processor has shown the payment, or after an hour. */
  readonly #hasSeenPayment = Effect.fnUntraced({ self: this }, function* (state: S, found: RefundUnderWay) {
    return (yield* this.#seePayment(state)).isShown || (yield* isOverdue(found))
  })

  #seePayment(state: S): Effect.Effect<SeenPayment<S>, E> {
    return whenUnavailable(this.#owner.lookUpPayment(state), { state, isShown: false })
  }

  #findRecordedOutcome(found: RefundUnderWay) {
    return (found.refund.unanswered ?? []).length > 1
      ? whenUnavailable(this.#processor.lookupRefund(refundOrder(found)), undefined)
      : Effect.succeed(undefined)
  }
}
