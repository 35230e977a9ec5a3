import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import { brasiliaDate } from "../../model/calendar/BrasiliaTime.ts"
import type { Change } from "../../ports/ChargeStore.ts"
import {
  type Charge,
  chargeIdFromTxid,
  isTxidOfAnother,
  type Payment,
  type PaymentNotice,
  type Return,
} from "../../model/charge/index.ts"
import { bookPayment, bookUnmatched, decideView } from "../../model/charge/decideView.ts"
import { isAmountDueOn } from "../../model/charge/LateFees.ts"
import { PaymentOfAnotherCompany, PaymentUnmatched } from "../../model/charge/paymentErrors.ts"
import { ChargeMoves } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { findId } from "./PaymentIds.ts"
import { logFailure } from "../../runtime/telemetry.ts"

const refusedPayments = Metric.counter("pix_payments_refused", {
  description: "Payments that were not recorded for a company because they are another company's",
  incremental: true,
})

/** Records payments: as a charge's, or as one of no charge. */
export class PaymentBooking {
  readonly #ports: ChargePorts
  readonly #moves: ChargeMoves

  constructor(ports: ChargePorts) {
    this.#ports = ports
    this.#moves = new ChargeMoves(ports)
  }

  /** Records a payment for the charge that it names, or as one of no charge. */
  readonly confirmPayment = Effect.fnUntraced({ self: this }, function* (shown: PaymentNotice) {
    const { issuer } = shown
    const charge = yield* this.findNamed(shown)
    const endToEndId = yield* findId(this.#ports.lists, shown, charge)
    const notice = { ...shown, endToEndId }
    if (charge !== undefined) return yield* this.confirm(charge, [notice])
    yield* this.recordUnmatched(notice, [])
    return yield* new PaymentUnmatched({ issuer, endToEndId })
  })

  /** Records payments of this charge with their returns, in one commit; the first payment settles the charge. */
  readonly confirm = Effect.fnUntraced(
    { self: this },
    function* (
      charge: Charge,
      notices: ReadonlyArray<PaymentNotice>,
      returns: ReadonlyArray<Return> = [],
      extras: Pick<Change, "onlyAtVersion"> = {},
    ) {
      const payments: Array<Payment> = []
      for (const notice of notices) {
        const recordedAt = yield* Clock.currentTimeMillis
        const isAmountDue = yield* this.#isAmountDue(charge, notice)
        payments.push(bookPayment(charge, notice, { recordedAt, isAmountDue }))
      }
      const decideShown = (current: Charge, now: number) =>
        Result.succeed(decideView(current, { payments, returns }, now))
      return (yield* this.#moves.moveBy(charge, decideShown, extras)).state
    },
  )

  /** Records a payment that names no known charge, with its returns; one that names another company's is that company's. */
  readonly recordUnmatched = Effect.fnUntraced(
    { self: this },
    function* (notice: PaymentNotice, returns: ReadonlyArray<Return>) {
      if (isTxidOfAnother(notice.issuer, notice.txid)) return yield* this.#refuse(notice)
      const payment = bookUnmatched(notice, yield* Clock.currentTimeMillis)
      const isNew = yield* this.#ports.store.recordUnmatched(payment, returns)
      if (!isNew) yield* this.expectRecorded(notice)
    },
  )

  /** Fails if the payment isn't in the company's books: then another company's have it. */
  readonly expectRecorded = Effect.fnUntraced({ self: this }, function* (notice: PaymentNotice) {
    const recorded = yield* this.#ports.lists.payment(notice.issuer, notice.endToEndId)
    if (recorded === undefined) yield* this.#refuse(notice)
  })

  /** The charge that a payment names; undefined if it names none of the company's. */
  readonly findNamed = Effect.fnUntraced({ self: this }, function* ({ issuer, txid }: PaymentNotice) {
    const id = chargeIdFromTxid(issuer, txid)
    return id && (yield* this.#ports.store.find(issuer, id))
  })

  #refuse({ issuer, endToEndId }: PaymentNotice) {
    return Effect.andThen(Metric.update(refusedPayments, 1), new PaymentOfAnotherCompany({ issuer, endToEndId }))
  }

  /** Whether this amount was due on the day of the payment; false if the calendar or the fees can't be computed. */
  readonly #isAmountDue = Effect.fnUntraced(
    { self: this },
    function* (charge: Charge, { paidAt, amountCents }: PaymentNotice) {
      const { directory, calendar } = this.#ports
      const entry = charge.fees === undefined ? undefined : yield* directory.find(charge.issuer)
      return yield* Effect.sync(() =>
        isAmountDueOn(charge, brasiliaDate(paidAt), amountCents, entry && calendar.forCompany(entry.company)),
      ).pipe(
        Effect.catchDefect((defect) =>
          Effect.as(logFailure("Warn", `What was due for charge ${charge.id} could not be computed`, defect), false),
        ),
      )
    },
  )
}
