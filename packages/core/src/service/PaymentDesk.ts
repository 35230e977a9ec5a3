import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { deferredCheckAt, nextRefundCheckAt } from "../charge/checkSchedule.ts"
import { exceptionRefund } from "../charge/decideException.ts"
import type { Payment, Return } from "../charge/Payment.ts"
import { ExceptionRefundRejected, type StoreUnavailable } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { TaxId } from "../party/TaxId.ts"
import type { PaymentException } from "../charge/PaymentException.ts"
import type { Page, PageRequest } from "../page/Page.ts"
import type { Period } from "../page/Period.ts"
import { ChargeLists } from "../ports/ChargeLists.ts"
import { DueChecks } from "../ports/DueChecks.ts"
import { ExceptionStore } from "../ports/ExceptionStore.ts"
import { PayerData, type PayerRecord } from "../ports/PayerData.ts"
import { PaymentProcessor } from "../ports/PaymentProcessor.ts"
import { storableText } from "../storable/StorableText.ts"
import { type ExceptionMoveError, makeExceptionMoves } from "./exceptionMoves.ts"
import { findReturns } from "./findReturns.ts"
import { makePursueRefund, type RefundUnderWay } from "./pursueRefund.ts"
import { makeFollowUp } from "./reconcile/followUp.ts"
import { storableReturn } from "./storableFacts.ts"
import { storableProcessor } from "./storableProcessor.ts"

/** How work on an exception can fail. */
export type ExceptionError = ExceptionMoveError | ExceptionRefundRejected

/**
 * What people do with money: the payments that settled no charge, the day's list for the bank, a payer's rights over
 * their data. Every operation may be repeated without harm.
 */
export class PaymentDesk extends Context.Service<
  PaymentDesk,
  {
    /** Payments that settled no charge and wait for a decision, oldest first (decision 31). */
    readonly exceptions: (issuer: Cnpj, page: PageRequest) => Effect.Effect<Page<PaymentException>, StoreUnavailable>
    /** Returns the whole payment; answers `Refunding` while the processor works on it. */
    readonly refundException: (issuer: Cnpj, endToEndId: string) => Effect.Effect<PaymentException, ExceptionError>
    /** Keeps the payment and closes the case, with a note that says why. */
    readonly resolveException: (
      issuer: Cnpj,
      endToEndId: string,
      note: string,
    ) => Effect.Effect<PaymentException, ExceptionError>
    /** Records money that went back elsewhere for a payment that settled no charge, once by its id. */
    readonly recordReturn: (returned: Return) => Effect.Effect<PaymentException, ExceptionError>
    /** Brings on refunds of exceptions whose answer is out, of all companies, one batch; the layer does so by itself. */
    readonly resumeRefunds: Effect.Effect<void, StoreUnavailable>
    /** Every payment made within the period, oldest first: for the daily reconciliation by endToEndId. */
    readonly payments: (
      issuer: Cnpj,
      period: Period,
      page: PageRequest,
    ) => Effect.Effect<Page<Payment>, StoreUnavailable>
    /** All that the company keeps about a payer (LGPD, art. 18, II). */
    readonly exportPayer: (issuer: Cnpj, taxId: TaxId) => Effect.Effect<PayerRecord, StoreUnavailable>
    /** Forgets a payer's name and document; money facts stay (LGPD, art. 16, I). How many charges. */
    readonly erasePayer: (issuer: Cnpj, taxId: TaxId) => Effect.Effect<number, StoreUnavailable>
  }
>()("@pixcharge/core/service/PaymentDesk") {
  static readonly layer = Layer.effect(PaymentDesk, Effect.suspend(make))
}

const underWay = ({ payment, state }: PaymentException): RefundUnderWay | undefined => {
  if (state._tag !== "Refunding") return undefined
  const { issuer, endToEndId, amountCents } = payment
  const refund = exceptionRefund(state)
  return { refund, order: { issuer, endToEndId, amountCents, refundId: refund.id } }
}

const requestedAtOf = ({ payment, state }: PaymentException): number =>
  state._tag === "Refunding" ? state.requestedAt : payment.recordedAt

function make() {
  return Effect.gen(function* () {
    const store = yield* ExceptionStore
    const checks = yield* DueChecks
    const lists = yield* ChargeLists
    const payers = yield* PayerData
    const processor = storableProcessor(yield* PaymentProcessor)

    const exceptions = makeExceptionMoves(store)
    const pursue = makePursueRefund<PaymentException, ExceptionMoveError>(processor, {
      underWay,
      move: ({ payment: { issuer, endToEndId } }, command) => exceptions.move(issuer, endToEndId, command),
      look: Effect.fnUntraced(function* ({ payment: { issuer, endToEndId, paidAt } }) {
        const returns = yield* findReturns(processor, { issuer, endToEndId, paidAt })
        for (const returned of returns) yield* exceptions.apply(issuer, endToEndId, { _tag: "RecordReturn", returned })
        return yield* exceptions.load(issuer, endToEndId)
      }),
    })

    const refundException = Effect.fnUntraced(function* (issuer: Cnpj, endToEndId: string) {
      const requested = yield* exceptions.move(issuer, endToEndId, { _tag: "RequestRefund" })
      const after = yield* pursue.begin(requested)
      if (after.state._tag !== "Open") return after
      const reason = after.state.failedRefund?.reason ?? ""
      return yield* new ExceptionRefundRejected({ issuer, endToEndId, reason })
    })

    /** Brings a refund on whose answer is out; whether that moved anything. */
    const resume = Effect.fnUntraced(function* (exception: PaymentException) {
      const after = yield* pursue.resume(exception)
      if (after.state._tag === "Refunding") {
        const now = yield* Clock.currentTimeMillis
        yield* checks.scheduleException(after, nextRefundCheckAt(after.state, now))
      }
      return after.version !== exception.version
    })

    const followUp = yield* makeFollowUp<PaymentException>({
      nameOf: ({ payment }) => `The refund of payment ${payment.endToEndId}`,
      issuerOf: ({ payment }) => payment.issuer,
      claim: (request) => checks.claimExceptions(request),
      ask: resume,
      schedule: (exception, checkAt) =>
        checkAt === undefined ? Effect.void : checks.scheduleException(exception, checkAt),
      deferredAt: (exception, now) => deferredCheckAt(requestedAtOf(exception), now),
      repeatedAt: (exception, now) => nextRefundCheckAt({ requestedAt: requestedAtOf(exception) }, now),
      // Committed is committed: it is followed up until there is an answer.
      isOver: () => false,
      onFinding: () => Effect.void,
      mostAtOnce: 16,
      idleMs: { first: 5_000, longest: 30_000 },
    })

    return PaymentDesk.of({
      exceptions: store.listOpen,
      refundException,
      resolveException: (issuer, endToEndId, note) =>
        exceptions.apply(issuer, endToEndId, { _tag: "Resolve", note: storableText(note) }),
      recordReturn: (told) => {
        const returned = storableReturn(told)
        return exceptions.apply(returned.issuer, returned.endToEndId, { _tag: "RecordReturn", returned })
      },
      resumeRefunds: Effect.asVoid(followUp.round),
      payments: lists.payments,
      exportPayer: payers.export,
      erasePayer: (issuer, taxId) => Effect.flatMap(Clock.currentTimeMillis, (now) => payers.erase(issuer, taxId, now)),
    })
  })
}
