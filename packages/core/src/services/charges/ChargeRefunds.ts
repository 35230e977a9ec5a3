import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Charge, findPart, keyCents, livePart, type SettledCharge } from "../../model/charge/Charge.ts"
import { type PartialRefund, partialRefundStatus } from "../../model/charge/PartialRefund.ts"
import type { PartialRefundRequest } from "../../model/charge/PartialRefundRequest.ts"
import { isSamePaymentId, type Payment, type Return } from "../../model/charge/Payment.ts"
import { chargeRefundId, isChargeRefund, partialRefundId } from "../../model/charge/Refund.ts"
import { ChargeNotPaid } from "../../model/charge/chargeErrors.ts"
import { type PartialRefundRefusal, requestPartialRefund } from "../../model/charge/decidePartialRefund.ts"
import { requestRefund } from "../../model/charge/decideRefund.ts"
import type { ChargeId, PaidCharge, RefundedCharge, RefundingCharge } from "../../model/charge/index.ts"
import { PartialRefundConflict, RefundRejected } from "../../model/charge/paymentErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import type { ProcessorView } from "../../ports/PaymentProcessor.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import { ChargeMoves, type MoveError } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { ExceptionMoves } from "./ExceptionMoves.ts"
import { isKeyOfAnother } from "./Receivers.ts"
import { noteReason, obstacleOfKey, RefundCalls, type RefundUnderWay } from "./RefundCalls.ts"
import { Booking } from "./Booking.ts"

type PaymentId = Pick<Payment, "endToEndId">

/** Ends the search if a bank claims to know every id (decision 31). */
const maxAttempts = 16

export type BegunRefund = RefundedCharge | RefundingCharge

/** A partial refund under way or complete, and its charge. */
export interface BegunPartialRefund {
  readonly charge: SettledCharge
  readonly partialRefund: PartialRefund
}

export type PartialRefundError = PartialRefundRefusal | RefundRejected | MoveError

const requireRefund = (charge: Charge): Effect.Effect<BegunRefund, RefundRejected | ChargeNotPaid> => {
  if (charge._tag === "Refunded" || charge._tag === "Refunding") return Effect.succeed(charge)
  const { issuer, id } = charge
  const failed = charge._tag === "Paid" ? charge.failedRefund : undefined
  return failed === undefined
    ? new ChargeNotPaid({ issuer, id })
    : new RefundRejected({ issuer, id, reason: Redacted.make(failed.rejection) })
}

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

const obstacleOfReturn = "a refund of this charge has returned another payment of it"

const underWay = (charge: Charge): RefundUnderWay | undefined => {
  if (charge._tag !== "Refunding" && charge._tag !== "Paid") return undefined
  const { payment } = charge
  if (charge._tag === "Refunding") return { payment, amountCents: payment.amountCents, refund: charge.refund }
  const part = livePart(charge)
  return part && { payment, amountCents: part.amountCents, refund: part.refund }
}

export class ChargeRefunds {
  readonly #ports: ChargePorts
  readonly #moves: ChargeMoves
  readonly #exceptions: ExceptionMoves
  readonly #booking: Booking
  readonly #calls: RefundCalls<Charge, MoveError>

  constructor(ports: ChargePorts) {
    const moves = new ChargeMoves(ports)
    this.#ports = ports
    this.#moves = moves
    this.#exceptions = new ExceptionMoves(ports)
    this.#booking = new Booking(ports)
    this.#calls = new RefundCalls<Charge, MoveError>(ports.processor, {
      underWay,
      move: (state, command) => moves.move(state, command),
      lookUpPayment: (state) => this.#lookUpPayment(state),
    })
  }

  readonly refund = Effect.fnUntraced({ self: this }, function* (issuer: Cnpj, id: ChargeId, reason?: string) {
    const audit = yield* ifNamed({ kind: "refundRequested", chargeId: id, ...noteReason(reason) } as const)
    const read = yield* this.#moves.load({ issuer, id })
    const requested = yield* this.#moves.move(read, requestRefund(reason), audit)
    return yield* requireRefund(yield* this.#calls.begin(requested))
  })

  resumeRefund(charge: RefundingCharge) {
    return Effect.flatMap(this.#calls.resume(charge), requireRefund)
  }

  readonly refundPart = Effect.fnUntraced(
    { self: this },
    function* (
      issuer: Cnpj,
      id: ChargeId,
      request: PartialRefundRequest,
    ): Effect.fn.Return<BegunPartialRefund, PartialRefundError> {
      const { key, amountCents, reason } = request
      const noted = { key, amountCents, ...noteReason(reason) }
      const requested = yield* this.#moves.moveBy(
        yield* this.#moves.load({ issuer, id }),
        (charge, now) => requestPartialRefund(charge, request, now),
        { audit: { kind: "partialRefundRequested", chargeId: id, ...noted } },
      )
      const isLive = livePart(requested.state)?.key === request.key
      const after = isLive ? yield* this.#calls.begin(requested) : requested.state
      return yield* requirePart(after, request)
    },
  )

  resumePartialRefund(charge: PaidCharge) {
    return this.#calls.resume(charge)
  }

  readonly #lookUpPayment = Effect.fnUntraced({ self: this }, function* (charge: Charge) {
    const shown = yield* this.#ports.processor.lookup(charge)
    const found = underWay(charge)
    const view = found ? yield* this.#findElsewhere(charge, found, shown) : shown
    const state = yield* this.#booking.applyView(charge, view)
    const payment = shown.payments.find((one) => isSettledBy(state, one))
    const obstacle = yield* this.#findObstacle(state, view, payment?.pixKey)
    return { state, isShown: payment !== undefined, obstacle }
  })

  readonly #findObstacle = Effect.fnUntraced(
    { self: this },
    function* (state: Charge, view: ProcessorView, key: string | undefined) {
      const { issuer } = state
      const { directory } = this.#ports
      const isOfAnother =
        view.isOfAnother === true ||
        (yield* isKeyOfAnother(directory, issuer, view.pixKey)) ||
        (yield* isKeyOfAnother(directory, issuer, key))
      if (isOfAnother) return obstacleOfKey
      const isElsewhere = view.returns.some((one) => isChargeRefund(one) && !isSettledBy(state, one))
      return isElsewhere ? obstacleOfReturn : undefined
    },
  )

  /** Restored books can have settled the charge with the wrong payment. */
  readonly #findElsewhere = Effect.fnUntraced(
    { self: this },
    function* (charge: Charge, found: RefundUnderWay, view: ProcessorView) {
      const { payments, returns } = view
      const isSettling = ({ endToEndId }: PaymentId) => isSamePaymentId(endToEndId, found.payment.endToEndId)
      const isShown = ({ endToEndId }: PaymentId) => payments.some((one) => isSamePaymentId(one.endToEndId, endToEndId))
      const isBack = ({ endToEndId }: PaymentId) =>
        returns.some((one) => isSamePaymentId(one.endToEndId, endToEndId) && isChargeRefund(one))
      const further = yield* this.#exceptions.listFurther(charge)
      const unshown = further.map(({ payment }) => payment).filter((payment) => !isShown(payment))
      const others = [...payments, ...unshown].filter((payment) => !isSettling(payment) && !isBack(payment))
      const key = livePart(charge)?.key
      const back = (yield* Effect.forEach(others, (payment) => this.#findReturn(payment, found, key))).flat()
      const added = unshown.filter(({ endToEndId }) => back.some((one) => one.endToEndId === endToEndId))
      return { ...view, payments: [...payments, ...added], returns: [...returns, ...back] }
    },
  )

  readonly #findReturn = Effect.fnUntraced(
    { self: this },
    function* (
      { issuer, endToEndId }: Pick<Payment, "issuer" | "endToEndId">,
      { amountCents }: RefundUnderWay,
      key: string | undefined,
    ): Effect.fn.Return<ReadonlyArray<Return>, ProcessorUnavailable> {
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const payment = { endToEndId }
        const id = key === undefined ? chargeRefundId(payment, attempt) : partialRefundId(payment, key, attempt)
        const known = yield* this.#ports.processor.lookupRefund({ issuer, endToEndId, amountCents, refundId: id })
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
    },
  )
}
