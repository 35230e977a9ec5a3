import { ChargeConflict } from "@pixcharge/core"
import { parseTaxId } from "@pixcharge/core/party"
import { anOrder, aPayer } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect } from "vitest"
import { chargeAnswer, openAnsweringBank } from "../bank/answeringBank.ts"
import { company } from "../bank/openBank.ts"

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

describe("an existing charge at the bank", () => {
  for (const [what, devedor] of [
    ["its tax id", { cpf: "52998224725" }],
    ["its tax id with punctuation", { cpf: "529.982.247-25" }],
    ["its tax id as a number", { cpf: 52_998_224_725 }],
    ["its tax id masked", { cpf: "***.982.247-**" }],
    ["its tax id masked by letters", { cpf: "XXX.982.247-XX" }],
    ["its tax id masked by small letters", { cpf: "xxx.982.247-xx" }],
    ["its tax id masked by other signs", { cpf: "•••.982.247-##" }],
    ["its tax id masked by other signs in another length", { cpf: "•#•" }],
    ["its tax id fully masked", { cpf: "***.***.***-**" }],
    ["its tax id fully masked in another length", { cpf: "***" }],
    ["its tax id fully masked by letters in the field of the other kind", { cnpj: "XX.XXX.XXX/XXXX-XX" }],
    ["its own and then another tax id", { cpf: "52998224725", cnpj: "12345678000195" }],
    ["another and then its own tax id", { cpf: "11144477735", cnpj: "52998224725" }],
    ["its own tax id and one of zeros", { cpf: "52998224725", cnpj: "00000000000000" }],
    ["no tax id, but a name", { nome: "Joana" }],
    ["a string in place of the payer", "Joana"],
  ] as const) {
    it.live(`belongs to the order if its payer is shown with ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* adopted(devedor, { dueInDays: 3 })).toBe(true)
        expect(yield* adopted(devedor, { payer: aPayer })).toBe(true)
      }),
    )
  }

  it.live("belongs to the order only if its payer's CNPJ has the same letters, because an X in a CNPJ is no mask", () =>
    Effect.gen(function* () {
      expect(yield* adopted({ cnpj: "12.ABC.345/01DE-35" }, { payer: cnpjPayer })).toBe(true)
      expect(yield* adopted({ cnpj: "12.ABC.***/****-35" }, { payer: cnpjPayer })).toBe(true)
      expect(yield* adopted({ cnpj: "12.ABX.345/01DE-35" }, { payer: cnpjPayer })).toBe(false)
    }),
  )

  it.live("belongs to the order if its payer's tax id is a number without the leading zeros", () =>
    Effect.gen(function* () {
      const payer = { name: "Joana", taxId: Result.getOrThrow(parseTaxId("00000000191")) }
      expect(yield* adopted({ cpf: 191 }, { payer })).toBe(true)
      expect(yield* adopted({ cpf: "191" }, { payer })).toBe(false)
    }),
  )

  it.live("belongs to the order if it shows no payer, but has a due date or is for an order without a payer", () =>
    Effect.gen(function* () {
      for (const emptyPayer of [
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
        expect(yield* adopted(emptyPayer, { dueInDays: 3 })).toBe(true)
        expect(yield* adopted(emptyPayer, {})).toBe(true)
      }
    }),
  )
})

describe("another order's charge at the bank", () => {
  for (const [what, devedor] of [
    ["another tax id", { cpf: "11144477735" }],
    ["another tax id masked", { cpf: "***.444.777-**" }],
    ["two other tax ids", { cpf: "11144477735", cnpj: "12345678000195" }],
    ["half of a tax id", { cpf: "529982" }],
    ["a tax id with a digit too many", { cpf: "529982247250" }],
  ] as const) {
    it.live(`is rejected if its payer is shown with ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* adopted(devedor, { dueInDays: 3 })).toBe(false)
        expect(yield* adopted(devedor, { payer: aPayer })).toBe(false)
        expect(yield* adopted(devedor, {})).toBe(false)
      }),
    )
  }

  it.live("is rejected if it's immediate and doesn't show the order's payer", () =>
    Effect.gen(function* () {
      expect(yield* adopted({ nome: "" }, { payer: aPayer })).toBe(false)
    }),
  )
})
