import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { isSamePaymentId } from "../../model/charge/Payment.ts"
import type { PaymentException } from "../../model/charge/PaymentException.ts"
import { requestRefund } from "../../model/charge/decideRefund.ts"
import { wasException } from "../../model/charge/decideView.ts"
import type { Payment, Return } from "../../model/charge/index.ts"
import { type ExceptionNotFound, ExceptionRefundRejected } from "../../model/charge/paymentErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ExceptionSearch } from "../../ports/ExceptionStore.ts"
import { ProcessorUnavailable, type StoreUnavailable, type TooManyReports } from "../../ports/portErrors.ts"
import type { InvalidFilter, Page, PageRequest } from "../../runtime/page.ts"
import { storableText } from "../../runtime/storable.ts"
import { type ChargePorts, chargePorts } from "./ChargePorts.ts"
import { type ExceptionMoveError, ExceptionMoves, type ExceptionPorts } from "./ExceptionMoves.ts"
import { spellReceived, spellView } from "./PaymentIds.ts"
import { isKeyOfAnother } from "./Receivers.ts"
import { obstacleOfKey, RefundCalls } from "./RefundCalls.ts"

/** Some processors keep times in whole seconds. */
const marginMs = 1_000
/** Ends the search if a processor ignores the cursor. */
const maxPages = 100

const obstacleOfCharge = "another payment of its charge was returned as an exception"

interface ShownPayment {
  readonly isShown: boolean
  /** The processor's charge under the txid isn't ours. */
  readonly isOfAnother?: boolean
  /** The settling payment was returned as an exception: this payment may have settled the charge. */
  readonly mayHaveSettled?: boolean
  readonly returns: ReadonlyArray<Return>
  readonly chargeKey?: string | undefined
  readonly pixKey?: string | undefined
}

/**
 * Payments that settled no charge, and decisions about them (decision 31). Every operation can be repeated safely. The
 * `Reconciler` resumes unanswered refunds. Every method fails with `StoreUnavailable`, lists also with `TooManyReports`; methods
 * that name a payment fail with `ExceptionNotFound` if it is no exception.
 *
 * @example
 * ```ts
 * import { PaymentExceptions } from "@pixcharge/core"
 * import type { Cnpj } from "@pixcharge/core/party"
 * import * as Effect from "effect/Effect"
 *
 * const refundOldest = (issuer: Cnpj) =>
 *   Effect.gen(function* () {
 *     const exceptions = yield* PaymentExceptions
 *     const [oldest] = (yield* exceptions.list(issuer, { limit: 1 })).items
 *     return oldest && (yield* exceptions.refund(issuer, oldest.payment.endToEndId))
 *   })
 * ```
 */
export class PaymentExceptions extends Context.Service<
  PaymentExceptions,
  {
    /** Exceptions that wait for a decision or are being refunded, oldest first. */
    readonly list: (
      issuer: Cnpj,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentException>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Exceptions in any state, by the period of their payment, newest payment first. */
    readonly search: (
      issuer: Cnpj,
      search: ExceptionSearch,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentException>, StoreUnavailable | InvalidFilter | TooManyReports>
    readonly find: (
      issuer: Cnpj,
      endToEndId: string,
    ) => Effect.Effect<PaymentException, ExceptionNotFound | StoreUnavailable>
    /**
     * Refunds the whole payment; `Refunding` while the processor works on it. Fails with `ExceptionRefundRejected` if the
     * processor refuses, and with `ExceptionClosed` if it can't be refunded any more. `reason` comes from `parseRefundReason`.
     */
    readonly refund: (
      issuer: Cnpj,
      endToEndId: string,
      reason?: string,
    ) => Effect.Effect<PaymentException, ExceptionMoveError | ExceptionRefundRejected>
    /** Keeps the payment and closes the exception with a note. Fails with `ExceptionClosed`. */
    readonly resolve: (
      issuer: Cnpj,
      endToEndId: string,
      note: string,
    ) => Effect.Effect<PaymentException, ExceptionMoveError>
  }
>()("@pixcharge/core/charges/exceptions/PaymentExceptions") {
  static readonly layer = Layer.effect(
    PaymentExceptions,
    Effect.gen(function* () {
      const ports = yield* chargePorts
      const { exceptions } = ports
      const moves = new ExceptionMoves(ports)
      const refunds = new ExceptionRefunds(ports)
      return PaymentExceptions.of({
        list: exceptions.listOpen,
        search: exceptions.search,
        find: moves.load,
        refund: refunds.refund,
        resolve: (issuer, endToEndId, note) =>
          moves.apply(issuer, endToEndId, { _tag: "Resolve", note: storableText(note) }),
      })
    }),
  )
}

type RefundPorts = ExceptionPorts & Pick<ChargePorts, "processor" | "store" | "directory">

export class ExceptionRefunds {
  readonly #ports: RefundPorts
  readonly #moves: ExceptionMoves
  readonly #calls: RefundCalls<PaymentException, ExceptionMoveError>

  constructor(ports: RefundPorts) {
    const moves = new ExceptionMoves(ports)
    this.#ports = ports
    this.#moves = moves
    this.#calls = new RefundCalls<PaymentException, ExceptionMoveError>(ports.processor, {
      underWay: ({ payment, state }) =>
        state._tag === "Refunding" ? { payment, amountCents: payment.amountCents, refund: state.refund } : undefined,
      move: ({ payment: { issuer, endToEndId } }, command) => moves.move(issuer, endToEndId, command),
      lookUpPayment: ({ payment }) => this.#lookUpPayment(payment),
    })
  }

  readonly refund = Effect.fnUntraced({ self: this }, function* (issuer: Cnpj, endToEndId: string, given?: string) {
    const after = yield* this.#calls.begin(yield* this.#moves.move(issuer, endToEndId, requestRefund(given)))
    if (after.state._tag !== "Open") return after
    const reason = after.state.failedRefund?.rejection ?? ""
    return yield* new ExceptionRefundRejected({ issuer, endToEndId, reason: Redacted.make(reason) })
  })

  resume(exception: PaymentException) {
    return this.#calls.resume(exception)
  }

  readonly #lookUpPayment = Effect.fnUntraced({ self: this }, function* (payment: Payment) {
    const { issuer, endToEndId } = payment
    const { directory } = this.#ports
    const { isShown, returns, chargeKey, pixKey, ...shown } = yield* this.#findShown(payment)
    for (const returned of returns) {
      yield* this.#moves.apply(issuer, endToEndId, { _tag: "RecordReturn", returned })
    }
    const isOfAnother =
      shown.isOfAnother === true ||
      (yield* isKeyOfAnother(directory, issuer, chargeKey)) ||
      (yield* isKeyOfAnother(directory, issuer, pixKey))
    const obstacle = isOfAnother ? obstacleOfKey : shown.mayHaveSettled === true ? obstacleOfCharge : undefined
    return { state: yield* this.#moves.load(issuer, endToEndId), isShown, obstacle }
  })

  /** Looks the charge up first, because lists needn't show debits. */
  readonly #findShown = Effect.fnUntraced({ self: this }, function* (payment: Payment) {
    const { issuer, chargeId, endToEndId } = payment
    const { processor, store } = this.#ports
    const charge = chargeId && (yield* store.find(issuer, chargeId))
    if (charge === undefined) return yield* this.#findListed(payment)
    const view = spellView(yield* processor.lookup(charge), endToEndId)
    const found = view.payments.find((one) => one.endToEndId === endToEndId)
    const returns = view.returns.filter((one) => one.endToEndId === endToEndId)
    const shown = found ? { isShown: true, returns, pixKey: found.pixKey } : yield* this.#findListed(payment)
    const isUnended = charge._tag === "Paid" || charge._tag === "Refunding"
    const mayHaveSettled = isUnended && wasException(charge.payment, spellView(view, charge.payment.endToEndId).returns)
    return { ...shown, isOfAnother: view.isOfAnother === true, chargeKey: view.pixKey, mayHaveSettled }
  })

  readonly #findListed = Effect.fnUntraced(
    { self: this },
    function* ({ issuer, endToEndId, paidAt }: Payment): Effect.fn.Return<ShownPayment, ProcessorUnavailable> {
      const moment = { from: paidAt - marginMs, until: paidAt + marginMs }
      let cursor: string | undefined
      for (let page = 0; page < maxPages; page++) {
        const { items, cursor: next } = yield* this.#ports.processor.payments(issuer, moment, cursor)
        const found = items.find((payment) => isSamePaymentId(payment.endToEndId, endToEndId))
        if (found !== undefined) {
          return { isShown: true, returns: spellReceived(found, endToEndId).returns, pixKey: found.pixKey }
        }
        if (next === undefined) return { isShown: false, returns: [] }
        cursor = next
      }
      return yield* new ProcessorUnavailable({ operation: "payments", cause: `a list of more than ${maxPages} pages` })
    },
  )
}
