import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CancelledCharge, Charge, PaidCharge, RefundingCharge } from "../../model/charge/Charge.ts"
import type { ChargeId } from "../../model/charge/ChargeId.ts"
import type { ChargeRequest } from "../../model/charge/ChargeRequest.ts"
import type { IssuedCharge, RepeatRefusal } from "../../model/charge/Issue.ts"
import type { PartialRefundRequest } from "../../model/charge/PartialRefundRequest.ts"
import type { PaymentNotice } from "../../model/charge/PaymentNotice.ts"
import type { ChargeNotFound, DueDateOutOfRange, IssuerNotEligible } from "../../model/charge/chargeErrors.ts"
import type { PaymentOfAnotherCompany, PaymentUnmatched, RefundRejected } from "../../model/charge/paymentErrors.ts"
import type { CancelTooLate } from "../../model/cycle/Debit.ts"
import type { CompanyNotFound, DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import type { InvalidFees } from "../../model/money/Fees.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ProcessorView, ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import type { ProcessorRejected, ProcessorUnavailable, StoreUnavailable } from "../../ports/portErrors.ts"
import { storableNotice, storableReceived, storableView } from "../../ports/storableProcessor.ts"
import { isTraced, safeSpan } from "../../runtime/telemetry.ts"
import { type ChargeMoves, makeChargeMoves, type MoveError } from "./ChargeMoves.ts"
import { type ChargePorts, chargePorts } from "./ChargePorts.ts"
import { makeApplyView } from "./applyView.ts"
import { makeCancel } from "./cancelCharge.ts"
import { makeConfirmPayment } from "./confirmPayment.ts"
import { makeFindReceivers, type Receiver } from "./findReceivers.ts"
import { makeIssue } from "./issueCharge.ts"
import {
  type InspectedPayment,
  makeInspectShown,
  makeRecordReceivedPayment,
  type NewlyRecorded,
  type ShownPayment,
} from "./recordReceivedPayment.ts"
import { type BegunPartialRefund, type BegunRefund, makeRefundCharge, type PartialRefundError } from "./refundCharge.ts"

/** How issuing can fail. */
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

/**
 * What can be done with charges. Every operation may be repeated without harm, and names the company first: nobody
 * reaches another company's charges. Every method fails with `StoreUnavailable`, and those that publish an event with
 * `DirectoryUnavailable`; the same call later resumes.
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
     * Issues a charge, or finds the one that the same request issued before (decision 11). Fails with `ChargeConflict` when
     * the id has other terms, with `ChargeExpired`, `ChargeCancelled`, `ChargeRefunding` or `ChargeRefunded` when it can't be
     * paid any more, and with `CompanyNotFound`, `IssuerNotEligible`, `DueDateOutOfRange` or `InvalidFees` when nothing may be
     * issued; with `ProcessorUnavailable` or `ProcessorRejected` when the processor gives no answer or refuses.
     */
    readonly issue: (issuer: Cnpj, request: ChargeRequest) => Effect.Effect<IssuedCharge, IssueError>
    /** The charge as it is stored. Fails with `ChargeNotFound`. */
    readonly find: (issuer: Cnpj, id: ChargeId) => Effect.Effect<Charge, ChargeNotFound | StoreUnavailable>
    /**
     * Records a payment and settles its charge with it, or lists it as an exception (decision 31). Fails with
     * `PaymentUnmatched` after it recorded a payment of no known charge, and with `PaymentOfAnotherCharge` or
     * `PaymentOfAnotherCompany`.
     */
    readonly confirmPayment: (
      notice: PaymentNotice,
    ) => Effect.Effect<Charge, MoveError | PaymentUnmatched | PaymentOfAnotherCompany>
    /**
     * Finds whose payments the processor shows to a company, in their order: the company that the txid names, otherwise the one
     * whose books have it, otherwise the holder of the key; undefined for another system's, and for another company's by its txid.
     */
    readonly receivers: (
      issuer: Cnpj,
      payments: ReadonlyArray<ReceivedPayment>,
    ) => Effect.Effect<ReadonlyArray<Receiver>>
    /** Finds what the books have of the payments in a notice, in their order, by a few look-ups for all of them. */
    readonly inspect: (
      issuer: Cnpj,
      shown: ReadonlyArray<ShownPayment>,
    ) => Effect.Effect<ReadonlyArray<InspectedPayment>, StoreUnavailable>
    /**
     * Makes unpaid charges due for a look-up now, or at this instant (epoch milliseconds), written together; true once each of them
     * will be looked up, false where one is paid or cancelled, or has moved meanwhile.
     */
    readonly checkNow: (
      charges: ReadonlyArray<Charge>,
      at?: number,
    ) => Effect.Effect<boolean, ChargeNotFound | StoreUnavailable>
    /** Makes the company's next sweep come soon: a notice showed a payment that could not be recorded. */
    readonly sweepSoon: (issuer: Cnpj) => Effect.Effect<void, StoreUnavailable>
    /**
     * Records a payment of the company (see `receivers`) and its returns, each once: for a charge, or as one of no charge.
     * `read` is the charge that awaits it, from `inspect`; it isn't read again unless it has moved meanwhile. Fails with
     * `PaymentOfAnotherCompany` if another company's books have the payment.
     */
    readonly recordReceivedPayment: (
      received: ReceivedPayment,
      read?: Charge,
    ) => Effect.Effect<NewlyRecorded, MoveError | PaymentOfAnotherCompany>
    /**
     * Returns the full amount of a paid charge; answers `Refunding` while the processor works on it (decision 18). Fails with
     * `RefundRejected` when the processor refuses, and with `ChargeNotPaid`, `ChargeCancelled`, `ChargePartlyReturned` or
     * `RefundWindowClosed`. `reason` comes from `parseRefundReason`; that of the first request counts.
     */
    readonly refund: (
      issuer: Cnpj,
      id: ChargeId,
      reason?: string,
    ) => Effect.Effect<BegunRefund, MoveError | RefundRejected>
    /**
     * Returns a part of a paid charge, which stays paid until all is back; `refunding` while the processor works on it. The
     * same key and cents are the same refund, in any state. Fails with `PartialRefundConflict` where the key has other
     * cents, with `PartialRefundUnderWay` or `ChargeRefunding` while another refund may still return money, with
     * `RefundExceedsRest`, `RefundWindowClosed`, `ChargeNotPaid` or `ChargeCancelled`, and with `RefundRejected` when the
     * processor refuses (decision 50).
     */
    readonly refundPart: (
      issuer: Cnpj,
      id: ChargeId,
      request: PartialRefundRequest,
    ) => Effect.Effect<BegunPartialRefund, PartialRefundError>
    /** Resumes a partial refund without an answer, if one is under way. Fails with `ProcessorUnavailable`, as `resumeRefund`. */
    readonly resumePartialRefund: (charge: PaidCharge) => Effect.Effect<Charge, MoveError | ProcessorUnavailable>
    /** Resumes a refund without an answer. Fails with `ProcessorUnavailable` while the processor gives none; the refund stays as it was. */
    readonly resumeRefund: (
      charge: RefundingCharge,
    ) => Effect.Effect<BegunRefund, MoveError | RefundRejected | ProcessorUnavailable>
    /**
     * Takes an unpaid charge away from its payer; the processor's charge goes first. Fails with `ChargeNotFound`,
     * `ChargeAlreadyPaid`, `ProcessorUnavailable` or `ProcessorRejected`; for a cycle's charge whose debit is due, with
     * `CancelTooLate`.
     */
    readonly cancel: (
      issuer: Cnpj,
      id: ChargeId,
    ) => Effect.Effect<CancelledCharge, MoveError | CancelTooLate | ProcessorUnavailable | ProcessorRejected>
    /** Records what the processor knows of a charge: payments and returns whose notice was lost. */
    readonly applyView: (charge: Charge, view: ProcessorView) => Effect.Effect<Charge, MoveError>
  }
>()("@pixcharge/core/charges/PixCharges") {
  static readonly layer = Layer.effect(
    PixCharges,
    Effect.gen(function* () {
      const ports = yield* chargePorts
      const moves = makeChargeMoves(ports)
      const confirmation = makeConfirmPayment(ports, moves)
      const facts = makeApplyView(ports, moves, confirmation)
      const { applyView } = facts
      const recordReceivedPayment = makeRecordReceivedPayment(ports, confirmation, facts)
      const { refund, refundPart, ...resumed } = makeRefundCharge(moves, ports, applyView)
      // Each call of a host is a span.
      return PixCharges.of({
        issue: tracedCall("pix.charge.issue", makeIssue(ports)),
        find: tracedCall("pix.charge.find", (issuer, id: ChargeId) => moves.load({ issuer, id })),
        cancel: tracedCall("pix.charge.cancel", makeCancel(ports, moves, applyView)),
        refund: (issuer, id, reason) =>
          safeSpan("pix.charge.refund", { issuer, "charge.id": id })(refund(issuer, id, reason)),
        refundPart: (issuer, id, request) =>
          safeSpan("pix.charge.refundPart", { issuer, "charge.id": id })(refundPart(issuer, id, request)),
        confirmPayment: (notice) =>
          safeSpan("pix.charge.confirmPayment", { issuer: notice.issuer })(
            confirmation.confirmPayment(storableNotice(notice)),
          ),
        receivers: makeFindReceivers(ports),
        inspect: makeInspectShown(ports),
        checkNow: makeCheckNow(ports, moves),
        sweepSoon: (issuer) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => ports.reconciliations.wake(issuer, now)),
        recordReceivedPayment: (received, read) => recordReceivedPayment(storableReceived(received), read),
        ...resumed,
        applyView: (charge, view) => applyView(charge, storableView(view)),
      })
    }),
  )
}

/** A call about a charge within a span that names it and its company: never who pays. */
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

/** Schedules checks of unpaid charges, by default for now. Returns whether all of them will be checked. */
const makeCheckNow = ({ checks, recurrences }: ChargePorts, moves: ChargeMoves) =>
  Effect.fnUntraced(function* (charges: ReadonlyArray<Charge>, checkAt?: number) {
    if (!charges.every(({ _tag }) => _tag === "Pending")) return false
    const at = checkAt ?? (yield* Clock.currentTimeMillis)
    const distinct = [...new Map(charges.map((charge) => [charge.id, charge])).values()]
    const together = { concurrency: "unbounded" } as const
    const schedule = (charge: Charge) =>
      charge.cycle === undefined
        ? checks.scheduleCharge(charge, at)
        : recurrences.schedule(charge.issuer, charge.cycle.recurrenceId, at)
    yield* Effect.forEach(distinct, schedule, together)
    // What has moved meanwhile was not scheduled.
    const after = yield* Effect.forEach(distinct, moves.load, together)
    return after.every(({ version }, index) => version === distinct[index]?.version)
  })
