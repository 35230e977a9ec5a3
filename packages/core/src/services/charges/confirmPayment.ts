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
import type { ChargeMoves } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { makeFindSpelled } from "./findReceivers.ts"
import { logFailure } from "../../runtime/telemetry.ts"

const refusedPayments = Metric.counter("pix_payments_refused", {
  description: "Payments that were not recorded for a company because they are another company's",
  incremental: true,
})

/** Whether this amount was due on the day of the payment; false if the calendar or the fees can't be computed. */
const makeIsAmountDue = ({ directory, calendar }: ChargePorts) =>
  Effect.fnUntraced(function* (charge: Charge, { paidAt, amountCents }: PaymentNotice) {
    const entry = charge.fees === undefined ? undefined : yield* directory.find(charge.issuer)
    return yield* Effect.sync(() =>
      isAmountDueOn(charge, brasiliaDate(paidAt), amountCents, entry && calendar.forCompany(entry.company)),
    ).pipe(
      Effect.catchDefect((defect) =>
        Effect.as(logFailure("Warn", `What was due for charge ${charge.id} could not be computed`, defect), false),
      ),
    )
  })

/** Records payments: as a charge's, or as one of no charge. */
export const makeConfirmPayment = (ports: ChargePorts, moves: ChargeMoves) => {
  const { store, lists } = ports
  const isAmountDue = makeIsAmountDue(ports)
  const { findId } = makeFindSpelled(lists)

  /** Records payments of this charge with their returns, in one commit; the first payment settles the charge. */
  const confirm = Effect.fnUntraced(function* (
    charge: Charge,
    notices: ReadonlyArray<PaymentNotice>,
    returns: ReadonlyArray<Return> = [],
    extras: Pick<Change, "onlyAtVersion"> = {},
  ) {
    const payments: Array<Payment> = []
    for (const notice of notices) {
      const recordedAt = yield* Clock.currentTimeMillis
      payments.push(bookPayment(charge, notice, { recordedAt, isAmountDue: yield* isAmountDue(charge, notice) }))
    }
    const decideShown = (current: Charge, now: number) =>
      Result.succeed(decideView(current, { payments, returns }, now))
    return (yield* moves.moveBy(charge, decideShown, extras)).state
  })

  const refuse = ({ issuer, endToEndId }: PaymentNotice) =>
    Effect.andThen(Metric.update(refusedPayments, 1), new PaymentOfAnotherCompany({ issuer, endToEndId }))

  /** Fails if the payment isn't in the company's books: then another company's have it. */
  const expectRecorded = Effect.fnUntraced(function* (notice: PaymentNotice) {
    if ((yield* lists.payment(notice.issuer, notice.endToEndId)) === undefined) yield* refuse(notice)
  })

  /** Records a payment that names no known charge, with its returns; one that names another company's is that company's. */
  const recordUnmatched = Effect.fnUntraced(function* (notice: PaymentNotice, returns: ReadonlyArray<Return> = []) {
    if (isTxidOfAnother(notice.issuer, notice.txid)) return yield* refuse(notice)
    const payment = bookUnmatched(notice, yield* Clock.currentTimeMillis)
    const isNew = yield* store.recordUnmatched(payment, returns)
    if (!isNew) yield* expectRecorded(notice)
  })

  /** The charge that a payment names; undefined if it names none of the company's. */
  const findNamed = Effect.fnUntraced(function* ({ issuer, txid }: PaymentNotice) {
    const id = chargeIdFromTxid(issuer, txid)
    return id && (yield* store.find(issuer, id))
  })

  /** Records a payment for the charge that it names, or as one of no charge. */
  const confirmPayment = Effect.fnUntraced(function* (shown: PaymentNotice) {
    const { issuer } = shown
    const charge = yield* findNamed(shown)
    const endToEndId = yield* findId(shown, charge)
    const notice = { ...shown, endToEndId }
    if (charge !== undefined) return yield* confirm(charge, [notice])
    yield* recordUnmatched(notice, [])
    return yield* new PaymentUnmatched({ issuer, endToEndId })
  })

  return { confirm, confirmPayment, recordUnmatched, expectRecorded, findNamed }
}

/** Recording payments. */
export type ConfirmPayment = ReturnType<typeof makeConfirmPayment>
