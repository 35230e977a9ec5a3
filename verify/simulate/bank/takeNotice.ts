import { createHmac } from "node:crypto"
import { Bookkeeping, type Exchange, PaymentNotices, PixCharges, type ReceivedPayment } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { type Bank, type LedgerPayment, writeNotice } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { receivedBy } from "@pixcharge/core/internal"
import * as Result from "effect/Result"
import type { BankClient } from "./BankClient.ts"
import { receivedPayment } from "./bankProcessor.ts"
import { keyHolder } from "../names.ts"
import type { HostServices, Serving } from "../Host.ts"

export const noticeSecret = "the secret of the simulated world's webhooks"

/**
 * A company's webhook address below the path of notices. It must not change, because banks keep registered addresses.
 */
const noticeAddress = (company: Cnpj): string => {
  const mac = createHmac("sha256", noticeSecret).update(`pixcharge notice address 1\n${company}`).digest("hex")
  return `/${company}/${mac.slice(0, 32)}`
}

const { signal } = new AbortController()

const makeExchange = (url: string, text: string): Exchange => ({
  method: "POST",
  url,
  fullUrl: url,
  header: () => undefined,
  body: () => Promise.resolve({ _tag: "Text", text }),
  signal,
})

export const callWebhook = ({ ways }: Bank, issuer: Cnpj, payments: ReadonlyArray<LedgerPayment>) =>
  Effect.gen(function* () {
    const { suffix, text } = writeNotice(payments, ways)
    const below = `${noticeAddress(issuer)}${suffix}`
    const reply = (yield* PaymentNotices).handle(makeExchange(below, text), below)
    return reply === undefined ? 404 : (yield* reply).status
  })

const timeLimitMs = 10_000

/** Records only the payment that the bank confirms, and returns it. */
export const recordNotice = (
  bank: BankClient,
  issuer: Cnpj,
  { endToEndId, txid }: Pick<LedgerPayment, "endToEndId" | "txid">,
  isPlain: boolean,
) =>
  Effect.gen(function* () {
    const charges = yield* PixCharges
    const books = yield* Bookkeeping
    const claim = { endToEndId, returnIds: [], hasUnnamedReturns: false, ...(txid !== undefined && { txid }) }
    const [inspected] = yield* books.inspect(issuer, [claim])
    const payment = yield* Effect.timeout(bank.getPayment(issuer, endToEndId), timeLimitMs)
    if (payment === undefined) return
    const shown = receivedPayment(payment)
    const [receiver] = yield* books.receivers(issuer, [shown])
    const owner = yield* Effect.fromResult(receiver ?? Result.succeed(undefined))
    if (owner === undefined) return
    const received = receivedBy(owner, shown)
    const { returns, pixKey: _, ...notice } = received
    if (isPlain && returns.length === 0) {
      yield* Effect.catchTag(charges.confirmPayment(notice), "PaymentUnmatched", () => Effect.void)
    } else {
      yield* books.recordReceivedPayment(received, inspected?.charge)
    }
    return received
  })

export interface Notice {
  readonly payment: LedgerPayment
  readonly grouped: number
  readonly host: number
  /** True if the host trusts the notice because it learned of the payment without the bank's webhook. */
  readonly isPlain: boolean
}

/** Gives a notice to a process. Fails if the bank must repeat the notice. */
export type TakeNotice = (
  host: Serving,
  notice: Notice,
) => Effect.Effect<ReadonlyArray<ReceivedPayment>, unknown, HostServices>

export const takeDirectly: TakeNotice = ({ bank }, { payment, isPlain }) =>
  Effect.map(recordNotice(bank, keyHolder(payment.pixKey), payment, isPlain), (received) =>
    received === undefined ? [] : [received],
  )

/** The bank calls the process's webhook with the payment and some earlier ones of the same key. */
export const takeByWebhook =
  (bank: Bank): TakeNotice =>
  (_, { payment, grouped }) =>
    Effect.suspend(() => {
      const { pixKey } = payment
      const issuer = keyHolder(pixKey)
      const others = [...bank.ledger.payments.values()].filter((one) => one !== payment && one.pixKey === pixKey)
      const payments = [payment, ...others.toReversed().slice(0, grouped)]
      const recorded = payments.map((one) => receivedPayment({ ...one, issuer }))
      return Effect.flatMap(callWebhook(bank, issuer, payments), (status) => {
        if (status === 200) return Effect.succeed(recorded)
        return status === 503 ? Effect.fail(status) : Effect.die(`a notice of the bank is refused with ${status}`)
      })
    })
