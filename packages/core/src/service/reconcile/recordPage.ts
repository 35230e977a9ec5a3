import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ProcessorUnavailable } from "../../errors.ts"
import type { Cents } from "../../money/Money.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { PaymentSearch, ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import { type Receiver, receivedBy } from "../findReceivers.ts"
import type { NewlyRecorded } from "../recordReceivedPayment.ts"
import { makeReadListed } from "./readListed.ts"
import type { ReconcilerPorts } from "./ReconcilerPorts.ts"
import { logFailure, paymentLabel } from "../../telemetry/index.ts"

/** What one page of a processor's list came to. */
export interface RecordedPage {
  /** The endToEndIds of the payments on the page; one may be on the next page, too. */
  readonly listed: ReadonlyArray<string>
  /** What was not in the books before. */
  readonly payments: number
  readonly returns: number
  /** Payments that could not be recorded; the reason of each is logged. */
  readonly failed: number
  /** Payments and returns that the processor lists and nobody can read; the adapter says why. */
  readonly unreadable: number
  /** The amounts of payments that name no charge and are none's, whoever recorded them first. */
  readonly unnamed: ReadonlyArray<Cents>
  /** Where the page ended; absent on the last one. */
  readonly cursor?: string
}

/** Not all that the page lists is in the books. */
export const isIncomplete = ({ failed, unreadable }: Pick<RecordedPage, "failed" | "unreadable">): boolean =>
  failed > 0 || unreadable > 0

const nothing: NewlyRecorded = { payments: 0, returns: 0, isUnmatched: false }

/** Reads one page of the processor's list into the books; a payment that can't be recorded keeps no other from being. */
export const makeRecordPage = ({ processor, charges }: ReconcilerPorts) => {
  const readListed = makeReadListed(processor)

  const record = Effect.fnUntraced(
    function* (received: ReceivedPayment, receiver: Receiver) {
      const issuer = yield* Effect.fromResult(receiver)
      return issuer === undefined ? nothing : yield* charges.recordReceivedPayment(receivedBy(issuer, received))
    },
    (recorded, { endToEndId }) => {
      const label = `The payment ${paymentLabel(endToEndId)}`
      return recorded.pipe(
        Effect.map((one) => ({ ...one, failed: 0 })),
        // It is recorded, and there only.
        Effect.catchTag("PaymentOfAnotherCompany", (error) =>
          Effect.as(logFailure("Warn", `${label} is in another company's books`, error), { ...nothing, failed: 0 }),
        ),
        Effect.catchCause((cause) =>
          Effect.as(logFailure("Error", `${label} could not be recorded`, cause), { ...nothing, failed: 1 }),
        ),
      )
    },
  )

  /** Whose the payments are; of none of them it is known while store or directory don't answer. */
  const receiversOf = (issuer: Cnpj, items: ReadonlyArray<ReceivedPayment>) =>
    Effect.catch(charges.receivers(issuer, items), (failure) => Effect.succeed(items.map(() => Result.fail(failure))))

  return Effect.fnUntraced(function* (
    issuer: Cnpj,
    search: PaymentSearch,
    cursor?: string,
  ): Effect.fn.Return<RecordedPage, ProcessorUnavailable> {
    const page = yield* readListed(issuer, search, cursor)
    let [payments, returns, failed] = [0, 0, 0]
    const unnamed: Array<Cents> = []
    // One after the other, oldest first: the first payment of a charge settles it.
    const receivers = yield* receiversOf(issuer, page.items)
    for (const [at, receiver] of receivers.entries()) {
      const received = page.items[at] as ReceivedPayment
      const one = yield* record(received, receiver)
      payments += one.payments
      returns += one.returns
      failed += one.failed
      if (one.isUnmatched && received.txid === undefined) unnamed.push(received.amountCents)
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
}

/** Records pages of a processor's list. */
export type RecordPage = ReturnType<typeof makeRecordPage>
