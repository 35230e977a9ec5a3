import type { Company } from "@pixcharge/core/party"
import type { Pix } from "@pixcharge/embed"
import type { SimulatedBank } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { account, certificates, company, otherCompany } from "./bank/openBank.ts"
import { loggedBy, noticeUrl, openShop, registration } from "./bank/openShop.ts"

type Payment = ReturnType<SimulatedBank["pay"]>

/** A bank's list reaches to its last whole second. */
const aWhileAgo = () => ({ paidAt: Date.now() - 5_000 })
const anHour = () => ({ from: Date.now() - 3_600_000, until: Date.now() + 60_000 })

const listPayments = async (pix: Pix, { cnpj }: Pick<Company, "cnpj">) => {
  const kept = []
  for await (const { endToEndId } of pix.payments(cnpj, anHour())) kept.push(endToEndId)
  return kept
}

/** Two companies that reach one account by the same client, each with a key of its own. */
const openShared = (keys: { readonly ours: string; readonly theirs: string }) =>
  Effect.gen(function* () {
    const { clients } = yield* Effect.promise(certificates)
    const [ours, theirs] = [
      { ...company, pixKey: keys.ours },
      { ...otherCompany, pixKey: keys.theirs },
    ]
    const { clientId, clientSecret } = account
    const shop = yield* openShop({
      companies: [ours, theirs],
      psp: { accounts: [{ ...account, pixKeys: [keys.ours, keys.theirs] }] },
      connection: { clientId, clientSecret, ...clients[company.cnpj] } as never,
    })
    return { ...shop, ours, theirs }
  })

/** The bank shows the payment with another key, or with none. */
const show = (payment: Payment, pixKey: string | undefined): void => void Object.assign(payment, { pixKey })

const notify = (pix: Pix, to: Pick<Company, "cnpj">, { endToEndId, txid }: Payment, named: boolean) =>
  pix.fetch(
    new Request(`https://shop.invalid${noticeUrl(to)}/pix`, {
      method: "POST",
      body: JSON.stringify({ pix: [{ endToEndId, ...(named && { txid }) }] }),
    }),
  )

/** Ways of finding a payment that begin with the company whose it isn't. */
const ways = {
  "the other company's list": (pix: Pix) => pix.reconcile(otherCompany.cnpj, anHour()),
  "a notice to the other company": async (pix: Pix, payment: Payment) =>
    expect((await notify(pix, otherCompany, payment, true)).status).toBe(200),
  "a notice to the other company that names no txid": async (pix: Pix, payment: Payment) =>
    expect((await notify(pix, otherCompany, payment, false)).status).toBe(200),
}

const random = "a2c4e6f8-1234-4abc-8def-0123456789ab"

/** How the bank shows the key of a charge of ours. */
const shown: ReadonlyArray<readonly [string, string, string | undefined]> = [
  ["as it is", random, random],
  ["in capitals", random, random.toUpperCase()],
  ["in capitals, an e-mail", "loja@example.com", "LOJA@EXAMPLE.COM"],
  ["without its +", "+5581987654321", "5581987654321"],
  ["with a mask", "12345678000195", "12.345.678/0001-95"],
  ["as nothing", random, undefined],
  ["as the other company's", random, "outra@example.com"],
]

describe("a payment of one company's charge, on an account of two", () => {
  for (const [way, find] of Object.entries(ways)) {
    for (const [how, key, pixKey] of shown) {
      it.live(`is in that company's books alone: its key is shown ${how}, and it is found by ${way}`, () =>
        Effect.gen(function* () {
          const { pix, psp } = yield* openShared({ ours: key, theirs: "outra@example.com" })
          const charge = yield* Effect.promise(() => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 }))
          const payment = psp.pay(company.cnpj, charge.txid, aWhileAgo())
          show(payment, pixKey)
          yield* Effect.promise(() => find(pix, payment) as Promise<unknown>)
          expect((yield* Effect.promise(() => pix.find(company.cnpj, charge.id)))._tag).toBe("Paid")
          expect(yield* Effect.promise(() => listPayments(pix, otherCompany))).toEqual([])
          expect(yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))).toMatchObject({ payments: 0 })
          const comparisons = yield* Effect.promise(() =>
            Promise.all([company, otherCompany].map(({ cnpj }) => pix.comparison(cnpj, anHour()))),
          )
          expect(comparisons.map(({ matches, differences }) => [matches, differences])).toEqual([
            [1, 0],
            [0, 0],
          ])
        }),
      )
    }
  }

  it.live("is that company's when its key has moved to the other one meanwhile", () =>
    Effect.gen(function* () {
      const { pix, psp, ours, theirs } = yield* openShared({ ours: random, theirs: "outra@example.com" })
      const charge = yield* Effect.promise(() => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 }))
      yield* Effect.promise(() => pix.directory.putCompany({ ...registration(ours), pixKey: "nova@example.com" }))
      yield* Effect.promise(() => pix.directory.putCompany({ ...registration(theirs), pixKey: random }))
      const { endToEndId } = psp.pay(company.cnpj, charge.txid, aWhileAgo())
      yield* Effect.promise(() => pix.reconcile(otherCompany.cnpj, anHour()))
      expect((yield* Effect.promise(() => pix.find(company.cnpj, charge.id)))._tag).toBe("Paid")
      expect(yield* Effect.promise(() => listPayments(pix, company))).toEqual([endToEndId])
      expect(yield* Effect.promise(() => listPayments(pix, otherCompany))).toEqual([])
    }),
  )

  it.live("of no known txid is the company's whose key it shows, however that is written", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShared({ ours: random, theirs: "outra@example.com" })
      const payments = ["OUTRA@example.com", "outra@example.com"].map((pixKey) => {
        const payment = psp.payToKey("outra@example.com", 300, "f".repeat(32))
        Object.assign(payment, aWhileAgo())
        show(payment, pixKey)
        return payment.endToEndId
      })
      yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
      expect(yield* Effect.promise(() => listPayments(pix, company))).toEqual([])
      expect((yield* Effect.promise(() => listPayments(pix, otherCompany))).toSorted()).toEqual(payments.toSorted())
    }),
  )

  it.live(
    "of no txid stays in the books that have it, though the bank shows another's key later: the notice is taken, and logged",
    () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShared({ ours: random, theirs: "outra@example.com" })
        const payment = psp.payToKey("outra@example.com", 300)
        yield* Effect.promise(() => notify(pix, otherCompany, payment, false))
        show(payment, random)
        const said = yield* Effect.promise(() =>
          loggedBy(async () => expect((await notify(pix, company, payment, false)).status).toBe(200)),
        )
        expect(said).toContain("ERROR (#0): A payment is in the books elsewhere")
        expect(yield* Effect.promise(() => listPayments(pix, company))).toEqual([])
        expect(yield* Effect.promise(() => listPayments(pix, otherCompany))).toEqual([payment.endToEndId])
      }),
  )

  for (const [way, find] of Object.entries({
    "the other company's list": (pix: Pix) => pix.reconcile(otherCompany.cnpj, anHour()),
    "a look-up of the other company's charge": (pix: Pix, id: string) =>
      expect(pix.cancel(otherCompany.cnpj, id)).rejects.toMatchObject({ _tag: "ChargeAlreadyPaid" }),
  })) {
    it.live(`is the one's whose key the bank shows, where both have issued its txid, and it is found by ${way}`, () =>
      Effect.gen(function* () {
        const { pix, psp } = yield* openShared({ ours: random, theirs: "outra@example.com" })
        const request = { id: randomUUID(), amountCents: 1_990 }
        const charge = yield* Effect.promise(() => pix.issue(company.cnpj, request))
        yield* Effect.promise(() => pix.issue(otherCompany.cnpj, request))
        psp.pay(company.cnpj, charge.txid, aWhileAgo())
        yield* Effect.promise(() => find(pix, charge.id) as Promise<unknown>)
        yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
        const tags = yield* Effect.promise(() =>
          Promise.all([company, otherCompany].map(async ({ cnpj }) => (await pix.find(cnpj, charge.id))._tag)),
        )
        expect(tags).toEqual(["Paid", "Pending"])
      }),
    )
  }
})
