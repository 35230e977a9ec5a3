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
 * Records what the processor shows, for notices, the reconciler, recurrences and open pages; hosts never call it. Every operation
 * can be repeated safely. An operation that publishes an event also fails with `DirectoryUnavailable`.
 */
export class Bookkeeping extends Context.Service<
  Bookkeeping,
  {
    /**
     * Finds the company that received each payment, in the payments' order: the company that the txid names, else the company
     * whose books have the payment, else the holder of the key. Undefined for another system's payment, or if the txid names
     * another company.
     */
    readonly receivers: (
      issuer: Cnpj,
      payments: ReadonlyArray<ReceivedPayment>,
    ) => Effect.Effect<ReadonlyArray<Receiver>>
    /** Finds in the books the payments of a notice, in their order, with a few look-ups for all. */
    readonly inspect: (
      issuer: Cnpj,
      shown: ReadonlyArray<ShownPayment>,
    ) => Effect.Effect<ReadonlyArray<InspectedPayment>, StoreUnavailable>
    /**
     * Makes unpaid charges due for a look-up, now or at an instant in epoch milliseconds, in one write. True if each of them will
     * be looked up; false if one is paid or cancelled, or has moved meanwhile.
     */
    readonly checkNow: (
      charges: ReadonlyArray<Charge>,
      at?: number,
    ) => Effect.Effect<boolean, ChargeNotFound | StoreUnavailable>
    /** Makes the company's next sweep come soon, because a notice showed a payment that couldn't be recorded. */
    readonly sweepSoon: (issuer: Cnpj) => Effect.Effect<void, StoreUnavailable>
    /**
     * Records a payment of the company (see `receivers`) and its returns, each once, with or without a charge. `read` is the
     * awaiting charge from `inspect`; it is read again only if it has moved. Fails with `PaymentOfAnotherCompany` if another
     * company's books have the payment.
     */
    readonly recordReceivedPayment: (
      received: ReceivedPayment,
      read?: Charge,
    ) => Effect.Effect<NewlyRecorded, MoveError | PaymentOfAnotherCompany>
    /** Records payments and returns of a charge whose notice was lost. */
    readonly applyView: (charge: Charge, view: ProcessorView) => Effect.Effect<Charge, MoveError>
    /** Resumes a partial refund without an answer, if one is under way. Fails with `ProcessorUnavailable`, like `resumeRefund`. */
    readonly resumePartialRefund: (charge: PaidCharge) => Effect.Effect<Charge, MoveError | ProcessorUnavailable>
    /**
     * Resumes a refund without an answer. Fails with `ProcessorUnavailable` while the processor doesn't answer; the refund is
     * unchanged.
     */
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
    // A charge that has moved meanwhile wasn't scheduled.
    const after = yield* Effect.forEach(distinct, moves.load, together)
    return after.every(({ version }, index) => version === distinct[index]?.version)
  })
}
