import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import { brasiliaDate } from "../calendar/BrasiliaTime.ts"
import { type Charge, chargeIdFromTxid, type Payment, type PaymentNotice, type Return } from "../charge/index.ts"
import { decideView } from "../charge/decideView.ts"
import { isAmountDueOn } from "../charge/LateFees.ts"
import { PaymentOfAnotherCompany, PaymentUnmatched } from "../errors.ts"
import type { Change } from "../ports/ChargeStore.ts"
import type { ChargeMoves } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { makeFindSpelled } from "./spellings.ts"
import { logFailure } from "../telemetry/index.ts"

const refusedPayments = Metric.counter("pix_payments_refused", {
  description: "Payments that were not recorded for a company because another one's books have them",
  incremental: true,
})

/** Records payments: as a charge's, or as one of no charge. */
export const makeConfirmPayment = ({ store, lists, directory, calendar }: ChargePorts, moves: ChargeMoves) => {
  const { findId } = makeFindSpelled(lists)

  /** Whether this much was due on the day of the payment. Says no where the calendar or the fees can't be computed. */
  const isAmountDue = Effect.fnUntraced(function* (charge: Charge, { paidAt, amountCents }: PaymentNotice) {
    const entry = charge.fees === undefined ? undefined : yield* directory.find(charge.issuer)
    return yield* Effect.sync(() =>
      isAmountDueOn(charge, brasiliaDate(paidAt), amountCents, entry && calendar.forCompany(entry.company)),
    ).pipe(
      Effect.catchDefect((defect) =>
        Effect.as(logFailure("Warn", `What was due for charge ${charge.id} could not be computed`, defect), false),
      ),
    )
  })

  /** Notes what is odd about a payment, which is never a reason to drop it. */
  const chargePayment = Effect.fnUntraced(function* (charge: Charge, notice: PaymentNotice) {
    const payment: Payment = {
      ...notice,
      chargeId: charge.id,
      recordedAt: yield* Clock.currentTimeMillis,
      late: notice.paidAt > charge.payableUntil,
      otherAmount: !(yield* isAmountDue(charge, notice)),
    }
    return payment
  })

  /** Records payments of this charge with what went back of them, in one commit; the first one settles it. */
  const confirm = Effect.fnUntraced(function* (
    charge: Charge,
    notices: ReadonlyArray<PaymentNotice>,
    returns: ReadonlyArray<Return> = [],
    extras: Pick<Change, "onlyAtVersion"> = {},
  ) {
    const payments: Array<Payment> = []
    for (const notice of notices) payments.push(yield* chargePayment(charge, notice))
    const decideShown = (current: Charge, now: number) =>
      Result.succeed(decideView(current, { payments, returns }, now))
    return (yield* moves.moveBy(charge, decideShown, extras)).state
  })

  /** Fails if the payment isn't in the company's books, for another's refuse it to these. */
  const expectRecorded = Effect.fnUntraced(function* ({ issuer, endToEndId }: PaymentNotice) {
    if ((yield* lists.payment(issuer, endToEndId)) !== undefined) return
    yield* Metric.update(refusedPayments, 1)
    return yield* new PaymentOfAnotherCompany({ issuer, endToEndId })
  })

  /** Records a payment of no charge that we know, with what went back of it. */
  const recordUnmatched = Effect.fnUntraced(function* (notice: PaymentNotice, returns: ReadonlyArray<Return> = []) {
    const recordedAt = yield* Clock.currentTimeMillis
    const isNew = yield* store.recordUnmatched({ ...notice, recordedAt, late: false, otherAmount: false }, returns)
    if (!isNew) yield* expectRecorded(notice)
  })

  /** The charge that a payment names; undefined if it names none of the company's. */
  const findNamed = Effect.fnUntraced(function* ({ issuer, txid }: PaymentNotice) {
    const id = txid === undefined ? undefined : chargeIdFromTxid(txid)
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
