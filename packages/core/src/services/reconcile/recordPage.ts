import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { bySettlement } from "../../model/charge/decideView.ts"
import { isSettled, type PaymentStanding } from "../../model/charge/PaymentException.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { PaymentPage, PaymentProcessor, PaymentSearch, ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import { hideCause } from "../../runtime/CausedError.ts"
import { logFailure, paymentLabel } from "../../runtime/telemetry.ts"
import { type NewlyRecorded, paymentRefOf } from "../charges/ReceivedPayments.ts"
import { receivedBy, type Receiver } from "../charges/Receivers.ts"
import type { ReconcilerPorts } from "./ReconcilerPorts.ts"

const maxPageMs = 60_000

export const readListed = Effect.fnUntraced(function* (
  processor: PaymentProcessor["Service"],
  issuer: Cnpj,
  search: PaymentSearch,
  cursor?: string,
): Effect.fn.Return<PaymentPage, ProcessorUnavailable> {
  const page = yield* Effect.suspend(() => processor.payments(issuer, search, cursor)).pipe(
    Effect.timeoutOrElse({
      duration: maxPageMs,
      orElse: () => new ProcessorUnavailable({ operation: "payments", cause: `no answer within ${maxPageMs} ms` }),
    }),
    // An adapter can throw on an odd answer.
    Effect.catchDefect((cause) => new ProcessorUnavailable({ operation: "payments", cause: hideCause(cause) })),
  )
  if (page.cursor !== undefined && page.cursor === cursor) {
    return yield* new ProcessorUnavailable({ operation: "payments", cause: "the next page has the same cursor" })
  }
  return page
})

/** A payment without a txid and without a charge. `isNew`: the books didn't have it. */
export interface UnnamedPayment extends Pick<ReceivedPayment, "amountCents" | "paidAt"> {
  readonly isNew: boolean
}

export interface RecordedPage {
  readonly listed: ReadonlyArray<string>
  /** Payments and returns that were new to the books. */
  readonly payments: number
  readonly returns: number
  /** Payments that couldn't be recorded; each is logged. */
  readonly failed: number
  readonly unreadable: number
  readonly unnamed: ReadonlyArray<UnnamedPayment>
  /** Absent on the last page. */
  readonly cursor?: string
}

export const isIncomplete = ({ failed, unreadable }: Pick<RecordedPage, "failed" | "unreadable">): boolean =>
  failed > 0 || unreadable > 0

const nothing: NewlyRecorded = { payments: 0, returns: 0, isUnmatched: false }

/** Undefined for a payment of another system or company. */
const ownPayment = (payment: ReceivedPayment, receiver: Receiver) =>
  Result.map(receiver, (issuer) => issuer && receivedBy(issuer, payment))

const paymentKey = ({ issuer, endToEndId }: Pick<PaymentStanding, "issuer" | "endToEndId">): string =>
  `${issuer} ${endToEndId}`

/** The payments that need no write, because the books have all of their data. Empty while the store doesn't answer. */
const findSettled = Effect.fnUntraced(function* (
  store: ReconcilerPorts["store"],
  payments: ReadonlyArray<ReceivedPayment>,
) {
  const read = payments.length === 0 ? Effect.succeed([]) : store.standings(payments.map(paymentRefOf))
  const standings = yield* Effect.catch(read, () => Effect.succeed([]))
  const byKey = new Map(standings.map((standing) => [paymentKey(standing), standing]))
  const settled = new Map<ReceivedPayment, NewlyRecorded>()
  for (const payment of payments) {
    const standing = byKey.get(paymentKey(payment))
    if (standing === undefined || !isSettled(standing, payment)) continue
    settled.set(payment, { ...nothing, isUnmatched: standing.charge === undefined })
  }
  return settled
})

const record = (books: ReconcilerPorts["books"], own: ReturnType<typeof ownPayment>, endToEndId: string) => {
  const label = `The payment ${paymentLabel(endToEndId)}`
  return Effect.fromResult(own).pipe(
    Effect.flatMap((payment) =>
      payment === undefined ? Effect.succeed(nothing) : books.recordReceivedPayment(payment),
    ),
    Effect.map((one) => ({ ...one, failed: 0 })),
    Effect.catchTag("PaymentOfAnotherCompany", (error) =>
      Effect.as(logFailure("Warn", `${label} is in another company's books`, error), { ...nothing, failed: 0 }),
    ),
    Effect.catchCause((cause) =>
      Effect.as(logFailure("Error", `${label} could not be recorded`, cause), { ...nothing, failed: 1 }),
    ),
  )
}

export type RecordPage = (
  issuer: Cnpj,
  search: PaymentSearch,
  cursor?: string,
) => Effect.Effect<RecordedPage, ProcessorUnavailable>

/** A payment that can't be recorded doesn't stop the rest. */
export const recordPage = Effect.fnUntraced(function* (
  { processor, books, store }: ReconcilerPorts,
  issuer: Cnpj,
  search: PaymentSearch,
  cursor?: string,
): Effect.fn.Return<RecordedPage, ProcessorUnavailable> {
  const page = yield* readListed(processor, issuer, search, cursor)
  let [payments, returns, failed] = [0, 0, 0]
  const unnamed: Array<UnnamedPayment> = []
  const items = bySettlement(
    page.items,
    page.items.flatMap((item) => item.returns),
  )
  const receivers = yield* books.receivers(issuer, items)
  const owned = receivers.map((receiver, index) => ownPayment(items[index] as ReceivedPayment, receiver))
  const settled = yield* findSettled(
    store,
    owned.flatMap((own) => Result.getOrUndefined(own) ?? []),
  )
  // In this order, because the first payment of a charge settles it.
  for (const [index, own] of owned.entries()) {
    const { amountCents, endToEndId, paidAt, txid } = items[index] as ReceivedPayment
    const known = Result.isSuccess(own) && own.success && settled.get(own.success)
    const one = known ? { ...known, failed: 0 } : yield* record(books, own, endToEndId)
    payments += one.payments
    returns += one.returns
    failed += one.failed
    if (one.isUnmatched && txid === undefined) unnamed.push({ amountCents, paidAt, isNew: one.payments > 0 })
  }
  return {
    unnamed,
    listed: page.items.map(({ endToEndId }) => endToEndId),
    payments,
    returns,
    failed,
    unreadable: page.unreadable ?? 0,
    ...(page.cursor !== undefined && { cursor: page.cursor }),
  }
})
