import { ChargeLists, PayerData } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj, cpf } from "../../fixtures/Companies.ts"
import { aPayment } from "../../fixtures/Payments.ts"
import { cancelCharge, commit, insertCharge, insertPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const always = { from: 0, until: fixtureNow * 2 }

const searched = Effect.gen(function* () {
  const joao = yield* insertPaid({ payer: { name: "João d'Água \\% _ Ñandú", taxId: cpf("52998224725") } })
  const maria = yield* insertCharge({ payer: { name: "MARIA das Dores", taxId: alphanumericCnpj } })
  const payerless = yield* insertCharge()
  const further = aPayment(joao, { paidAt: joao.payment.paidAt + 1 })
  yield* commit(aChange(joao, { payments: [further] }))
  yield* insertCharge({ issuer: anotherCnpj, ...joao.payer, id: joao.id, transactionId: joao.transactionId })
  const found: ReadonlyArray<readonly [string, Charge]> = [
    ["d'agua", joao],
    ["agua", joao],
    ["d’água", joao],
    ["ñandu", joao],
    ["dores", maria],
    ["das dor", maria],
    ["joao", joao],
    [" JOÃO D'ÁGUA", joao],
    ["joão d'agua \\% _ nandu", joao],
    ["529.982.247-25", joao],
    ["52998224725", joao],
    [joao.payment.endToEndId, joao],
    [joao.payment.endToEndId.slice(0, -2), joao],
    [further.endToEndId, joao],
    [joao.id, joao],
    [joao.id.toUpperCase(), joao],
    [joao.txid, joao],
    [joao.txid.toUpperCase(), joao],
    [joao.id.slice(0, 20), joao],
    [joao.transactionId, joao],
    [joao.transactionId.slice(0, 15), joao],
    ["maria", maria],
    ["Maria das Dores", maria],
    ["12.abc.345/01de-35", maria],
    [payerless.id.slice(0, 14), payerless],
  ]
  const { endToEndId } = joao.payment
  const names = ["gua", "oão", "maria d_s", "%", "__", "", " ", "\u{10ffff}", "🦜", "52998224", "111.444.777-35"]
  const ids = [joao.id.slice(0, 7), joao.id.slice(1), `${joao.txid}0`, joao.txid.slice(0, 34)]
  const payments = [endToEndId.slice(1), "E1234567", `${endToEndId}x`, endToEndId.toLowerCase()]
  const misses = [...names, ...ids, ...payments]
  return { found, misses }
})

const listByText = (search: object = always) =>
  Effect.gen(function* () {
    const lists = yield* ChargeLists
    return (text: string) =>
      Effect.map(lists.charges(aCnpj, { ...always, ...search, text }, { limit: 10 }), ({ items }) => items)
  })

export const textSearchCases = ({ test }: StoreTests): void => {
  test("finds charges by the beginning of an id or of a name, and by a tax id", () =>
    Effect.gen(function* () {
      const { found, misses } = yield* searched
      const list = yield* listByText()
      for (const [text, charge] of found)
        expect({ text, items: yield* list(text) }).toMatchObject({ items: [{ id: charge.id }] })
      for (const text of misses) expect({ text, items: yield* list(text) }).toEqual({ text, items: [] })
    }))

  test("finds a payer by the beginnings of several words of the name, even if other words are between them", () =>
    Effect.gen(function* () {
      const taxId = cpf("52998224725")
      const { id } = yield* insertCharge({ payer: { name: "Maria José dos  Santos", taxId } })
      yield* insertCharge({ payer: { name: "José Maria Sá", taxId } })
      yield* insertCharge({ payer: { name: "Marina", taxId } })
      const list = yield* listByText()
      const find = (text: string) => Effect.map(list(text), (items) => items.map((charge) => charge.id))
      for (const text of [
        "maria santos",
        "MARIA  JOSE san",
        "mar jose",
        "maria dos santos",
        "m j d s",
        "santos",
        "jose san",
        "dos",
      ])
        expect([text, yield* find(text)]).toEqual([text, [id]])
      for (const text of [
        "maria antos",
        "maria santos jose",
        "maria maria",
        "antos",
        "santos maria",
        "maria %",
        "mari_ santos",
        "maria \\\\",
      ])
        expect([text, yield* find(text)]).toEqual([text, []])
    }))

  test("finds a word of a name after an apostrophe or a hyphen", () =>
    Effect.gen(function* () {
      const taxId = cpf("52998224725")
      const { id } = yield* insertCharge({ payer: { name: "Ana Sant’Anna Sá-Carneiro O'Brien", taxId } })
      const list = yield* listByText()
      for (const text of ["anna", "carneiro", "brien", "o'brien", "santanna", "sa carneiro", "sant'anna", "rien"]) {
        const found = (yield* list(text)).map((charge) => charge.id)
        expect([text, found]).toEqual([text, ["santanna", "rien"].includes(text) ? [] : [id]])
      }
    }))

  test("finds charges by the amount of a payment within the period", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({ createdAt: fixtureNow })
      const { amountCents, paidAt } = aPayment(paid, {
        amountCents: cents(31_337),
        paidAt: paid.payment.paidAt + 1_000,
      })
      yield* commit(aChange(paid, { payments: [aPayment(paid, { amountCents, paidAt })] }))
      const [whole, rest] = [Math.floor(amountCents / 100), String(amountCents % 100).padStart(2, "0")]
      const find = (text: string, search: object = {}) =>
        Effect.flatMap(listByText(search), (list) => Effect.map(list(text), (items) => items.map(({ id }) => id)))
      expect(yield* find(`${whole},${rest}`)).toEqual([paid.id])
      expect(yield* find(`R$ ${whole},${rest}`)).toEqual([paid.id])
      expect(yield* find(`${whole + 1},${rest}`)).toEqual([])
      expect(yield* find(`${whole},${rest}`, { until: paidAt })).toEqual([])
      expect(yield* find(`${whole},${rest}`, { until: paidAt + 1 })).toEqual([paid.id])
    }))

  test("finds charges by their amount within the period, paid or not", () =>
    Effect.gen(function* () {
      const unpaid = yield* insertCharge({ amountCents: cents(123_456) })
      const paid = yield* insertPaid({ amountCents: cents(123_456), createdAt: fixtureNow - 1 })
      yield* insertCharge({ amountCents: cents(123_457) })
      yield* insertCharge({ amountCents: cents(123_456), issuer: anotherCnpj })
      expect(yield* (yield* listByText())("1.234,56")).toEqual([unpaid, paid])
      const whole = yield* insertCharge({ amountCents: cents(98_700) })
      for (const text of ["987", "R$ 987", "987,00"]) expect(yield* (yield* listByText())(text)).toEqual([whole])
      expect(yield* (yield* listByText({ from: fixtureNow }))("R$ 1234,56")).toContainEqual(unpaid)
      expect(yield* (yield* listByText({ from: fixtureNow + 1 }))("1.234,56")).toEqual([])
    }))

  test("combines a search text with a status and a period, and returns charges as `find` does", () =>
    Effect.gen(function* () {
      const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
      const paid = yield* insertPaid({ payer, createdAt: fixtureNow + 2 })
      const old = yield* insertPaid({ payer, createdAt: fixtureNow })
      yield* insertCharge({ payer, createdAt: fixtureNow + 1 })
      const status = { is: "paid", at: fixtureNow }
      expect(yield* (yield* listByText({ status }))("ana")).toEqual([paid, old])
      expect(yield* (yield* listByText({ status, from: fixtureNow + 1 }))("ana")).toEqual([paid])
      expect(yield* (yield* listByText({ until: fixtureNow + 2 }))(payer.taxId)).toHaveLength(2)
      for (const text of [paid.id, paid.transactionId, paid.payment.endToEndId]) {
        expect(yield* (yield* listByText({ from: fixtureNow + 2 }))(text)).toEqual([paid])
        expect(yield* (yield* listByText({ until: fixtureNow + 2 }))(text)).toEqual([])
      }
    }))

  test("doesn't find a charge by the name or tax id of another company's charge with the same id", () =>
    Effect.gen(function* () {
      const { id } = yield* insertCharge({ payer: { name: "Bruno Lima", taxId: alphanumericCnpj } })
      const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
      const other = yield* cancelCharge(yield* insertCharge({ issuer: anotherCnpj, id, payer }))
      const lists = yield* ChargeLists
      for (const text of [payer.taxId, payer.name, other.transactionId]) {
        expect((yield* lists.charges(aCnpj, { ...always, text }, { limit: 10 })).items).toEqual([])
        expect((yield* lists.charges(anotherCnpj, { ...always, text }, { limit: 10 })).items).toEqual([other])
      }
    }))

  test("finds all charges with a reference by the whole reference, in the same letters", () =>
    Effect.gen(function* () {
      const older = yield* insertCharge({ reference: "Pedido nº 1042/b" })
      const newer = yield* insertPaid({ reference: "Pedido nº 1042/b", createdAt: fixtureNow + 1 })
      yield* insertCharge({ reference: "Pedido nº 1042/bc" })
      yield* insertCharge({ reference: "Pedido nº 1042/b", issuer: anotherCnpj })
      const list = yield* listByText()
      expect(yield* list("Pedido nº 1042/b")).toEqual([newer, older])
      expect(yield* list("  Pedido nº 1042/b ")).toEqual([newer, older])
      for (const text of ["Pedido nº 1042", "pedido nº 1042/b", "nº 1042/b", "1042", "Pedido nº 1042/_", "%"])
        expect([text, yield* list(text)]).toEqual([text, []])
      expect(yield* (yield* listByText({ until: fixtureNow + 1 }))("Pedido nº 1042/b")).toEqual([older])
      const status = { is: "paid", at: fixtureNow }
      expect(yield* (yield* listByText({ status }))("Pedido nº 1042/b")).toEqual([newer])
    }))

  test("finds a charge by its reference after an erasure of its payer only if the erasure kept it", () =>
    Effect.gen(function* () {
      const [ana, rui] = ["52998224725", "11144477735"].map((taxId) => ({ name: "Um pagador", taxId: cpf(taxId) }))
      yield* insertCharge({ payer: ana!, reference: "pedido-1" })
      const kept = yield* insertCharge({ payer: rui!, reference: "pedido-1" })
      const payers = yield* PayerData
      yield* payers.erase(aCnpj, ana!.taxId, fixtureNow)
      yield* payers.erase(aCnpj, rui!.taxId, fixtureNow, { keepReference: true })
      expect((yield* (yield* listByText())("pedido-1")).map(({ id }) => id)).toEqual([kept.id])
    }))

  test("doesn't find an erased payer by name or tax id", () =>
    Effect.gen(function* () {
      const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
      yield* insertCharge({ payer })
      yield* insertPaid({ payer })
      const list = yield* listByText()
      expect(yield* list("ana")).toHaveLength(2)
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, fixtureNow)
      expect(yield* list("ana")).toEqual([])
      expect(yield* list(payer.taxId)).toEqual([])
    }))
}
