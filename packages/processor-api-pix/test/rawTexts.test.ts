import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { company } from "./bank/openBank.ts"
import { noticeUrl, openShop } from "./bank/openShop.ts"

const anHour = () => ({ from: Date.now() - 3_600_000, until: Date.now() + 60_000 })

/** A payer's text with characters that a telephone's keyboard or an old terminal can produce. */
const text = "pedido 12\u0000 - caf\u00e9\n\tobrigada\u001b"

const opened = Effect.gen(function* () {
  const shop = yield* openShop({ psp: { ways: { rawControls: true } } })
  const { pix, psp } = shop
  const issue = () => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  const charges = yield* Effect.promise(() => Promise.all([issue(), issue(), issue()]))
  const payments = charges.map(({ txid }, n) => psp.pay(company.cnpj, txid, n === 1 ? { text } : {}))
  const states = () =>
    Effect.promise(() => Promise.all(charges.map(async ({ id }) => (await pix.find(company.cnpj, id))._tag)))
  return { ...shop, payments, states }
})

describe("a payer's text with raw control characters", () => {
  it.live("doesn't make a list of payments unreadable", () =>
    Effect.gen(function* () {
      const { pix, states } = yield* opened
      const found = yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
      expect(found).toMatchObject({ listed: 3, payments: 3 })
      expect(yield* states()).toEqual(["Paid", "Paid", "Paid"])
    }),
  )

  it.live("doesn't make a notice or the payment at the bank unreadable", () =>
    Effect.gen(function* () {
      const { pix, psp, payments, states } = yield* opened
      const mounted = (request: Request) => pix.fetch(request)
      yield* Effect.promise(async () => {
        const claims = payments.map(({ endToEndId, txid }, n) => ({
          endToEndId,
          txid,
          ...(n === 1 && { infoPagador: text }),
        }))
        const body = JSON.stringify({ pix: claims }).replaceAll("\\u0000", "\0").replaceAll("\\n", "\n")
        expect(() => JSON.parse(body)).toThrow(SyntaxError)
        const notice = new Request(`https://shop.invalid${noticeUrl(company)}/pix`, { method: "POST", body })
        expect((await mounted(notice)).status).toBe(200)
      })
      expect(yield* states()).toEqual(["Paid", "Paid", "Paid"])
      expect(psp.exchanges.some(({ path }) => path === `/pix/${payments[1]?.endToEndId}`)).toBe(true)
    }),
  )

  it.live("doesn't make a notice in ISO 8859-1 unreadable", () =>
    Effect.gen(function* () {
      const { pix, payments, states } = yield* opened
      const claims = payments.map(({ endToEndId, txid }) => ({ endToEndId, txid, infoPagador: "café" }))
      const body = Buffer.from(JSON.stringify({ pix: claims }), "latin1")
      const notice = new Request(`https://shop.invalid${noticeUrl(company)}`, { method: "POST", body })
      expect((yield* Effect.promise(() => pix.fetch(notice))).status).toBe(200)
      expect(yield* states()).toEqual(["Paid", "Paid", "Paid"])
    }),
  )
})
