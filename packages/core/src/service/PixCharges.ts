import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { brasiliaDateOf } from "../calendar/BrasiliaTime.ts"
import type { CancelledCharge, Charge, RefundedCharge, RefundingCharge } from "../charge/Charge.ts"
import { type ChargeId, chargeIdOf } from "../charge/ChargeId.ts"
import type { ChargeRequest } from "../charge/ChargeRequest.ts"
import type { IssuedCharge, RepeatRefusal } from "../charge/decide.ts"
import type { InvalidFees } from "../charge/Fees.ts"
import { amountDueOn } from "../charge/LateFees.ts"
import type { Payment } from "../charge/Payment.ts"
import type { PaymentNotice } from "../charge/PaymentNotice.ts"
import {
  ChargeAlreadyPaid,
  type ChargeNotFound,
  type CompanyNotFound,
  type DirectoryUnavailable,
  type DueDateOutOfRange,
  type IssuerNotEligible,
  PaymentUnmatched,
  type ProcessorRejected,
  type ProcessorUnavailable,
  type RefundRejected,
  type StoreUnavailable,
} from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { CallbackEndpoints } from "../ports/CallbackEndpoints.ts"
import { ChargeStore } from "../ports/ChargeStore.ts"
import { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import { HolidayCalendar } from "../ports/HolidayCalendar.ts"
import { PaymentProcessor, type ProcessorView } from "../ports/PaymentProcessor.ts"
import { TransactionIds } from "../ports/TransactionIds.ts"
import { makeMoves, type MoveError } from "./ChargeMoves.ts"
import { makeIssue } from "./issueCharge.ts"
import { OutboxSignal } from "./OutboxSignal.ts"
import { makeRefund } from "./refundCharge.ts"

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
 * reaches another company's charges.
 */
export class PixCharges extends Context.Service<
  PixCharges,
  {
    /** Issues a charge, or finds the one that the same request issued before (decision 11). */
    readonly issue: (issuer: Cnpj, request: ChargeRequest) => Effect.Effect<IssuedCharge, IssueError>
    readonly find: (issuer: Cnpj, id: ChargeId) => Effect.Effect<Charge, ChargeNotFound | StoreUnavailable>
    /** Records a payment and settles its charge with it, or lists it as an exception (decision 31). */
    readonly confirmPayment: (notice: PaymentNotice) => Effect.Effect<Charge, MoveError | PaymentUnmatched>
    /** Returns the full amount of a paid charge (decision 18). */
    readonly refund: (
      issuer: Cnpj,
      id: ChargeId,
    ) => Effect.Effect<RefundedCharge | RefundingCharge, MoveError | RefundRejected>
    /** Brings on a refund whose answer is still out; while the processor is silent it stands as it was. */
    readonly resumeRefund: (
      charge: RefundingCharge,
    ) => Effect.Effect<RefundedCharge | RefundingCharge, MoveError | RefundRejected | ProcessorUnavailable>
    /** Takes an unpaid charge away from its payer; the processor's charge goes first. */
    readonly cancel: (
      issuer: Cnpj,
      id: ChargeId,
    ) => Effect.Effect<CancelledCharge, MoveError | ProcessorUnavailable | ProcessorRejected>
    /** Takes over what the processor knows of a charge: payments and returns that were not told, or not heard. */
    readonly absorb: (charge: Charge, view: ProcessorView) => Effect.Effect<Charge, MoveError>
  }
>()("@pixcharge/core/service/PixCharges") {
  static readonly layer = Layer.effect(PixCharges, Effect.suspend(make))
}

function make() {
  return Effect.gen(function* () {
    const store = yield* ChargeStore
    const processor = yield* PaymentProcessor
    const directory = yield* CompanyDirectory
    const calendar = yield* HolidayCalendar
    const moves = makeMoves({
      store,
      directory,
      endpoints: yield* CallbackEndpoints,
      signal: yield* OutboxSignal,
    })
    const { refund, pursue } = makeRefund(moves, processor)

    /** Notes what is odd about a payment, which is never a reason to drop it. */
    const paymentOf = Effect.fnUntraced(function* (charge: Charge, notice: PaymentNotice) {
      const entry = charge.fees === undefined ? undefined : yield* directory.find(charge.issuer)
      const holidays = entry && calendar.of(entry.company)
      const due = amountDueOn(charge, brasiliaDateOf(notice.paidAt), holidays)
      const payment: Payment = {
        ...notice,
        chargeId: charge.id,
        recordedAt: yield* Clock.currentTimeMillis,
        late: notice.paidAt > charge.payableUntil,
        otherAmount: notice.amountCents !== due.totalCents,
      }
      return payment
    })

    const recordUnmatched = Effect.fnUntraced(function* (notice: PaymentNotice) {
      const recordedAt = yield* Clock.currentTimeMillis
      yield* store.recordUnmatched({ ...notice, recordedAt, late: false, otherAmount: false })
      return yield* new PaymentUnmatched({ issuer: notice.issuer, endToEndId: notice.endToEndId })
    })

    const confirm = Effect.fnUntraced(function* (charge: Charge, notice: PaymentNotice) {
      return yield* moves.apply(charge, { _tag: "ConfirmPayment", payment: yield* paymentOf(charge, notice) })
    })

    const confirmPayment = Effect.fnUntraced(function* (notice: PaymentNotice) {
      const id = notice.txid === undefined ? undefined : chargeIdOf(notice.txid)
      const charge = id && (yield* store.find(notice.issuer, id))
      return charge === undefined ? yield* recordUnmatched(notice) : yield* confirm(charge, notice)
    })

    const absorb = Effect.fnUntraced(function* (charge: Charge, view: ProcessorView) {
      let after = charge
      for (const notice of view.payments) {
        // A payment that stands in the books elsewhere stays there, and keeps none of the others from being recorded.
        const elsewhere = after
        after = yield* Effect.catchTag(confirm(after, notice), "PaymentOfAnotherCharge", () =>
          Effect.succeed(elsewhere),
        )
      }
      for (const returned of view.returns) after = yield* moves.apply(after, { _tag: "RecordReturn", returned })
      return after
    })

    const cancel = Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId) {
      const charge = yield* moves.load({ issuer, id })
      if (charge._tag === "Pending") {
        const outcome = yield* processor.cancel(charge)
        if (outcome._tag === "Paid") {
          yield* absorb(charge, outcome.view)
          // Whatever it shows of the payment: what the processor calls paid is not ours to cancel.
          return yield* new ChargeAlreadyPaid({ issuer, id })
        }
      }
      const after = yield* moves.apply(yield* moves.load(charge), { _tag: "Cancel" })
      return after._tag === "Cancelled" ? after : yield* new ChargeAlreadyPaid({ issuer, id })
    })

    return PixCharges.of({
      issue: makeIssue({ store, directory, processor, calendar, transactionIds: yield* TransactionIds }),
      find: (issuer, id) => moves.load({ issuer, id }),
      confirmPayment,
      refund,
      resumeRefund: (charge) => pursue(charge, true),
      cancel,
      absorb,
    })
  })
}
