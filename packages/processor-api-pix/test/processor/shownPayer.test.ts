import { ChargeConflict } from "@pixcharge/core"
import { parseTaxId } from "@pixcharge/core/party"
import { anOrder, aPayer } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect } from "vitest"
import { chargeAnswer, openAnsweringBank } from "../bank/answeringBank.ts"
import { company } from "../bank/openBank.ts"

/** Whether a charge that the bank has already, with this payer, is taken for an order's: an immediate or a due-date one. */
const adopted = (devedor: unknown, { payer, dueInDays }: { payer?: typeof aPayer; dueInDays?: number }) =>
  Effect.gen(function* () {
    const order = yield* anOrder(company, { ...(dueInDays !== undefined && { dueInDays }), ...(payer && { payer }) })
    const dataDeVencimento = order.dueDate && `${order.dueDate}T00:00:00Z`
    const calendario = { criacao: "2026-11-20T10:00:00", ...(dataDeVencimento && { dataDeVencimento }) }
    const { processor } = yield* openAnsweringBank(() => [200, chargeAnswer(order.txid, { devedor, calendario })])
    const registered = yield* Effect.result(processor.register(order))
    if (Result.isFailure(registered)) expect(registered.failure).toBeInstanceOf(ChargeConflict)
    return Result.isSuccess(registered)
  })

const cnpjPayer = { name: "Padaria", taxId: Result.getOrThrow(parseTaxId("12ABC34501DE35")) }

describe("a charge that the bank has already is the order's", () => {
  for (const [what, devedor] of [
    ["its document as it is", { cpf: "52998224725" }],
    ["it with punctuation", { cpf: "529.982.247-25" }],
    ["it as a number", { cpf: 52_998_224_725 }],
    ["it masked", { cpf: "***.982.247-**" }],
    ["it masked by letters", { cpf: "XXX.982.247-XX" }],
    ["it masked by small letters", { cpf: "xxx.982.247-xx" }],
    ["it masked by other signs", { cpf: "•••.982.247-##" }],
    ["it masked wholly by other signs, in another length", { cpf: "•#•" }],
    ["it masked wholly", { cpf: "***.***.***-**" }],
    ["it masked wholly, in another length", { cpf: "***" }],
    ["it masked wholly, by letters, under the other kind's name", { cnpj: "XX.XXX.XXX/XXXX-XX" }],
    ["two documents, of which one is its own", { cpf: "52998224725", cnpj: "12345678000195" }],
    ["two documents, the other way round", { cpf: "11144477735", cnpj: "52998224725" }],
    ["one document and one of zeros", { cpf: "52998224725", cnpj: "00000000000000" }],
    ["no document, but a name", { nome: "Joana" }],
    ["a text", "Joana"],
  ] as const) {
    it.live(`where its payer is shown with ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* adopted(devedor, { dueInDays: 3 })).toBe(true)
        expect(yield* adopted(devedor, { payer: aPayer })).toBe(true)
      }),
    )
  }

  it.live("where its payer is a company whose CNPJ has letters, also an X", () =>
    Effect.gen(function* () {
      expect(yield* adopted({ cnpj: "12.ABC.345/01DE-35" }, { payer: cnpjPayer })).toBe(true)
      expect(yield* adopted({ cnpj: "12.ABC.***/****-35" }, { payer: cnpjPayer })).toBe(true)
      expect(yield* adopted({ cnpj: "12.ABX.345/01DE-35" }, { payer: cnpjPayer })).toBe(false)
    }),
  )

  it.live("where a number has lost the zeros of its document", () =>
    Effect.gen(function* () {
      const payer = { name: "Joana", taxId: Result.getOrThrow(parseTaxId("00000000191")) }
      expect(yield* adopted({ cpf: 191 }, { payer })).toBe(true)
      expect(yield* adopted({ cpf: "191" }, { payer })).toBe(false)
    }),
  )

  it.live("where a due-date charge shows nobody, and so does an immediate one for nobody", () =>
    Effect.gen(function* () {
      for (const nobody of [
        undefined,
        null,
        "",
        {},
        [],
        { nome: "" },
        { nome: " " },
        " ",
        { cpf: "", cnpj: "", nome: "" },
        { cpf: null },
      ]) {
        expect(yield* adopted(nobody, { dueInDays: 3 })).toBe(true)
        expect(yield* adopted(nobody, {})).toBe(true)
      }
    }),
  )
})

describe("a charge that the bank has already is another's", () => {
  for (const [what, devedor] of [
    ["another document", { cpf: "11144477735" }],
    ["another one masked", { cpf: "***.444.777-**" }],
    ["two others", { cpf: "11144477735", cnpj: "12345678000195" }],
    ["half a document", { cpf: "529982" }],
    ["more than a document", { cpf: "529982247250" }],
  ] as const) {
    it.live(`where its payer is shown with ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* adopted(devedor, { dueInDays: 3 })).toBe(false)
        expect(yield* adopted(devedor, { payer: aPayer })).toBe(false)
        expect(yield* adopted(devedor, {})).toBe(false)
      }),
    )
  }

  it.live("where an immediate charge for somebody shows nobody", () =>
    Effect.gen(function* () {
      expect(yield* adopted({ nome: "" }, { payer: aPayer })).toBe(false)
    }),
  )
})
