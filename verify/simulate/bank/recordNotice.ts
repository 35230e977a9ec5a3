import { receivedBy } from "@pixcharge/core/internal"
import { Bookkeeping, PixCharges } from "@pixcharge/core"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BankClient } from "./BankClient.ts"
import { receivedPayment } from "./bankProcessor.ts"

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
