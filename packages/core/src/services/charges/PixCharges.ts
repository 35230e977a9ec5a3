import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import type { CancelledCharge, Charge } from "../../model/charge/Charge.ts"
import type { ChargeChange } from "../../model/charge/ChargeChange.ts"
import type { ChargeId } from "../../model/charge/ChargeId.ts"
import type { ChargeRequest } from "../../model/charge/ChargeRequest.ts"
import type { IssuedCharge, RepeatRefusal } from "../../model/charge/Issue.ts"
import type { PartialRefundRequest } from "../../model/charge/PartialRefundRequest.ts"
import type { PaymentNotice } from "../../model/charge/PaymentNotice.ts"
import type { ChangeRejected } from "../../model/charge/changeErrors.ts"
import type { ChangeRefusal } from "../../model/charge/requestChange.ts"
import type { ChargeNotFound, DueDateOutOfRange, IssuerNotEligible } from "../../model/charge/chargeErrors.ts"
import type { PaymentOfAnotherCompany, PaymentUnmatched, RefundRejected } from "../../model/charge/paymentErrors.ts"
import type { CancelTooLate } from "../../model/cycle/Debit.ts"
import type { CompanyNotFound, DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import type { InvalidFees } from "../../model/money/Fees.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ProcessorRejected, ProcessorUnavailable, StoreUnavailable } from "../../ports/portErrors.ts"
import { storableNotice } from "../../ports/storableProcessor.ts"
import { isTraced, safeSpan } from "../../runtime/telemetry.ts"
import { Bookkeeping } from "./Bookkeeping.ts"
import { Cancelling } from "./Cancelling.ts"
import { type ChangedTerms, Changing } from "./Changing.ts"
import { ChargeMoves, type MoveError } from "./ChargeMoves.ts"
import { chargePorts } from "./ChargePorts.ts"
import { type BegunPartialRefund, type BegunRefund, ChargeRefunds, type PartialRefundError } from "./ChargeRefunds.ts"
import type { Attempts } from "./IssueRun.ts"
import { Issuing } from "./Issuing.ts"
import { type IssueResult, makeIssueMany } from "./issueMany.ts"
import { Booking } from "./Booking.ts"

export type IssueError =
  | RepeatRefusal
  | CompanyNotFound
  | IssuerNotEligible
  | DueDateOutOfRange
  | InvalidFees
  | ProcessorUnavailable
  | ProcessorRejected
  | StoreUnavailable
  | DirectoryUnavailable

export type ChangeError =
  | ChangeRefusal
  | ChangeRejected
  | MoveError
  | CompanyNotFound
  | ProcessorUnavailable
  | ProcessorRejected

/**
 * Issues, changes, refunds and cancels charges. Every operation can be repeated safely and reaches only charges of its `issuer`. Every
 * method fails with `StoreUnavailable`, and a method that publishes an event with `DirectoryUnavailable`; repeat the same call to
 * resume.
 *
 * @example
 * ```ts
 * import { PixCharges } from "@pixcharge/core"
 * import { parseChargeRequest } from "@pixcharge/core/charges"
 * import type { Cnpj } from "@pixcharge/core/party"
 * import * as Effect from "effect/Effect"
 *
 * const issue = (issuer: Cnpj) =>
 *   Effect.gen(function* () {
 *     const charges = yield* PixCharges
 *     const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"
 *     const request = yield* Effect.fromResult(parseChargeRequest({ id, amountCents: 1990 }))
 *     return (yield* charges.issue(issuer, request)).brCode
 *   })
 * ```
 */
export class PixCharges extends Context.Service<
  PixCharges,
  {
    /**
     * Issues a charge; a repeated request returns the first one (decision 11). Fails with `ChargeConflict` if the id has other
     * terms; with `ChargeExpired`, `ChargeCancelled`, `ChargeRefunding` or `ChargeRefunded` if the charge can't be paid any more;
     * with `CompanyNotFound`, `IssuerNotEligible`, `DueDateOutOfRange` or `InvalidFees` if the company can't issue it; and with
     * `ProcessorUnavailable` or `ProcessorRejected` if the processor doesn't answer or refuses.
     */
    readonly issue: (issuer: Cnpj, request: ChargeRequest) => Effect.Effect<IssuedCharge, IssueError>
    /**
     * Issues requests; the results come in order of completion, with the charge or the error of `read` or `issue`. At most 100
     * are in memory. `ProcessorUnavailable`, `StoreUnavailable` and `DirectoryUnavailable` are tried again for three minutes, and
     * fail the stream if no request was answered meanwhile. `CompanyNotFound`, `IssuerNotEligible`, `ProcessorRejected` of status
     * 401 or 403, the source and `stop` fail it once the requests under way are answered. An interruption waits for these.
     */
    readonly issueMany: <Request, E, SourceError, R, StopError = never>(
      issuer: Cnpj,
      requests: Stream.Stream<Request, SourceError, R>,
      read: (request: Request) => Effect.Effect<ChargeRequest, E>,
      stop?: Effect.Effect<never, StopError>,
    ) => Stream.Stream<IssueResult<Request, IssuedCharge, IssueError | E>, IssueError | E | SourceError | StopError, R>
    /**
     * Changes the terms of an open charge; fields that `change` doesn't name stay. Succeeds once the processor has the new terms. A
     * repeated key with the same fields is the same change, at any time. Fails with `ChangeRejected` if the processor
     * refuses; with `ChangeUnderWay` while another change can still succeed; with `ChangeConflict` if the key has other fields;
     * with `ChargeNotChangeable`; with `InvalidChargeChange` or `InvalidChargeRequest`; with `ChargeAlreadyPaid` or the errors of
     * `issue`; and with `ProcessorUnavailable`, after which the charge's next check sends it again (decision 64).
     */
    readonly change: (issuer: Cnpj, id: ChargeId, change: ChargeChange) => Effect.Effect<ChangedTerms, ChangeError>
    /** Fails with `ChargeNotFound`. */
    readonly find: (issuer: Cnpj, id: ChargeId) => Effect.Effect<Charge, ChargeNotFound | StoreUnavailable>
    /**
     * Records a payment that settles its charge or becomes an exception (decision 31). Fails with `PaymentUnmatched` after
     * recording a payment of no known charge, and with `PaymentOfAnotherCharge` or `PaymentOfAnotherCompany`.
     */
    readonly confirmPayment: (
      notice: PaymentNotice,
    ) => Effect.Effect<Charge, MoveError | PaymentUnmatched | PaymentOfAnotherCompany>
    /**
     * Refunds a paid charge in full; `Refunding` while the processor works on it (decision 18). Fails with `RefundRejected` if
     * the processor refuses, and with `ChargeNotPaid`, `ChargeCancelled`, `ChargePartlyReturned` or `RefundWindowClosed`.
     * `reason` comes from `parseRefundReason`; the first request's reason counts.
     */
    readonly refund: (
      issuer: Cnpj,
      id: ChargeId,
      reason?: string,
    ) => Effect.Effect<BegunRefund, MoveError | RefundRejected>
    /**
     * Refunds a part of a paid charge, which stays paid until all is returned; `refunding` while the processor works on it. A
     * repeated key with the same cents is the same refund, in any state. Fails with `PartialRefundConflict` if the key has other
     * cents; with `PartialRefundUnderWay` or `ChargeRefunding` while another refund can still return money; with
     * `RefundExceedsRest`, `RefundWindowClosed`, `ChargeNotPaid` or `ChargeCancelled`; and with `RefundRejected` if the processor
     * refuses (decision 50).
     */
    readonly refundPart: (
      issuer: Cnpj,
      id: ChargeId,
      request: PartialRefundRequest,
    ) => Effect.Effect<BegunPartialRefund, PartialRefundError>
    /**
     * Cancels an unpaid charge, at the processor first. Fails with `ChargeNotFound`, `ChargeAlreadyPaid`, `ProcessorUnavailable`
     * or `ProcessorRejected`, and with `CancelTooLate` if the debit of a cycle's charge is due.
     */
    readonly cancel: (
      issuer: Cnpj,
      id: ChargeId,
    ) => Effect.Effect<CancelledCharge, MoveError | CancelTooLate | ProcessorUnavailable | ProcessorRejected>
  }
>()("@pixcharge/core/charges/PixCharges") {
  /** Also provides the `Bookkeeping` of the same books. */
  static readonly layer = Layer.effect(
    PixCharges,
    Effect.gen(function* () {
      const ports = yield* chargePorts
      const moves = new ChargeMoves(ports)
      const issuing = new Issuing(ports)
      const changing = new Changing(ports)
      const cancelling = new Cancelling(ports)
      const booking = new Booking(ports)
      const refunds = new ChargeRefunds(ports)
      const issue = tracedCall("pix.charge.issue", issuing.issue)
      const attempts: Attempts = yield* FiberSet.make()
      yield* Effect.addFinalizer(() =>
        Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(attempts)), drainMs),
      )
      return PixCharges.of({
        issue,
        issueMany: makeIssueMany(issue, attempts),
        change: (issuer, id, change) =>
          safeSpan("pix.charge.change", { issuer, "charge.id": id })(changing.change(issuer, id, change)),
        find: tracedCall("pix.charge.find", (issuer, id: ChargeId) => moves.load({ issuer, id })),
        cancel: tracedCall("pix.charge.cancel", cancelling.cancel),
        refund: (issuer, id, reason) =>
          safeSpan("pix.charge.refund", { issuer, "charge.id": id })(refunds.refund(issuer, id, reason)),
        refundPart: (issuer, id, request) =>
          safeSpan("pix.charge.refundPart", { issuer, "charge.id": id })(refunds.refundPart(issuer, id, request)),
        confirmPayment: (notice) =>
          safeSpan("pix.charge.confirmPayment", { issuer: notice.issuer })(
            booking.confirmPayment(storableNotice(notice)),
          ),
      })
    }),
  ).pipe(Layer.merge(Bookkeeping.layer))
}

/** Longer than an attempt's time-outs, in milliseconds. */
const drainMs = 30_000

/** The span names the charge and its company, never the payer. */
const tracedCall =
  <About extends ChargeId | { readonly id: ChargeId }, A, E>(
    span: string,
    call: (issuer: Cnpj, about: About) => Effect.Effect<A, E>,
  ) =>
  (issuer: Cnpj, about: About): Effect.Effect<A, E> =>
    Effect.withFiber((caller) => {
      if (!isTraced(caller)) return call(issuer, about)
      const id = typeof about === "string" ? about : about.id
      return safeSpan(span, { issuer, "charge.id": id })(call(issuer, about))
    })
