import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Charge, findPart, keyCents, livePart, type SettledCharge } from "../../model/charge/Charge.ts"
import { type PartialRefund, partialRefundStatus } from "../../model/charge/PartialRefund.ts"
import type { PartialRefundRequest } from "../../model/charge/PartialRefundRequest.ts"
import { isSamePaymentId, type Payment, type Return } from "../../model/charge/Payment.ts"
import { chargeRefundId, isChargeRefund, partialRefundId } from "../../model/charge/RefundId.ts"
import { ChargeNotPaid } from "../../model/charge/chargeErrors.ts"
import { type PartialRefundRefusal, requestPartialRefund } from "../../model/charge/decidePartialRefund.ts"
import { requestRefund } from "../../model/charge/decideRefund.ts"
import type { ChargeId, PaidCharge, RefundedCharge, RefundingCharge } from "../../model/charge/index.ts"
import { PartialRefundConflict, RefundRejected } from "../../model/charge/paymentErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import type { ProcessorView } from "../../ports/PaymentProcessor.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import type { ChargeMoves, MoveError } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { makeListFurther } from "./ExceptionMoves.ts"
import { makePursueRefund, noteReason, obstacleOfKey, type RefundUnderWay } from "./callRefund.ts"
import { makeIsKeyOfAnother } from "./findReceivers.ts"

type PaymentId = Pick<Payment, "endToEndId">

/** More attempts than a refund has; a bank that knows every id is not asked for ever (decision 31). */
const maxAttempts = 16

/**
 * Finds what went back of a charge's other payments by this very refund, or by that of the part that it returns, and adds it to the
 * view, with its payment. Restored books may have settled the charge by the wrong one of two payments; a bank may show a payment
 * before it shows what went back of it, and one payment of two. Asks the bank nothing where the charge has one payment.
 */
const makeFindElsewhere = ({ processor, exceptions }: Pick<ChargePorts, "processor" | "exceptions">) => {
  const listFurther = makeListFurther({ exceptions })

  const findReturn = Effect.fnUntraced(function* (
    { issuer, endToEndId }: Pick<Payment, "issuer" | "endToEndId">,
    { amountCents }: RefundUnderWay,
    key: string | undefined,
  ): Effect.fn.Return<ReadonlyArray<Return>, ProcessorUnavailable> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const payment = { endToEndId }
      const id = key === undefined ? chargeRefundId(payment, attempt) : partialRefundId(payment, key, attempt)
      const known = yield* processor.lookupRefund({ issuer, endToEndId, amountCents, refundId: id })
      if (known?._tag === "Processing") {
        return yield* new ProcessorUnavailable({ operation: "lookupRefund", cause: "it returns another payment now" })
      }
      if (known?._tag === "Returned") {
        const { returnedAt, amountCents: back = amountCents } = known
        return [{ issuer, id, endToEndId, kind: "refund", amountCents: back, returnedAt }]
      }
      if (known === undefined) return []
    }
    return []
  })

  return Effect.fnUntraced(function* (charge: Charge, found: RefundUnderWay, view: ProcessorView) {
    const { payments, returns } = view
    const isSettling = ({ endToEndId }: PaymentId) => isSamePaymentId(endToEndId, found.payment.endToEndId)
    const isShown = ({ endToEndId }: PaymentId) => payments.some((one) => isSamePaymentId(one.endToEndId, endToEndId))
    const isBack = ({ endToEndId }: PaymentId) =>
      returns.some((one) => isSamePaymentId(one.endToEndId, endToEndId) && isChargeRefund(one))
    const unshown = (yield* listFurther(charge)).map(({ payment }) => payment).filter((payment) => !isShown(payment))
    const others = [...payments, ...unshown].filter((payment) => !isSettling(payment) && !isBack(payment))
    const key = livePart(charge)?.key
    const back = (yield* Effect.forEach(others, (payment) => findReturn(payment, found, key))).flat()
    const added = unshown.filter(({ endToEndId }) => back.some((one) => one.endToEndId === endToEndId))
    return { ...view, payments: [...payments, ...added], returns: [...returns, ...back] }
  })
}

/** A charge whose refund has begun, or has returned the money. */
export type BegunRefund = RefundedCharge | RefundingCharge

/** A partial refund that has begun, or has returned the money, and its charge. */
export interface BegunPartialRefund {
  readonly charge: SettledCharge
  readonly partialRefund: PartialRefund
}

/** How asking for a partial refund can fail. */
export type PartialRefundError = PartialRefundRefusal | RefundRejected | MoveError

/** The charge, if its refund has begun; otherwise why not. */
const requireRefund = (charge: Charge): Effect.Effect<BegunRefund, RefundRejected | ChargeNotPaid> => {
  if (charge._tag === "Refunded" || charge._tag === "Refunding") return Effect.succeed(charge)
  const { issuer, id } = charge
  const failed = charge._tag === "Paid" ? charge.failedRefund : undefined
  return failed === undefined
    ? new ChargeNotPaid({ issuer, id })
    : new RefundRejected({ issuer, id, reason: Redacted.make(failed.rejection) })
}

/** The requested partial refund, if it has begun; otherwise why not. */
const requirePart = (
  charge: Charge,
  { key, amountCents }: PartialRefundRequest,
): Effect.Effect<BegunPartialRefund, RefundRejected | ChargeNotPaid | PartialRefundConflict> => {
  const { issuer, id } = charge
  const partialRefund = findPart(charge, key)
  if (!("payment" in charge) || partialRefund === undefined) return new ChargeNotPaid({ issuer, id })
  // The processor has reported another amount meanwhile.
  if (keyCents(charge, key) !== amountCents) return new PartialRefundConflict({ issuer, id, key })
  return partialRefundStatus(partialRefund, charge.returns) === "failed"
    ? new RefundRejected({ issuer, id, reason: Redacted.make(partialRefund.rejection ?? "") })
    : Effect.succeed({ charge, partialRefund })
}

const isSettledBy = (charge: Charge, { endToEndId }: Pick<Payment, "endToEndId">): boolean =>
  "payment" in charge && isSamePaymentId(charge.payment.endToEndId, endToEndId)

/** Why a refund isn't ordered that returned another payment of the charge, where the books can't settle the charge by that one. */
const obstacleOfReturn = "a refund of this charge has returned another payment of it"

/** The refund of a charge that is under way, of all that was paid or of a part: one at a time. */
const underWay = (charge: Charge): RefundUnderWay | undefined => {
  if (charge._tag !== "Refunding" && charge._tag !== "Paid") return undefined
  const { payment } = charge
  if (charge._tag === "Refunding") return { payment, amountCents: payment.amountCents, refund: charge.refund }
  const part = livePart(charge)
  return part && { payment, amountCents: part.amountCents, refund: part.refund }
}

/** Refunds of charges. */
export const makeRefundCharge = (
  moves: ChargeMoves,
  { processor, directory, exceptions }: Pick<ChargePorts, "processor" | "directory" | "exceptions">,
  applyView: (charge: Charge, view: ProcessorView) => Effect.Effect<Charge, MoveError>,
) => {
  const isKeyOfAnother = makeIsKeyOfAnother({ directory })
  const findElsewhere = makeFindElsewhere({ processor, exceptions })

  const findObstacle = Effect.fnUntraced(function* (state: Charge, view: ProcessorView, key: string | undefined) {
    const { issuer } = state
    const isOfAnother =
      view.isOfAnother === true || (yield* isKeyOfAnother(issuer, view.pixKey)) || (yield* isKeyOfAnother(issuer, key))
    if (isOfAnother) return obstacleOfKey
    const isElsewhere = view.returns.some((one) => isChargeRefund(one) && !isSettledBy(state, one))
    return isElsewhere ? obstacleOfReturn : undefined
  })

  const lookUpPayment = Effect.fnUntraced(function* (charge: Charge) {
    const shown = yield* processor.lookup(charge)
    const found = underWay(charge)
    const view = found ? yield* findElsewhere(charge, found, shown) : shown
    const state = yield* applyView(charge, view)
    const payment = shown.payments.find((one) => isSettledBy(state, one))
    return { state, isShown: payment !== undefined, obstacle: yield* findObstacle(state, view, payment?.pixKey) }
  })

  const pursue = makePursueRefund<Charge, MoveError>(processor, {
    underWay,
    move: moves.move,
    lookUpPayment,
  })

  const refund = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId, reason?: string) {
    const audit = yield* ifNamed({ kind: "refundRequested", chargeId: id, ...noteReason(reason) } as const)
    const requested = yield* moves.move(yield* moves.load({ issuer, id }), requestRefund(reason), audit)
    return yield* requireRefund(yield* pursue.begin(requested))
  })

  const resumeRefund = (charge: RefundingCharge) => Effect.flatMap(pursue.resume(charge), requireRefund)

  const refundPart = Effect.fnUntraced(function* (
    issuer: Cnpj,
    id: ChargeId,
    request: PartialRefundRequest,
  ): Effect.fn.Return<BegunPartialRefund, PartialRefundError> {
    const { key, amountCents, reason } = request
    const noted = { key, amountCents, ...noteReason(reason) }
    const requested = yield* moves.moveBy(
      yield* moves.load({ issuer, id }),
      (charge, now) => requestPartialRefund(charge, request, now),
      { audit: { kind: "partialRefundRequested", chargeId: id, ...noted } },
    )
    const isLive = livePart(requested.state)?.key === request.key
    const after = isLive ? yield* pursue.begin(requested) : requested.state
    return yield* requirePart(after, request)
  })

  const resumePartialRefund = (charge: PaidCharge) => pursue.resume(charge)

  return { refund, resumeRefund, refundPart, resumePartialRefund }
}
