import type { Pix } from "@pixcharge/embed"
import { type NoticedCharge, type NoticesUnderTest, paymentNoticesSuite } from "@pixcharge/adapter-tests/suites"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { company } from "./bank/openBank.ts"
import { noticeUrl, openShop } from "./bank/openShop.ts"

const paymentNotice = (payment: { readonly endToEndId: string; readonly txid?: string }): string =>
  JSON.stringify({ pix: [{ ...payment, valor: "19.90", horario: "2026-11-20T12:00:00Z", chave: company.pixKey }] })

const countPayments = async (pix: Pix, id: string): Promise<number> => {
  let count = 0
  for await (const { chargeId } of pix.payments(company.cnpj, { from: 0, until: Date.now() + 60_000 })) {
    if (chargeId === id) count++
  }
  return count
}

const issueAt = async (pix: Pix, psp: SimulatedBank): Promise<NoticedCharge> => {
  const { id, txid } = await pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1990 })
  return {
    pay: () => paymentNotice({ endToEndId: psp.pay(company.cnpj, txid).endToEndId, txid }),
    forge: () => paymentNotice({ endToEndId: "E".padEnd(32, "7"), txid }),
    state: () => pix.find(company.cnpj, id).then(({ _tag }) => _tag),
    payments: () => countPayments(pix, id),
  }
}

const open = Effect.map(openShop(), ({ pix, psp }): NoticesUnderTest => {
  const send = async (at: string, body: string, method = "POST") => {
    const headers = { "content-type": "application/json" }
    const init = method === "GET" ? { method } : { method, headers, body }
    return (await pix.fetch(new Request(`https://shop.invalid${at}`, init))).status
  }
  return {
    path: noticeUrl(company),
    strangersPath: `/webhooks/api-pix/${company.cnpj}/pix`,
    send,
    issue: () => issueAt(pix, psp),
    stopAnswering: () => psp.faults.add({ _tag: "Status", status: 500 }),
  }
})

paymentNoticesSuite("the webhook of API Pix", open)
