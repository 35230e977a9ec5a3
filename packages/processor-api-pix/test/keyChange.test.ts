import { chargeTxid } from "@pixcharge/core/plain"
import type { Company } from "@pixcharge/core/party"
import type { Pix } from "@pixcharge/embed"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { describe, expect } from "vitest"
import { account, company, otherCompany } from "./bank/openBank.ts"
import { integratorKey, openShop } from "./bank/openShop.ts"

const newKey = "nova-chave@example.com"
const both = { psp: { accounts: [{ ...account, pixKeys: [company.pixKey, newKey, otherCompany.pixKey] }] } }

const withKey = ({ cnpj, name, city, graceDays }: Company, pixKey: string) => ({
  cnpj,
  name,
  city,
  graceDays,
  pixKey,
  integratorKey: integratorKey({ cnpj } as Company),
})

const anHour = () => ({ from: Date.now() - 3_600_000, until: Date.now() + 60_000 })

/** A payment time that a list surely contains: a bank's list ends with its last whole second. */
const aWhileAgo = () => ({ paidAt: Date.now() - 5_000 })

const listPayments = async (pix: Pix, { cnpj }: Company) => {
  const kept = []
  for await (const { endToEndId } of pix.payments(cnpj, anHour())) kept.push(endToEndId)
  return kept.toSorted()
}

/** Opens a shop. The company's PIX key changes after its charges were issued. */
const afterChange = Effect.gen(function* () {
  const shop = yield* openShop(both)
  const { pix, bank, psp } = shop
  const order = { mountedAt: "https://shop.invalid", reconcile: pix.reconcile }
  yield* Effect.promise(() => bank.registerWebhook(company.cnpj, { ...order, pixKey: company.pixKey }))
  const requests = Array.from({ length: 4 }, (_, n) => ({ id: randomUUID(), amountCents: 1_000 + n }))
  const issued = yield* Effect.promise(() => Promise.all(requests.map((request) => pix.issue(company.cnpj, request))))
  // The bank has this charge, but its answer is lost.
  const lost = { id: randomUUID(), amountCents: 777 }
  psp.faults.add({ _tag: "AnswerLost" }, ({ method }) => method === "PUT", 1)
  psp.faults.add({ _tag: "Status", status: 503, retryAfter: "60" }, ({ method }) => method === "PUT", 1)
  yield* Effect.promise(() =>
    expect(pix.issue(company.cnpj, lost)).rejects.toMatchObject({ _tag: "ProcessorUnavailable" }),
  )
  yield* Effect.promise(() => pix.directory.putCompany(withKey(company, newKey)))
  yield* Effect.promise(() => bank.registerWebhook(company.cnpj, { ...order, pixKey: newKey }))
  return { ...shop, requests, issued, lost }
})

const bankCharge = ({ psp }: Effect.Success<typeof afterChange>, id: string) =>
  psp.ledger.charges.get(`${company.cnpj}/${chargeTxid(company.cnpj, id)}`)

const readTag = async (pix: Pix, id: string) => (await pix.find(company.cnpj, id))._tag

describe("charges of a company whose PIX key has changed", () => {
  it.live("keep their code when they are requested again, and stay unchanged at the bank", () =>
    Effect.gen(function* () {
      const world = yield* afterChange
      const { pix, psp, requests, issued } = world
      const puts = () => psp.exchanges.filter(({ method, path }) => method === "PUT" && path.startsWith("/cob")).length
      const before = puts()
      const again = yield* Effect.promise(() =>
        Promise.all(requests.map((request) => pix.issue(company.cnpj, request))),
      )
      expect(again.map(({ brCode }) => brCode)).toEqual(issued.map(({ brCode }) => brCode))
      expect(puts()).toBe(before)
      for (const { id } of issued) expect(bankCharge(world, id)?.terms.body?.chave).toBe(company.pixKey)
    }),
  )

  it.live("are adopted with the former key if the bank's first answer was lost", () =>
    Effect.gen(function* () {
      const world = yield* afterChange
      const { pix, psp, lost } = world
      const known = bankCharge(world, lost.id)
      const charge = yield* Effect.promise(() => pix.issue(company.cnpj, lost))
      expect(charge.createdAt).toBe(known?.createdAt)
      expect(bankCharge(world, lost.id)).toMatchObject({ revision: 0, terms: { body: { chave: company.pixKey } } })
      psp.pay(company.cnpj, charge.txid, aWhileAgo())
      yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
      expect(yield* Effect.promise(() => readTag(pix, charge.id))).toBe("Paid")
    }),
  )

  it.live("become paid by a notice, a look-up or the bank's list", () =>
    Effect.gen(function* () {
      const { pix, psp, issued } = yield* afterChange
      const [noticed, lookedUp, listed, unpaid] = issued
      if (!noticed || !lookedUp || !listed || !unpaid) throw new Error("expected four charges")
      const payments = [noticed, lookedUp, listed].map(({ txid }) => psp.pay(company.cnpj, txid, aWhileAgo()))
      for (const { pixKey } of payments) expect(pixKey).toBe(company.pixKey)
      // The bank still has the webhook of the former key.
      const { url } = psp.ledger.webhooks.get(company.pixKey) ?? { url: "" }
      const body = JSON.stringify({ pix: [{ endToEndId: payments[0]?.endToEndId, txid: noticed.txid }] })
      const answer = yield* Effect.promise(() => pix.fetch(new Request(`${url}/pix`, { method: "POST", body })))
      expect(answer.status).toBe(200)
      expect(yield* Effect.promise(() => readTag(pix, noticed.id))).toBe("Paid")
      yield* Effect.promise(() =>
        expect(pix.cancel(company.cnpj, lookedUp.id)).rejects.toMatchObject({ _tag: "ChargeAlreadyPaid" }),
      )
      expect(yield* Effect.promise(() => readTag(pix, lookedUp.id))).toBe("Paid")
      const found = yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
      expect(found).toMatchObject({ listed: 3, payments: 1 })
      expect(yield* Effect.promise(() => readTag(pix, listed.id))).toBe("Paid")
      expect(yield* Effect.promise(() => readTag(pix, unpaid.id))).toBe("Pending")
    }),
  )

  it.live("keep their company even if another company on the same account gets the former key", () =>
    Effect.gen(function* () {
      const { pix, psp, issued } = yield* afterChange
      yield* Effect.promise(() => pix.directory.putCompany(withKey(otherCompany, company.pixKey)))
      const [noticed, listed] = issued
      if (!noticed || !listed) throw new Error("expected four charges")
      const ours = [noticed, listed].map(({ txid }) => psp.pay(company.cnpj, txid, aWhileAgo()).endToEndId)
      const theirs = psp.payToKey(company.pixKey, 300).endToEndId
      const { url } = psp.ledger.webhooks.get(company.pixKey) ?? { url: "" }
      const body = JSON.stringify({ pix: [{ endToEndId: ours[0], txid: noticed.txid }, { endToEndId: theirs }] })
      const answer = yield* Effect.promise(() => pix.fetch(new Request(`${url}/pix`, { method: "POST", body })))
      expect(answer.status).toBe(200)
      yield* Effect.promise(() => pix.reconcile(company.cnpj, anHour()))
      for (const { id } of [noticed, listed]) expect(yield* Effect.promise(() => readTag(pix, id))).toBe("Paid")
      expect(yield* Effect.promise(() => listPayments(pix, company))).toEqual(ours.toSorted())
      expect(yield* Effect.promise(() => listPayments(pix, otherCompany))).toEqual([theirs])
    }),
  )

  it.live("don't stop new charges with the new key", () =>
    Effect.gen(function* () {
      const world = yield* afterChange
      const { id } = yield* Effect.promise(() => world.pix.issue(company.cnpj, { id: randomUUID(), amountCents: 100 }))
      expect(bankCharge(world, id)?.terms.body?.chave).toBe(newKey)
    }),
  )
})
