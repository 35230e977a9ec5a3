import * as Effect from "effect/Effect"
import { type Charge, isSettledBy } from "../../model/charge/Charge.ts"
import type { Return } from "../../model/charge/Payment.ts"
import type { PaymentNotice } from "../../model/charge/PaymentNotice.ts"
import { isExceptionRefund } from "../../model/charge/RefundId.ts"
import type { RefundCommand } from "../../model/charge/decideRefund.ts"
import type { ProcessorView, ReceivedPayment, RefundRejection } from "../../ports/PaymentProcessor.ts"
import type { ChargeMoves, CommitError, MoveError } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { makeExceptionMoves, makeListFurther } from "./ExceptionMoves.ts"
import type { ConfirmPayment } from "./confirmPayment.ts"
import { makeFindSpelled, spellView } from "./findReceivers.ts"

/** Records how money went back, or did not, with the charge or exception to which its payment belongs. */
const makeRecordReturn = (ports: ChargePorts, moves: ChargeMoves) => {
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

type ShownView = Pick<ProcessorView, "payments" | "returns">

/** Records what the processor knows: each payment and each return once, by the first report of it. */
export const makeApplyView = (ports: ChargePorts, moves: ChargeMoves, confirmation: ConfirmPayment) => {
  const { recordReturn, recordRejection } = makeRecordReturn(ports, moves)
  const { findId } = makeFindSpelled(ports.lists)
  const listFurther = makeListFurther(ports)

  /**
   * With the charge's payments in the books, where the view shows that its settling payment was returned as an exception: then
   * one of these has settled it.
   */
  const addFurther = Effect.fnUntraced(function* (charge: Charge, view: ShownView) {
    const isMistaken = view.returns.some((one) => isSettledBy(charge, one.endToEndId) && isExceptionRefund(one))
    if (!isMistaken) return view
    const isShown = ({ endToEndId }: PaymentNotice) => view.payments.some((one) => one.endToEndId === endToEndId)
    const further = (yield* listFurther(charge)).filter(({ payment }) => !isShown(payment))
    return {
      payments: [...view.payments, ...further.map(({ payment }) => payment)],
      returns: [...view.returns, ...further.flatMap(({ returns }) => returns)],
    }
  })

  /** A payment that is recorded for another charge, or company, stays there; the others are recorded all the same. */
  const recordShown = (
    charge: Charge,
    { payments, returns }: ShownView,
    refused: ReadonlyArray<string> = [],
  ): Effect.Effect<{ readonly charge: Charge; readonly refused: ReadonlyArray<string> }, CommitError> =>
    confirmation.confirm(charge, payments, returns).pipe(
      Effect.map((after) => ({ charge: after, refused })),
      Effect.catchTag("PaymentOfAnotherCharge", ({ endToEndId }) => {
        const others = payments.filter((payment) => payment.endToEndId !== endToEndId)
        return recordShown(charge, { payments: others, returns }, [...refused, endToEndId])
      }),
    )

  /** The view with the ids of its payments as the books have them. */
  const spellByBooks = Effect.fnUntraced(function* (charge: Charge, shown: ProcessorView) {
    let view = shown
    for (const payment of shown.payments) {
      const returns = shown.returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId)
      view = spellView(view, yield* findId({ ...payment, returns }, charge))
    }
    return view
  })

  const applyView = Effect.fnUntraced(function* (
    read: Charge,
    shown: ProcessorView,
  ): Effect.fn.Return<Charge, MoveError> {
    if (shown.payments.length === 0 && shown.returns.length === 0) return read
    const view = yield* spellByBooks(read, shown)
    // Not what was read before the processor answered: it may have moved since.
    return yield* applySpelled(yield* moves.load(read), view)
  })

  /** The same for a charge just read and a view with the books' ids, except that of a payment that has settled it meanwhile. */
  const applySpelled = Effect.fnUntraced(function* (
    found: Charge,
    shown: ShownView,
  ): Effect.fn.Return<Charge, MoveError> {
    const view = yield* addFurther(found, "payment" in found ? spellView(shown, found.payment.endToEndId) : shown)
    const { charge, refused } = yield* recordShown(found, view)
    for (const returned of view.returns) {
      // Of a payment that was refused here, what went back is in the books that have it.
      const among = refused.includes(returned.endToEndId) ? undefined : charge
      if (!isSettledBy(charge, returned.endToEndId)) yield* recordReturn(returned, among)
    }
    return charge
  })

  return { applyView, applySpelled, recordReturn, recordRejection }
}

/** Applying the processor's view, and recording single returns. */
export type ApplyView = ReturnType<typeof makeApplyView>
