import { PixCharges } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { BankClient } from "./BankClient.ts"
import { receivedPayment } from "./bankProcessor.ts"

const timeLimitMs = 10_000

/** What a process does with a notice: it asks the bank for the payment, which alone is believed. Answers with what it recorded. */
export const recordNotice = (bank: BankClient, issuer: Cnpj, endToEndId: string, isPlain: boolean) =>
  Effect.gen(function* () {
    const payment = yield* Effect.timeout(bank.getPayment(issuer, endToEndId), timeLimitMs)
    if (payment === undefined) return
    const received = receivedPayment(payment)
    const { returns, ...notice } = received
    const charges = yield* PixCharges
    if (isPlain && returns.length === 0) {
      yield* Effect.catchTag(charges.confirmPayment(notice), "PaymentUnmatched", () => Effect.void)
    } else {
      yield* charges.recordReceivedPayment(received)
    }
    return received
  })
