import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PaymentException } from "../rules/PaymentException.ts"
import type { ExceptionNotFound, ExceptionRefundRejected } from "../rules/paymentErrors.ts"
import type { StoreUnavailable, TooManyReports } from "../../ports/portErrors.ts"
import type { InvalidFilter } from "../../runtime/page/InvalidFilter.ts"
import type { Page, PageRequest } from "../../runtime/page/Page.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { ExceptionSearch } from "../../ports/ExceptionStore.ts"
import { chargePorts } from "../ChargePorts.ts"
import { storableText } from "../../runtime/storable/StorableText.ts"
import { type ExceptionMoveError, makeExceptionMoves } from "./ExceptionMoves.ts"
import { makeRefundException } from "./refundException.ts"

/**
 * Payments that settled no charge, and what is decided about them (decision 31). Every operation may be repeated without
 * harm. The `Reconciler` resumes refunds that have no answer. Every method fails with `StoreUnavailable`, the lists also with
 * `TooManyReports`; those that name a payment fail with `ExceptionNotFound` when it is no exception.
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
    /** The exceptions that wait for a decision or whose refund is under way, oldest first. */
    readonly list: (
      issuer: Cnpj,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentException>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** The exceptions whose payment was made within a period, in any state, newest payment first. */
    readonly search: (
      issuer: Cnpj,
      search: ExceptionSearch,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentException>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** One exception, in any state. */
    readonly find: (
      issuer: Cnpj,
      endToEndId: string,
    ) => Effect.Effect<PaymentException, ExceptionNotFound | StoreUnavailable>
    /**
     * Returns the whole payment; answers `Refunding` while the processor works on it. Fails with `ExceptionRefundRejected`
     * when the processor refuses, and with `ExceptionClosed` when it can't be returned any more. `reason` comes from `parseRefundReason`.
     */
    readonly refund: (
      issuer: Cnpj,
      endToEndId: string,
      reason?: string,
    ) => Effect.Effect<PaymentException, ExceptionMoveError | ExceptionRefundRejected>
    /** Keeps the payment and closes the exception, with a note that says why. Fails with `ExceptionClosed`. */
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
      const moves = makeExceptionMoves(ports)
      const { refund } = makeRefundException(moves, ports)
      return PaymentExceptions.of({
        list: exceptions.listOpen,
        search: exceptions.search,
        find: moves.load,
        refund,
        resolve: (issuer, endToEndId, note) =>
          moves.apply(issuer, endToEndId, { _tag: "Resolve", note: storableText(note) }),
      })
    }),
  )
}
