import { PixCharges } from "@pixcharge/core"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BankClient } from "./BankClient.ts"
import { receivedPayment } from "./bankProcessor.ts"

const timeLimitMs = 10_000

/**
 * A process's reaction to a notice: it asks the bank for the payment and records only that. Returns what it recorded.
 */
export const recordNotice = (bank: BankClient, { issuer, endToEndId, txid }: LedgerPayment, isPlain: boolean) =>
  Effect.gen(function* () {
    const charges = yield* PixCharges
    const claim = { endToEndId, returnIds: [], hasUnnamedReturns: false, ...(txid !== undefined && { txid }) }
    const [inspected] = yield* charges.inspect(issuer, [claim])
    const payment = yield* Effect.timeout(bank.getPayment(issuer, endToEndId), timeLimitMs)
    if (payment === undefined) return
    const received = receivedPayment(payment)
    const { returns, ...notice } = received
    const [receiver] = yield* charges.receivers(issuer, [received])
    if ((yield* Effect.fromResult(receiver ?? Result.succeed(undefined))) === undefined) return
    if (isPlain && returns.length === 0) {
      yield* Effect.catchTag(charges.confirmPayment(notice), "PaymentUnmatched", () => Effect.void)
    } else {
      yield* charges.recordReceivedPayment(received, inspected?.charge)
    }
    return received
  })
