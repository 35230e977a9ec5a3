import { it } from "@pixcharge/adapter-tests/suites"
import type { BankAnswer, BankRequest } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { noticeUrl, openShop } from "./bank/openShop.ts"

const lowerCaseInLists = (answer: BankAnswer, { path }: BankRequest): BankAnswer => {
  if (path !== "/pix") return answer
  const written = JSON.stringify(answer.body).replaceAll(/"endToEndId":"\w+"/g, (field) =>
    field.toLowerCase().replace("endtoendid", "endToEndId"),
  )
  return { ...answer, body: JSON.parse(written) }
}

describe("a bank that changes upper and lower case of an endToEndId", () => {
  it.live("shows one payment in a notice, a list, a comparison and a return", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShop({ psp: { ways: { reshape: lowerCaseInLists, returnPace: "atOnce" } } })
      yield* Effect.promise(async () => {
        const { id, txid } = await pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })
        const { endToEndId } = psp.pay(company.cnpj, txid)
        const unmatched = psp.payToKey(company.pixKey, 700)
        const body = JSON.stringify({ pix: [{ endToEndId: endToEndId.toLowerCase(), txid }] })
        const notice = new Request(`https://shop.invalid${noticeUrl(company)}/pix`, { method: "POST", body })
        expect((await pix.fetch(notice)).status).toBe(200)
        expect(await pix.find(company.cnpj, id)).toMatchObject({ _tag: "Paid", payment: { endToEndId } })

        const period = { from: Date.now() - 3_600_000, until: Date.now() + 60_000 }
        expect(await pix.reconcile(company.cnpj, period)).toMatchObject({ listed: 2, payments: 1 })
        const open = []
        for await (const one of pix.exceptions.list(company.cnpj)) open.push(one.payment.endToEndId)
        expect(open).toEqual([unmatched.endToEndId.toLowerCase()])
        expect(await pix.comparison(company.cnpj, period)).toMatchObject({ differences: 0 })

        await pix.refund(company.cnpj, id)
        await pix.reconcile(company.cnpj, period)
        const { payment, returns } = (await pix.find(company.cnpj, id)) as unknown as {
          readonly payment: { readonly endToEndId: string }
          readonly returns: ReadonlyArray<{ readonly kind: string; readonly endToEndId: string }>
        }
        expect(payment.endToEndId).toBe(endToEndId)
        expect(returns).toHaveLength(1)
        expect(returns).toMatchObject([{ kind: "refund", endToEndId }])
      })
    }),
  )
})

describe("a bank that puts blanks around its codes and addresses", () => {
  it.live("leads to a trimmed code", () =>
    Effect.gen(function* () {
      const padded = (answer: BankAnswer): BankAnswer => {
        const body = answer.body as { readonly pixCopiaECola?: string; readonly location?: string } | undefined
        if (body?.pixCopiaECola === undefined) return answer
        return {
          ...answer,
          body: { ...body, pixCopiaECola: `\n ${body.pixCopiaECola}\r\n`, location: ` ${body.location} ` },
        }
      }
      const { pix, psp } = yield* openShop({ psp: { ways: { reshape: padded, nulls: true } } })
      const charge = yield* Effect.promise(() => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 }))
      expect(charge.brCode).toMatch(/^0002\S+/)
      expect(charge.brCode).toBe(charge.brCode.trim())
      expect(psp.ledger.charges.size).toBe(1)
    }),
  )
})
