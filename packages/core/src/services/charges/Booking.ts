import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import { brasiliaDate } from "../../model/calendar/BrasiliaTime.ts"
import { type Charge, isCycleCharge, isSettledBy } from "../../model/charge/Charge.ts"
import { chargeIdFromTxid, isTxidOfAnother } from "../../model/charge/ChargeId.ts"
import { isAmountDueOn } from "../../model/charge/LateFees.ts"
import type { Payment, Return } from "../../model/charge/Payment.ts"
import { shownToPayers } from "../../model/charge/TermsRow.ts"
import type { PaymentNotice } from "../../model/charge/PaymentNotice.ts"
import { isExceptionRefund } from "../../model/charge/Refund.ts"
import type { RefundCommand } from "../../model/charge/decideRefund.ts"
import { bookPayment, bookUnmatched, decideView } from "../../model/charge/decideView.ts"
import { PaymentOfAnotherCompany, PaymentUnmatched } from "../../model/charge/paymentErrors.ts"
import type { Change } from "../../ports/ChargeStore.ts"
import type { ProcessorView, ReceivedPayment, RefundRejection } from "../../ports/PaymentProcessor.ts"
import { logAndContinue, logFailure } from "../../runtime/telemetry.ts"
import { ChargeMoves, type CommitError, type MoveError } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { ExceptionMoves } from "./ExceptionMoves.ts"
import { makeNewExceptions } from "./newExceptions.ts"
import { findId, spellView } from "./PaymentIds.ts"
import { makeRecordTerms } from "./recordTerms.ts"

const refusedPayments = Metric.counter("pix_payments_refused", {
  description: "Payments that were not recorded for a company because they belong to another company",
  incremental: true,
})

type ShownView = Pick<ProcessorView, "payments" | "returns">

export class Booking {
  readonly #ports: ChargePorts
  readonly #moves: ChargeMoves
  readonly #exceptions: ExceptionMoves
  readonly #newExceptions: ReturnType<typeof makeNewExceptions>
  readonly #recordTerms: ReturnType<typeof makeRecordTerms>["recordForPayment"]

  constructor(ports: ChargePorts) {
    this.#ports = ports
    this.#newExceptions = makeNewExceptions(ports)
    this.#moves = new ChargeMoves(ports)
    this.#recordTerms = makeRecordTerms(ports, this.#moves).recordForPayment
    this.#exceptions = new ExceptionMoves(ports)
  }

  readonly confirmPayment = Effect.fnUntraced({ self: this }, function* (shown: PaymentNotice) {
    const { issuer } = shown
    const charge = yield* this.findNamed(shown)
    const endToEndId = yield* findId(this.#ports.lists, shown, charge)
    const notice = { ...shown, endToEndId }
    if (charge !== undefined) return yield* this.confirm(charge, [notice])
    yield* this.recordUnmatched(notice, [])
    return yield* new PaymentUnmatched({ issuer, endToEndId })
  })

  /** The first payment settles the charge. */
  readonly confirm = Effect.fnUntraced(
    { self: this },
    function* (
      read: Charge,
      notices: ReadonlyArray<PaymentNotice>,
      returns: ReadonlyArray<Return> = [],
      extras: Pick<Change, "onlyAtVersion"> = {},
    ) {
      let charge = read
      let payments = yield* this.#markPayments(charge, notices)
      if (payments.some(({ late, otherAmount }) => late || otherAmount)) {
        charge = yield* this.#lookUpTerms(charge)
        if (charge !== read) payments = yield* this.#markPayments(charge, notices)
      }
      const decideShown = (current: Charge, now: number) =>
        Result.succeed(decideView(current, { payments, returns }, now))
      return (yield* this.#moves.moveBy(charge, decideShown, extras)).state
    },
  )

  readonly recordUnmatched = Effect.fnUntraced(
    { self: this },
    function* (notice: PaymentNotice, returns: ReadonlyArray<Return>) {
      if (isTxidOfAnother(notice.issuer, notice.txid)) return yield* this.#refuse(notice)
      const payment = bookUnmatched(notice, yield* Clock.currentTimeMillis)
      const { store, signal } = this.#ports
      const exceptions = yield* this.#newExceptions.ofUnmatched(payment, returns)
      const isNew = yield* store.recordUnmatched(payment, returns, exceptions)
      if (!isNew) yield* this.expectRecorded(notice)
      else if (exceptions.length > 0) yield* signal.notify(exceptions)
    },
  )

  readonly expectRecorded = Effect.fnUntraced({ self: this }, function* (notice: PaymentNotice) {
    const recorded = yield* this.#ports.lists.payment(notice.issuer, notice.endToEndId)
    if (recorded === undefined) yield* this.#refuse(notice)
  })

  readonly findNamed = Effect.fnUntraced({ self: this }, function* ({ issuer, txid }: PaymentNotice) {
    const id = chargeIdFromTxid(issuer, txid)
    return id && (yield* this.#ports.store.find(issuer, id))
  })

  readonly applyView = Effect.fnUntraced(
    { self: this },
    function* (read: Charge, shown: ProcessorView): Effect.fn.Return<Charge, MoveError> {
      if (shown.payments.length === 0 && shown.returns.length === 0) return read
      const view = yield* this.#spellByBooks(read, shown)
      return yield* this.applySpelled(yield* this.#recordTerms(yield* this.#moves.load(read), shown), view)
    },
  )

  /**
   * Expects a charge just read, and a view whose ids are spelled as in the books. Respells only the id of a settling payment that
   * was recorded after the view was made.
   */
  readonly applySpelled = Effect.fnUntraced(
    { self: this },
    function* (found: Charge, shown: ShownView): Effect.fn.Return<Charge, MoveError> {
      const spelled = "payment" in found ? spellView(shown, found.payment.endToEndId) : shown
      const view = yield* this.#addFurther(found, spelled)
      const { charge, refused } = yield* this.#recordShown(found, view)
      for (const returned of view.returns) {
        // The owner's books have the returns of a refused payment.
        const among = refused.includes(returned.endToEndId) ? undefined : charge
        if (!isSettledBy(charge, returned.endToEndId)) yield* this.recordReturn(returned, among)
      }
      return charge
    },
  )

  recordReturn(returned: Return, among?: Charge): Effect.Effect<void, MoveError> {
    return this.#applyToOwner(returned, { _tag: "RecordReturn", returned }, among)
  }

  recordRejection(payment: ReceivedPayment, { refundId, reason }: RefundRejection): Effect.Effect<void, MoveError> {
    const { amountCents } = payment
    const outcome = { _tag: "Rejected", reason } as const
    return this.#applyToOwner(payment, { _tag: "FinishRefund", refundId, amountCents, outcome })
  }

  #refuse({ issuer, endToEndId }: PaymentNotice) {
    return Effect.andThen(Metric.update(refusedPayments, 1), new PaymentOfAnotherCompany({ issuer, endToEndId }))
  }

  /** Restored books can have forgotten a change, which a payment must not be marked for. */
  readonly #lookUpTerms = Effect.fnUntraced({ self: this }, function* (charge: Charge) {
    const { locality, lookup } = this.#ports.processor
    if (charge._tag !== "Pending" || isCycleCharge(charge) || locality === "local") return charge
    const view = yield* logAndContinue("The terms of a paid charge could not be looked up")(lookup(charge))
    return view === undefined ? charge : yield* this.#recordTerms(charge, view)
  })

  readonly #markPayments = Effect.fnUntraced(
    { self: this },
    function* (charge: Charge, notices: ReadonlyArray<PaymentNotice>) {
      const payments: Array<Payment> = []
      for (const notice of notices) {
        const recordedAt = yield* Clock.currentTimeMillis
        const isAmountDue = yield* this.#isAmountDue(charge, notice)
        payments.push(bookPayment(charge, notice, { recordedAt, isAmountDue }))
      }
      return payments
    },
  )

  readonly #isAmountDue = Effect.fnUntraced(
    { self: this },
    function* (charge: Charge, { paidAt, amountCents }: PaymentNotice) {
      const { directory, calendar } = this.#ports
      const bearsFees = shownToPayers(charge).some(({ fees }) => fees !== undefined)
      const entry = !bearsFees ? undefined : yield* directory.find(charge.issuer)
      return yield* Effect.sync(() =>
        shownToPayers(charge).some((terms) =>
          isAmountDueOn(terms, brasiliaDate(paidAt), amountCents, entry && calendar.forCompany(entry.company)),
        ),
      ).pipe(
        Effect.catchDefect((defect) =>
          Effect.as(logFailure("Warn", `The amount due for charge ${charge.id} could not be computed`, defect), false),
        ),
      )
    },
  )

  readonly #spellByBooks = Effect.fnUntraced({ self: this }, function* (charge: Charge, shown: ProcessorView) {
    let view = shown
    for (const payment of shown.payments) {
      const returns = shown.returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId)
      view = spellView(view, yield* findId(this.#ports.lists, { ...payment, returns }, charge))
    }
    return view
  })

  /**
   * If the settling payment was returned as an exception, another payment has settled the charge: adds the charge's further
   * payments from the books.
   */
  readonly #addFurther = Effect.fnUntraced({ self: this }, function* (charge: Charge, view: ShownView) {
    const isMistaken = view.returns.some((one) => isSettledBy(charge, one.endToEndId) && isExceptionRefund(one))
    if (!isMistaken) return view
    const isShown = ({ endToEndId }: PaymentNotice) => view.payments.some((one) => one.endToEndId === endToEndId)
    const further = (yield* this.#exceptions.listFurther(charge)).filter(({ payment }) => !isShown(payment))
    return {
      payments: [...view.payments, ...further.map(({ payment }) => payment)],
      returns: [...view.returns, ...further.flatMap(({ returns }) => returns)],
    }
  })

  #recordShown(
    charge: Charge,
    { payments, returns }: ShownView,
    refused: ReadonlyArray<string> = [],
  ): Effect.Effect<{ readonly charge: Charge; readonly refused: ReadonlyArray<string> }, CommitError> {
    return this.confirm(charge, payments, returns).pipe(
      Effect.map((after) => ({ charge: after, refused })),
      Effect.catchTag("PaymentOfAnotherCharge", ({ endToEndId }) => {
        const others = payments.filter((payment) => payment.endToEndId !== endToEndId)
        return this.#recordShown(charge, { payments: others, returns }, [...refused, endToEndId])
      }),
    )
  }

  readonly #applyToOwner = Effect.fnUntraced(
    { self: this },
    function* (
      payment: Pick<Return, "issuer" | "endToEndId">,
      command: RefundCommand,
      among?: Charge,
    ): Effect.fn.Return<void, MoveError> {
      const { issuer, endToEndId } = payment
      const owner = yield* this.#findByPayment(payment)
      if (owner !== undefined && isSettledBy(owner, endToEndId)) {
        yield* this.#moves.apply(owner, command)
        return
      }
      yield* this.#exceptions.apply(issuer, endToEndId, command).pipe(
        // A charge that has adopted the payment meanwhile gets the command.
        Effect.catchTag("ExceptionNotFound", () =>
          Effect.flatMap(this.#findByPayment(payment), (adopter = among) =>
            adopter === undefined ? Effect.void : this.#moves.apply(adopter, command),
          ),
        ),
        Effect.catchTag("ExceptionClosed", Effect.die),
      )
    },
  )

  readonly #findByPayment = Effect.fnUntraced(
    { self: this },
    function* ({ issuer, endToEndId }: Pick<Return, "issuer" | "endToEndId">) {
      const { store, lists } = this.#ports
      const payment = yield* lists.payment(issuer, endToEndId)
      return payment?.chargeId && (yield* store.find(issuer, payment.chargeId))
    },
  )
}
