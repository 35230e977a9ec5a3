import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Charge, PaidCharge, RefundingCharge } from "../../model/charge/Charge.ts"
import type { ChargeNotFound } from "../../model/charge/chargeErrors.ts"
import type { PaymentOfAnotherCompany, RefundRejected } from "../../model/charge/paymentErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ProcessorView, ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "../../ports/portErrors.ts"
import { storableReceived, storableView } from "../../ports/storableProcessor.ts"
import { ChargeMoves, type MoveError } from "./ChargeMoves.ts"
import { type ChargePorts, chargePorts } from "./ChargePorts.ts"
import { type BegunRefund, ChargeRefunds } from "./ChargeRefunds.ts"
import {
  inspectShown,
  type InspectedPayment,
  type NewlyRecorded,
  ReceivedPayments,
  type ShownPayment,
} from "./ReceivedPayments.ts"
import { findReceivers, type Receiver } from "./Receivers.ts"
import { Booking } from "./Booking.ts"

/**
 * Keeps the books true to what the processor shows: for notices, the reconciler, recurrences and open pages, never for hosts. Every
 * operation may be repeated without harm. Those that publish an event fail with `DirectoryUnavailable`, too.
 */
export class Bookkeeping extends Context.Service<
  Bookkeeping,
  {
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
    /** Records what the processor knows of a charge: payments and returns whose notice was lost. */
    readonly applyView: (charge: Charge, view: ProcessorView) => Effect.Effect<Charge, MoveError>
    /** Resumes a partial refund without an answer, if one is under way. Fails with `ProcessorUnavailable`, as `resumeRefund`. */
    readonly resumePartialRefund: (charge: PaidCharge) => Effect.Effect<Charge, MoveError | ProcessorUnavailable>
    /** Resumes a refund without an answer. Fails with `ProcessorUnavailable` while the processor gives none; the refund stays as it was. */
    readonly resumeRefund: (
      charge: RefundingCharge,
    ) => Effect.Effect<BegunRefund, MoveError | RefundRejected | ProcessorUnavailable>
  }
>()("@pixcharge/core/charges/Bookkeeping") {
  static readonly layer = Layer.effect(
    Bookkeeping,
    Effect.gen(function* () {
      const ports = yield* chargePorts
      const received = new ReceivedPayments(ports)
      const booking = new Booking(ports)
      const refunds = new ChargeRefunds(ports)
      return Bookkeeping.of({
        receivers: (issuer, payments) => findReceivers(ports, issuer, payments),
        inspect: (issuer, shown) => inspectShown(ports, issuer, shown),
        checkNow: makeCheckNow(ports),
        sweepSoon: (issuer) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => ports.reconciliations.wake(issuer, now)),
        recordReceivedPayment: (payment, read) => received.record(storableReceived(payment), read),
        applyView: (charge, view) => booking.applyView(charge, storableView(view)),
        resumeRefund: (charge) => refunds.resumeRefund(charge),
        resumePartialRefund: (charge) => refunds.resumePartialRefund(charge),
      })
    }),
  )
}

/** Schedules checks of unpaid charges, by default for now. Returns whether all of them will be checked. */
const makeCheckNow = (ports: ChargePorts) => {
  const { dueChecks, recurrences } = ports
  const moves = new ChargeMoves(ports)
  return Effect.fnUntraced(function* (charges: ReadonlyArray<Charge>, checkAt?: number) {
    if (!charges.every(({ _tag }) => _tag === "Pending")) return false
    const at = checkAt ?? (yield* Clock.currentTimeMillis)
    const distinct = [...new Map(charges.map((charge) => [charge.id, charge])).values()]
    const together = { concurrency: "unbounded" } as const
    const schedule = (charge: Charge) =>
      charge.cycle === undefined
        ? dueChecks.scheduleCharge(charge, at)
        : recurrences.schedule(charge.issuer, charge.cycle.recurrenceId, at)
    yield* Effect.forEach(distinct, schedule, together)
    // What has moved meanwhile was not scheduled.
    const after = yield* Effect.forEach(distinct, moves.load, together)
    return after.every(({ version }, index) => version === distinct[index]?.version)
  })
}
