import type { Period } from "@pixcharge/core"
import {
  type CancelledCharge,
  type ChargeChange,
  type ChargeRequestInput,
  type IssuedCharge,
  type PaidCharge,
  parsePartialRefund,
  type PartialRefundInput,
  type RefundedCharge,
  type RefundingCharge,
} from "@pixcharge/core/charges"
import type { ReconciledPeriod } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import { checkPeriod } from "./filters.ts"
import { type Directory, makeDirectory } from "./Directory.ts"
import { type Events, makeEvents } from "./Events.ts"
import { type Exceptions, makeExceptions } from "./Exceptions.ts"
import { makePayers, type Payers } from "./Payers.ts"
import { makeRecurrences, type Recurrences } from "./Recurrences.ts"
import { chargeChangeFields, checkFields, parseRefund, partialRefundFields, type RefundInput } from "./checkFields.ts"
import { type Calls, recordIfNamed } from "./calls.ts"
import { type IssueManyOptions, makeIssue, makeIssueMany, type PlainIssueResult } from "./issue.ts"
import { type PlainCharge, type PlainPartialRefund, toPlainCharge, toPlainNow, toPlainPartialRefund } from "./plain.ts"

/**
 * The calls that change something, or show a payer.
 *
 * With `by`, the audit log records every call under the actor's name. Without it, issuing, changing, cancelling, comparing,
 * refunding whole payments, test events and calls about payers leave no record; other calls are recorded without a name.
 */
export interface Administration {
  /**
   * Issues a charge. A repeated request returns the charge that the first request issued (decision 11). With `by`, the audit
   * log records the call before the processor is called.
   *
   * Rejects with `InvalidChargeRequest`, `CompanyNotFound`, `IssuerNotEligible`, `DueDateOutOfRange` or `InvalidFees`; with
   * `ChargeConflict`, `ChargeExpired`, `ChargeCancelled`, `ChargeRefunding` or `ChargeRefunded` if the id is taken; with
   * `ProcessorUnavailable` (repeat the call to continue) or `ProcessorRejected`.
   *
   * @example
   * const { brCode } = await pix.issue("12345678000195", { id: randomUUID(), amountCents: 1990, dueDate: "2027-03-01" })
   */
  readonly issue: (issuer: string, request: ChargeRequestInput) => Promise<PlainCharge<IssuedCharge>>
  /**
   * Issues the requests of an iterable or async iterable, in order of completion. A result has its `request` and either the
   * `charge` that `issue` returns or the `error` that it rejects with. `done` and `failed` count the results so far.
   *
   * The number issued at once follows the bank's answers. At most 100 are in memory; the source is read as the run needs it.
   * Other calls come first at the bank. After a crash, run it again with the same ids: issued charges are returned. Of requests
   * with the same id, the first counts.
   *
   * `ProcessorUnavailable`, `StoreUnavailable` and `DirectoryUnavailable` are tried again for three minutes, no sooner than the
   * bank asks. Then they are the request's result, or end the run if no other request was answered meanwhile. A run also ends
   * with `CompanyNotFound`, `IssuerNotEligible`, a `ProcessorRejected` of status 401 or 403, `PixDisposed`, `InvalidOption` for
   * its arguments, the signal's reason, and an error of the source. Requests under way are answered first, also after a `break`.
   *
   * @example
   * for await (const { request, error, done } of pix.issueMany("12345678000195", requests)) {
   *   if (error) console.log(done, request.id, error.message)
   * }
   */
  readonly issueMany: (
    issuer: string,
    requests: Iterable<ChargeRequestInput> | AsyncIterable<ChargeRequestInput>,
    options?: IssueManyOptions,
  ) => AsyncIterable<PlainIssueResult>
  /**
   * Changes terms of an open charge. The fields that `change` doesn't name stay, and so does its kind, immediate or with a due
   * date. Resolves once the bank shows the new terms: `number` counts the charge's terms from 1, and with `isNewCode` the payer
   * needs the code again. A repeated call with the same key and fields is the same change, at any time. `payableForSeconds` counts
   * from the charge's creation.
   *
   * Rejects with `InvalidChargeChange`, `InvalidChargeRequest`, `DueDateOutOfRange`, `InvalidFees`, `CompanyNotFound`,
   * `IssuerNotEligible` or `ChargeNotFound`; with `ChangeConflict` if the key has other fields; with `ChangeUnderWay` (`key` names
   * it) while another change can still succeed; with `ChargeNotChangeable` for a charge of a recurrence, or at a bank without
   * changes; with `ChargeAlreadyPaid`, `ChargeExpired`, `ChargeCancelled`, `ChargeRefunding` or `ChargeRefunded`; with
   * `ChangeRejected` if the bank refuses, and the charge keeps its terms; with `ProcessorRejected` if the bank's charge is no
   * longer open; and with `ProcessorUnavailable`, after which pixcharge resumes the change by itself (decision 64).
   *
   * @example
   * const change = { key: randomUUID(), amountCents: 1490 }
   * const { charge, isNewCode } = await pix.by("ana").change("12345678000195", id, change)
   * if (isNewCode) await sendCode(charge.brCode)
   */
  readonly change: (issuer: string, id: string, change: ChargeChange) => Promise<ChangedTerms>
  /**
   * Cancels an unpaid charge, at the processor first. Rejects with `ChargeNotFound`, `ChargeAlreadyPaid`,
   * `ProcessorUnavailable` or `ProcessorRejected`; for a cycle's charge, with `CancelTooLate` from 22:00 in Brasília on the day
   * before its debit.
   */
  readonly cancel: (issuer: string, id: string) => Promise<PlainCharge<CancelledCharge>>
  /**
   * Refunds the whole payment. The charge is `Refunding` while the processor works on it (decision 18).
   *
   * Rejects with `ChargeNotFound`, `ChargeNotPaid`, `ChargeCancelled`, `ChargePartlyReturned`, `RefundWindowClosed`,
   * `RefundRejected`, or `InvalidRefundReason`.
   *
   * @example
   * const charge = await pix.refund("12345678000195", id, { reason: "Produto em falta" })
   * if (charge.status === "refunding") console.log("an event follows when the money has gone back")
   */
  readonly refund: (
    issuer: string,
    id: string,
    refund?: RefundInput,
  ) => Promise<PlainCharge<RefundedCharge | RefundingCharge>>
  /**
   * Refunds a part of the payment. The charge stays paid until everything is returned; `refundableCents` is the rest. A
   * repeated call with the same key and cents returns the state of the same refund, `refunding` while the processor works on
   * it. After a refusal, it tries again (decision 50).
   *
   * Rejects with `InvalidPartialRefund`, `InvalidRefundReason` or `ChargeNotFound`; with `PartialRefundConflict` if the key has
   * other cents; with `PartialRefundUnderWay` (`key` names it) or `ChargeRefunding` while another refund is under way; with
   * `RefundExceedsRest` for more than the rest; with `ChargeNotPaid`, `ChargeCancelled`, `RefundWindowClosed` or
   * `RefundRejected`.
   *
   * @example
   * const { partialRefund } = await pix.by("ana").refundPart("12345678000195", id, { key: randomUUID(), amountCents: 500 })
   * if (partialRefund.status === "returned") console.log("the payer has five reais back")
   */
  readonly refundPart: (issuer: string, id: string, part: PartialRefundInput) => Promise<PartRefunded>
  /**
   * Compares the processor's payments and returns of a period with the books, and records and counts the missing ones. pixcharge
   * does this daily for every company: call it after a restored backup, or when a bank lost notices. Rejects with
   * `InvalidFilter`, `CompanyNotFound`, or `ProcessorUnavailable` while the processor doesn't answer; repeat the call to
   * continue.
   */
  readonly reconcile: (issuer: string, period: Period) => Promise<ReconciledPeriod>
  /** Payments that settled no charge (decision 31). */
  readonly exceptions: Exceptions
  /**
   * The companies that can issue, their keys, and the endpoints of their events. Each call rejects with `InvalidRegistration`
   * if it breaks a rule, and with `DirectoryUnavailable` if the directory is the host's own.
   */
  readonly directory: Directory
  /** Deliveries of the company's events, dead letters, and replays. */
  readonly events: Events
  /**
   * Pix Automático: payers' authorisations, and the charges of their cycles. Without the option `recurrences` every call
   * rejects with `InvalidOption`.
   */
  readonly recurrences: Recurrences
  /** A payer's rights over their data (LGPD): export and erasure. */
  readonly payers: Payers
}

/** A change in force. Several changes later, `charge` has the terms of the last one. */
export interface ChangedTerms {
  readonly charge: PlainCharge<IssuedCharge>
  /** The number of the change's terms in `charge.termsHistory`. */
  readonly number: number
  /** Whether the change gave the charge another code, which the payer needs. */
  readonly isNewCode: boolean
}

export interface PartRefunded {
  readonly charge: PlainCharge<PaidCharge | RefundingCharge | RefundedCharge>
  readonly partialRefund: PlainPartialRefund
}

const makeChange =
  ({ onCharge }: Calls<Services>): Administration["change"] =>
  (issuer, id, change) =>
    onCharge(
      issuer,
      id,
      Effect.fnUntraced(function* ({ charges }, company, chargeId) {
        yield* checkFields("change(issuer, id, change)", change, chargeChangeFields)
        const { charge, number, isNewCode } = yield* charges.change(company, chargeId, change)
        return { charge: toPlainCharge(charge, yield* Clock.currentTimeMillis), number, isNewCode }
      }),
    )

const makeRefundPart =
  ({ onCharge }: Calls<Services>): Administration["refundPart"] =>
  (issuer, id, part) =>
    onCharge(
      issuer,
      id,
      Effect.fnUntraced(function* ({ charges }, company, chargeId) {
        yield* checkFields("refundPart(issuer, id, part)", part, partialRefundFields)
        const request = yield* Effect.fromResult(parsePartialRefund(part))
        const { charge, partialRefund } = yield* charges.refundPart(company, chargeId, request)
        return {
          charge: toPlainCharge(charge, yield* Clock.currentTimeMillis),
          partialRefund: toPlainPartialRefund(partialRefund, charge.returns),
        }
      }),
    )

export const makeAdministration = (calls: Calls<Services>): Administration => ({
  issue: makeIssue(calls),
  issueMany: makeIssueMany(calls),
  change: makeChange(calls),
  cancel: (issuer, id) =>
    calls.onCharge(issuer, id, ({ charges }, company, charge) => toPlainNow(charges.cancel(company, charge))),
  // Further arguments are refused: a caller can mean one as an amount, and ignoring it would refund the whole payment.
  refund: (issuer, id, refund, ...surplus: ReadonlyArray<unknown>) =>
    calls.onCharge(issuer, id, ({ charges }, company, charge) =>
      Effect.flatMap(parseRefund("refund(issuer, id, refund)", refund, surplus), (reason) =>
        toPlainNow(charges.refund(company, charge, reason)),
      ),
    ),
  refundPart: makeRefundPart(calls),
  reconcile: (issuer, period) =>
    calls.asCompany(issuer, ({ reconciler, audit }, company) =>
      Effect.flatMap(checkPeriod(period), ({ from, until }) =>
        Effect.andThen(
          recordIfNamed(audit, company, { kind: "reconcileRequested", from, until }),
          reconciler.reconcile(company, { from, until }),
        ),
      ),
    ),
  exceptions: makeExceptions(calls),
  directory: makeDirectory(calls),
  events: makeEvents(calls),
  recurrences: makeRecurrences(calls),
  payers: makePayers(calls),
})
