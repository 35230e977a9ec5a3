import { createHmac } from "node:crypto"
import { type Exchange, PaymentNotices } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { type Bank, type LedgerPayment, writeNotice } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"

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
