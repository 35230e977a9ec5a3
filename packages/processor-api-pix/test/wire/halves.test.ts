import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { chargeReader } from "../../src/wire/Cob.ts"
import { parseJson } from "../../src/wire/parseJson.ts"
import { readPayment, readPaymentPage, readReturn } from "../../src/wire/PixBody.ts"

const devolucao = { id: "1", valor: "1.00", status: "DEVOLVIDO", horario: { liquidacao: "2026-11-20T15:01:02Z" } }
const payment = {
  endToEndId: "E12345678202611201500abcdefghijk",
  txid: "7978c0c97ea847e78e8849634473c1f1",
  valor: "10.00",
  horario: "2026-11-20T15:01:02Z",
}

const without = (json: object, field: string) =>
  Object.fromEntries(Object.entries(json).filter(([name]) => name !== field))

describe("the reader of payments", () => {
  it.each(["endToEndId", "valor", "horario"])("rejects a payment without %s", (field) => {
    const read = readPayment(without(payment, field))
    expect(Result.isFailure(read) && read.failure.fields).toEqual([field])
    const isNull = readPayment({ ...payment, [field]: null })
    expect(Result.isFailure(isNull) && isNull.failure.fields).toEqual([field])
  })

  it.each([
    ["10.50", 1_050],
    ["10.5", 1_050],
    ["10,50", 1_050],
    ["501.0", 50_100],
    ["10", 1_000],
    [10.5, 1_050],
    [10, 1_000],
    ["0.01", 1],
    ["9999999999.99", 999_999_999_999],
  ])("reads an amount of %j as %i centavos", (valor, cents) => {
    expect(Result.getOrThrow(readPayment({ ...payment, valor })).amountCents).toBe(cents)
  })

  // These amounts are ambiguous: a point before three digits can group thousands or separate decimals.
  it.each([
    "1.000,00",
    "1,000.00",
    "1.000",
    "1,000",
    "10.505",
    10.505,
    "-10.00",
    -10,
    "0.00",
    "0",
    0,
    "+1.00",
    "R$ 10,00",
    "10.00 ",
    "1e3",
    "",
    "99999999999.00",
    1e21,
    true,
    ["10.00"],
    { original: "10.00" },
  ])("rejects the ambiguous amount %j", (valor) => {
    const read = readPayment({ ...payment, valor })
    expect(Result.isFailure(read) && read.failure.fields).toEqual(["valor"])
  })

  it.each([
    "",
    "E1",
    "E".padEnd(33, "0"),
    `${"E".padEnd(31, "0")}-`,
    `${"E".padEnd(31, "0")} `,
    7,
    {},
    [payment.endToEndId],
  ])("rejects the endToEndId %j", (endToEndId) => {
    const read = readPayment({ ...payment, endToEndId })
    expect(Result.isFailure(read) && read.failure.fields).toEqual(["endToEndId"])
  })

  it.each(["", "20/11/2026", "2026-11-20", "0001-01-01T00:00:00Z", 1_795_100_462_000, {}, { solicitacao: "x" }])(
    "rejects the instant %j",
    (horario) => {
      const read = readPayment({ ...payment, horario })
      expect(Result.isFailure(read) && read.failure.fields).toEqual(["horario"])
    },
  )

  it.each([
    [{ solicitacao: "2026-11-20T15:01:02Z" }],
    [{ solicitacao: "2026-11-20T15:00:00Z", liquidacao: "2026-11-20T15:01:02Z" }],
    [{ solicitacao: "2026-11-20T15:01:02Z", liquidacao: "" }],
  ])("accepts the instant %j", (horario) => {
    expect(Result.getOrThrow(readPayment({ ...payment, horario })).paidAt).toBe(Date.UTC(2026, 10, 20, 15, 1, 2))
  })

  it.each([{}, [], true])("rejects the txid %j", (txid) => {
    const read = readPayment({ ...payment, txid })
    expect(Result.isFailure(read) && read.failure.fields).toEqual(["txid"])
  })
})

describe("the reader of returns", () => {
  it.each(["id", "valor", "status"])("rejects a return without %s", (field) => {
    for (const incomplete of [without(devolucao, field), { ...devolucao, [field]: "" }]) {
      const read = readReturn(incomplete)
      expect(Result.isFailure(read) && read.failure.fields).toEqual([field])
    }
  })

  it.each([
    ["DEVOLVIDO", "returned"],
    ["devolvido", "returned"],
    ["DEVOLVIDA", "returned"],
    ["NAO_REALIZADO", "rejected"],
    ["NÃO_REALIZADO", "rejected"],
    ["Não realizado", "rejected"],
    ["EM_PROCESSAMENTO", "processing"],
    ["DEVOLVIDO_PARCIALMENTE", "processing"],
    ["0", "processing"],
  ])("reads %s as %s", (status, expected) => {
    expect(Result.getOrThrow(readReturn({ ...devolucao, status })).status).toBe(expected)
  })

  it("reports an unreadable return, but still reads its payment", () => {
    const incomplete = { ...devolucao, valor: "1.000,00" }
    const read = Result.getOrThrow(readPayment({ ...payment, devolucoes: [incomplete, devolucao] }))
    expect(read.returns).toMatchObject([{ id: "1", amountCents: 100 }])
    expect(read.flaws?.map(({ fields }) => fields)).toEqual([["valor"]])
  })
})

describe("a page of payments", () => {
  it("has the readable payments, and names the fields of unreadable ones without their values", () => {
    const incomplete = { ...payment, valor: "529.982.247-25" }
    const page = Result.getOrThrow(readPaymentPage({ pix: [incomplete, payment, 1, null] }))
    expect(page.payments).toMatchObject([{ endToEndId: payment.endToEndId }])
    expect(page.marks).toHaveLength(4)
    expect(page.flaws.map(({ fields }) => fields)).toEqual([["valor"], ["(all)"], ["(all)"]])
    expect(String(page.flaws)).not.toContain("529")
  })

  it.each([{}, { pix: null }, { parametros: null }, { parametros: 7 }, { parametros: [], pix: null }])(
    "is rejected if it is %j",
    (json) => {
      expect(Result.isFailure(readPaymentPage(json))).toBe(true)
    },
  )

  it("is empty if its list is empty, or if it has only the request's parameters", () => {
    for (const json of [{ pix: [] }, { parametros: { inicio: "x" } }, { parametros: {}, pix: null }, { pix: "" }]) {
      expect(Result.getOrThrow(readPaymentPage(json))).toEqual({ payments: [], marks: [], flaws: [] })
    }
  })
})

describe("the reader of charges", () => {
  const charge = { status: "ATIVA", valor: { original: "10.00" } }

  it.each([
    ["status", without(charge, "status")],
    ["valor", without(charge, "valor")],
    ["valor.original", { ...charge, valor: {} }],
    ["valor.original", { ...charge, valor: { original: "1.000,00" } }],
    ["txid", { ...charge, txid: {} }],
  ])("rejects a charge without %s", (field, json) => {
    const read = chargeReader([])(json)
    expect(Result.isFailure(read) && read.failure.fields).toEqual([field])
  })

  it("reads the readable payments of a charge, and reports the unreadable ones", () => {
    const incomplete = without(payment, "horario")
    const read = Result.getOrThrow(chargeReader([])({ ...charge, pix: [incomplete, payment] }))
    expect(read.payments).toMatchObject([{ endToEndId: payment.endToEndId }])
    expect(read.flaws?.map(({ fields }) => fields)).toEqual([["horario"]])
  })

  it.each([
    ["CONCLUIDA", "completed"],
    ["CONCLUÍDA", "completed"],
    ["Concluida", "completed"],
    ["REMOVIDA_PELO_PSP", "removed"],
    ["removido_pelo_usuario_recebedor", "removed"],
    ["CONCLUIDA_PARCIAL", "active"],
    ["EXPIRADA", "active"],
  ])("reads the status %s as %s", (status, expected) => {
    expect(Result.getOrThrow(chargeReader([])({ ...charge, status })).status).toBe(expected)
  })

  it("accepts an id of a location that is larger than 2^53, or a UUID", () => {
    for (const id of ["4883583657504888605", '"0b8e5f3a-3b9d-4a57-9d57-2b7b0a1c9e11"']) {
      const text = `{"status":"ATIVA","valor":{"original":"10.00"},"loc":{"id":${id},"location":"pix.example.com/1"}}`
      const read = Result.getOrThrow(chargeReader([])(Option.getOrThrow(parseJson(text))))
      expect(read.location).toBe("pix.example.com/1")
    }
  })
})
