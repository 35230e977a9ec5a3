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
 * Records the processor's view; hosts never call it. Every operation can be repeated safely. Operations that publish an event
 * also fail with `DirectoryUnavailable`.
 */
export class Bookkeeping extends Context.Service<
  Bookkeeping,
  {
    /**
     * The company that received each payment, in order: the company that the txid names, else the company whose books have the
     * payment, else the key's holder. Undefined for another system's payment, or if the txid names another company.
     */
    readonly receivers: (
      issuer: Cnpj,
      payments: ReadonlyArray<ReceivedPayment>,
    ) => Effect.Effect<ReadonlyArray<Receiver>>
    /** Finds a notice's payments, in order, with a few look-ups. */
    readonly inspect: (
      issuer: Cnpj,
      shown: ReadonlyArray<ShownPayment>,
    ) => Effect.Effect<ReadonlyArray<InspectedPayment>, StoreUnavailable>
    /**
     * Makes unpaid charges due for a look-up, by default now. Returns false if one is paid or cancelled, or has moved meanwhile.
     * `at` is in epoch milliseconds.
     */
    readonly checkNow: (
      charges: ReadonlyArray<Charge>,
      at?: number,
    ) => Effect.Effect<boolean, ChargeNotFound | StoreUnavailable>
    /** After a notified payment couldn't be recorded. */
    readonly sweepSoon: (issuer: Cnpj) => Effect.Effect<void, StoreUnavailable>
    /**
     * Records a payment of the company (see `receivers`) and its returns, each once. `read` is the awaiting charge from
     * `inspect`; it is loaded again only if it has moved. Fails with `PaymentOfAnotherCompany` if another company's books have
     * the payment.
     */
    readonly recordReceivedPayment: (
      received: ReceivedPayment,
      read?: Charge,
    ) => Effect.Effect<NewlyRecorded, MoveError | PaymentOfAnotherCompany>
    readonly applyView: (charge: Charge, view: ProcessorView) => Effect.Effect<Charge, MoveError>
    /**
     * Resumes an unanswered partial refund, if there is one. Fails with `ProcessorUnavailable` while the processor doesn't
     * answer, like `resumeRefund`.
     */
    readonly resumePartialRefund: (charge: PaidCharge) => Effect.Effect<Charge, MoveError | ProcessorUnavailable>
    /** Fails with `ProcessorUnavailable` while the processor doesn't answer; the refund is then unchanged. */
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
    const after = yield* Effect.forEach(distinct, moves.load, together)
    return after.every(({ version }, index) => version === distinct[index]?.version)
  })
}
