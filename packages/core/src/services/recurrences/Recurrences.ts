import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LocalDate } from "../../model/calendar/LocalDate.ts"
import type { Charge } from "../../model/charge/Charge.ts"
import type { ChargeNotFound, IssuerNotEligible } from "../../model/charge/chargeErrors.ts"
import { type ChargeId, chargeIdFromTxid } from "../../model/charge/ChargeId.ts"
import type { CycleRange } from "../../model/cycle/CycleRange.ts"
import type { CancelTooLate } from "../../model/cycle/Debit.ts"
import type { RecurrenceId } from "../../model/cycle/RecurrenceId.ts"
import type { CompanyNotFound, DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { SolicitationOutOfRange, StartDateTooEarly } from "../../model/recurrence/Offer.ts"
import type { CycleRequest } from "../../model/recurrence/CycleCharge.ts"
import type { Recurrence } from "../../model/recurrence/Recurrence.ts"
import type {
  AmountIsFixed,
  CycleNotOpen,
  RecurrenceConflict,
  RecurrenceNotApproved,
  RecurrenceNotFound,
  RetryNotPossible,
} from "../../model/recurrence/recurrenceErrors.ts"
import type { RecurrenceRequest } from "../../model/recurrence/RecurrenceRequest.ts"
import type {
  ProcessorRejected,
  ProcessorUnavailable,
  StoreUnavailable,
  TooManyReports,
} from "../../ports/portErrors.ts"
import type { RecurrenceFilter } from "../../ports/RecurrenceStore.ts"
import type { InvalidFilter, Page, PageRequest } from "../../runtime/page.ts"
import type { MoveError } from "../charges/ChargeMoves.ts"
import type { IssueError } from "../charges/PixCharges.ts"
import { checkRecurrence } from "./checkRecurrence.ts"
import { findDueDates, loadRecurrence } from "./moveRecurrence.ts"
import { endRecurrence, offerRecurrence } from "./recurrenceLife.ts"
import { RecurrencePorts } from "./RecurrencePorts.ts"
import { requestCharge, requestRetry, requestSkip } from "./requestCycles.ts"

type BankError = ProcessorUnavailable | ProcessorRejected | StoreUnavailable | DirectoryUnavailable

export type OfferError =
  | StartDateTooEarly
  | SolicitationOutOfRange
  | RecurrenceConflict
  | RecurrenceNotFound
  | IssuerNotEligible
  | CompanyNotFound
  | IssueError
  | BankError

export type CycleError =
  | RecurrenceNotFound
  | RecurrenceNotApproved
  | AmountIsFixed
  | CycleNotOpen
  | CompanyNotFound
  | IssuerNotEligible
  | MoveError
  | BankError

/**
 * Pix Automático: the payer authorises once, and each cycle is charged. Every operation can be repeated safely. `PixCharges`
 * handles the payment, refunds and cancellation of a cycle's charge.
 */
export class Recurrences extends Context.Service<
  Recurrences,
  {
    /**
     * Offers a recurrence to its payer; a repeated request returns the first recurrence. The recurrence has a BR Code, unless the
     * payer is asked in the bank's app. Fails with `StartDateTooEarly` or `SolicitationOutOfRange`, with `RecurrenceConflict` if
     * the id or contract has other terms, and like issuing if the payer authorises by paying a charge. After
     * `ProcessorUnavailable`, the offer continues by itself.
     */
    readonly offer: (issuer: Cnpj, request: RecurrenceRequest) => Effect.Effect<Recurrence, OfferError>
    /**
     * Next due dates of the company's recurrences: the first cycle that has no charge and can still be charged; undefined without
     * such a cycle.
     */
    readonly dueDates: (issuer: Cnpj) => Effect.Effect<(recurrence: Recurrence) => LocalDate | undefined>
    /** Fails with `RecurrenceNotFound`. */
    readonly find: (issuer: Cnpj, id: RecurrenceId) => Effect.Effect<Recurrence, RecurrenceNotFound | StoreUnavailable>
    /** Recurrences, newest first. */
    readonly list: (
      issuer: Cnpj,
      filter: RecurrenceFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<Recurrence>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Charges of a recurrence's cycles, last cycle first. */
    readonly charges: (
      issuer: Cnpj,
      id: RecurrenceId,
      page: PageRequest,
    ) => Effect.Effect<Page<Charge>, StoreUnavailable | InvalidFilter | TooManyReports>
    /**
     * Ends a recurrence: no further cycle is charged. It stays `Ending` until the bank confirms. Today's debit can't be stopped;
     * the bank cancels later debits.
     */
    readonly end: (issuer: Cnpj, id: RecurrenceId) => Effect.Effect<Recurrence, RecurrenceNotFound | BankError>
    /**
     * Charges a cycle without a fixed amount, or charges a cycle again after its charge was cancelled or rejected. Fails with
     * `AmountIsFixed`, and with `CycleNotOpen` outside of the cycle's window or if the cycle has a charge.
     */
    readonly charge: (issuer: Cnpj, id: RecurrenceId, request: CycleRequest) => Effect.Effect<Charge, CycleError>
    /**
     * Skips cycles that were paid otherwise or aren't owed, each when its window opens, and cancels their charges. Once a cycle's
     * window has opened, first looks up at the bank any charges that restored books have forgotten. Skips no cycle after
     * `ProcessorUnavailable` or `CancelTooLate`. Fails with `ChargeAlreadyPaid` if the last cycle is paid; earlier paid cycles
     * stay.
     */
    readonly skip: (
      issuer: Cnpj,
      id: RecurrenceId,
      cycles: CycleRange,
    ) => Effect.Effect<Recurrence, CycleError | CancelTooLate>
    /**
     * Requests a new attempt of a failed debit, by default on the earliest day. Fails with `RetryNotPossible`, and with
     * `RecurrenceNotApproved` once the recurrence has ended. After `ProcessorUnavailable`, the request is repeated by itself.
     */
    readonly retry: (
      issuer: Cnpj,
      id: ChargeId,
      on?: LocalDate,
    ) => Effect.Effect<
      Charge,
      ChargeNotFound | RecurrenceNotFound | RecurrenceNotApproved | RetryNotPossible | MoveError | BankError
    >
    /** Makes the recurrences and charges named by a notice due for a check now. */
    readonly checkSoon: (
      issuer: Cnpj,
      named: { readonly bankIds: ReadonlyArray<string>; readonly txids: ReadonlyArray<string> },
    ) => Effect.Effect<void, StoreUnavailable>
    /** Returns whether the recurrence or a charge moved. */
    readonly check: (
      recurrence: Recurrence,
    ) => Effect.Effect<boolean, OfferError | CycleError | InvalidFilter | TooManyReports>
  }
>()("@pixcharge/core/recurring/Recurrences") {
  static readonly layer = Layer.effect(
    Recurrences,
    Effect.gen(function* () {
      const ports = yield* RecurrencePorts.make
      const { recurrences: store } = ports

      const withPorts =
        <Args extends ReadonlyArray<unknown>, A, E>(
          operation: (...args: Args) => Effect.Effect<A, E, RecurrencePorts>,
        ) =>
        (...args: Args): Effect.Effect<A, E> =>
          Effect.provideService(operation(...args), RecurrencePorts, ports)

      const checkSoon: Recurrences["Service"]["checkSoon"] = Effect.fnUntraced(function* (issuer, { bankIds, txids }) {
        const chargeIds = txids.flatMap((txid) => chargeIdFromTxid(issuer, txid) ?? [])
        if (bankIds.length + chargeIds.length === 0) return
        yield* store.scheduleNamed(issuer, { bankIds, chargeIds }, yield* Clock.currentTimeMillis)
      })

      return Recurrences.of({
        offer: withPorts(offerRecurrence),
        dueDates: withPorts(findDueDates),
        find: withPorts(loadRecurrence),
        list: store.list,
        charges: store.charges,
        end: withPorts(endRecurrence),
        charge: withPorts(requestCharge),
        skip: withPorts(requestSkip),
        retry: withPorts(requestRetry),
        checkSoon,
        check: withPorts(checkRecurrence),
      })
    }),
  )
}
