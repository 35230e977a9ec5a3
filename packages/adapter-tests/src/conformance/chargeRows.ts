import { decodeBrCode } from "@pixcharge/core/brcode"
import { addDays, brasiliaDate, endOfBrasiliaDay, type LocalDate, nextBusinessDay } from "@pixcharge/core/calendar"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import type { Answer } from "./HttpClient.ts"
import { expectFailure, expectSuccess } from "./expectations.ts"
import type { Conformance } from "./Conformance.ts"
import { immediate, payer, post, simulate, status } from "./requests.ts"
import { actors, graceDays } from "./World.ts"

const { shop, neighbour, withoutWallet } = actors
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const today = (): LocalDate => brasiliaDate(Date.now())
const christmas = (): string => `${Number(today().slice(0, 4)) + 1}-12-25`

const withPayment = (over: object) => ({ formaPagamento: immediate(over) })
const withPayer = (over: unknown) => ({ formaPagamento: immediate(), cliente: over })

const brokenFields: ReadonlyArray<readonly [field: string, title: string, body: unknown]> = [
  ["formaPagamento", "missing", {}],
  ["formaPagamento", "not an object", { formaPagamento: 11 }],
  ["formaPagamento.tpTransacao", "another transaction type", withPayment({ tpTransacao: 10 })],
  ["formaPagamento.tpTransacao", "a string", withPayment({ tpTransacao: "11" })],
  ["formaPagamento.tpTransacao", "missing", withPayment({ tpTransacao: undefined })],
  ["formaPagamento.idFaturaPag", "not a UUID", withPayment({ idFaturaPag: "123" })],
  ["formaPagamento.idFaturaPag", "a number", withPayment({ idFaturaPag: 5 })],
  ["formaPagamento.idFaturaPag", "missing", withPayment({ idFaturaPag: undefined })],
  ["formaPagamento.modPagamento", "another modality", withPayment({ modPagamento: 17 })],
  ["formaPagamento.modPagamento", "missing", withPayment({ modPagamento: undefined })],
  ["formaPagamento.valorPagamento", "zero", withPayment({ valorPagamento: 0 })],
  ["formaPagamento.valorPagamento", "negative", withPayment({ valorPagamento: -1 })],
  ["formaPagamento.valorPagamento", "a number with three decimals", withPayment({ valorPagamento: 1.005 })],
  ["formaPagamento.valorPagamento", "less than a cent", withPayment({ valorPagamento: 0.001 })],
  ["formaPagamento.valorPagamento", "above the limit", withPayment({ valorPagamento: 10_000_000_000 })],
  ["formaPagamento.valorPagamento", "a string", withPayment({ valorPagamento: "10.00" })],
  ["formaPagamento.valorPagamento", "missing", withPayment({ valorPagamento: undefined })],
  ["formaPagamento.dataVencimento", "a day that doesn't exist", withPayment({ dataVencimento: "2027-02-29" })],
  ["formaPagamento.dataVencimento", "written with a zone", withPayment({ dataVencimento: "2027-01-10T10:00:00Z" })],
  [
    "formaPagamento.dataVencimento",
    "written with an offset",
    withPayment({ dataVencimento: "2027-01-10T10:00:00-03:00" }),
  ],
  [
    "formaPagamento.dataVencimento",
    "at an hour that doesn't exist",
    withPayment({ dataVencimento: "2027-01-10T24:00:00" }),
  ],
  ["formaPagamento.dataVencimento", "in another format", withPayment({ dataVencimento: "10/01/2027" })],
  ["formaPagamento.dataVencimento", "null", withPayment({ dataVencimento: null })],
  ["formaPagamento.dataVencimento", "before today", withPayment({ dataVencimento: "2020-01-10" })],
  ["formaPagamento.dataVencimento", "over five years ahead", withPayment({ dataVencimento: "2099-01-10" })],
  ["cliente", "not an object", withPayer("Maria")],
  ["cliente.xNome", "missing", withPayer({ documento: payer.documento })],
  ["cliente.xNome", "empty", withPayer({ ...payer, xNome: "" })],
  ["cliente.xNome", "blank", withPayer({ ...payer, xNome: "   " })],
  ["cliente.xNome", "made of invisible characters", withPayer({ ...payer, xNome: "\u200b\u2060" })],
  ["cliente.xNome", "of 201 characters", withPayer({ ...payer, xNome: "a".repeat(201) })],
  ["cliente.xNome", "broken into two lines", withPayer({ ...payer, xNome: "Maria\nSilva" })],
  ["cliente.xNome", "reversed by a direction character", withPayer({ ...payer, xNome: "Maria\u202eavliS" })],
  ["cliente.documento", "missing", withPayer({ xNome: payer.xNome })],
  ["cliente.documento", "a CPF with a wrong check digit", withPayer({ ...payer, documento: "12345678900" })],
  ["cliente.documento", "one digit repeated", withPayer({ ...payer, documento: "11111111111" })],
  ["cliente.documento", "a number", withPayer({ ...payer, documento: 12_345_678_909 })],
]

const expectChargeBody = (json: Answer["json"]): void => {
  expect(Object.keys(json)).toEqual(["sucesso", "data"])
  expect(Object.keys(json.data).toSorted()).toEqual(["expira", "retTexto", "retUrl", "transacaoId"])
  expect(json.data.retTexto).toBeTypeOf("string")
  expect(json.data.transacaoId).toMatch(uuid)
  expect(json.data.expira).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  const code = Result.getOrThrow(decodeBrCode(json.data.retUrl)).code
  expect(code._tag === "Dynamic" && code.url.split("/")[0]).toMatch(/\.invalid$/)
}

/** `POST /api/pix` (decisions 5 to 11, 27 and 28). */
export const chargeRows = (world: () => Conformance): void => {
  it("makes an immediate charge payable for 600 seconds", async () => {
    const before = Date.now()
    const answer = await world().callAs(shop, post({ formaPagamento: immediate({ valorPagamento: 0.01 }) }))
    expectSuccess(answer)
    expectChargeBody(answer.json)
    const lifetime = Date.parse(answer.json.data.expira) - before
    expect(lifetime).toBeGreaterThanOrEqual(600_000)
    expect(lifetime).toBeLessThan(610_000)
  })

  it("counts the grace days of a charge due on a holiday from the next business day", async () => {
    const formaPagamento = immediate({ dataVencimento: christmas() })
    const answer = await world().callAs(shop, post({ formaPagamento, cliente: payer }))
    expectSuccess(answer)
    expectChargeBody(answer.json)
    const lastDay = addDays(nextBusinessDay(christmas() as LocalDate), graceDays)
    expect(Date.parse(answer.json.data.expira)).toBe(endOfBrasiliaDay(lastDay))
  })

  it.each([
    ["a due date of today", () => ({ formaPagamento: immediate({ dataVencimento: today() }) })],
    [
      "a due date that has a time of day",
      () => ({ formaPagamento: immediate({ dataVencimento: `${christmas()}T23:59:59` }) }),
    ],
    ["the largest amount", () => ({ formaPagamento: immediate({ valorPagamento: 9_999_999_999.99 }) })],
    ["unknown keys", () => ({ formaPagamento: immediate({ qtdParcelas: 1 }), outra: {} })],
    ["a payer with an alphanumeric CNPJ", () => withPayer({ xNome: "Empresa", documento: "12.ABC.345/01DE-35" })],
    ["a payer with a name of 200 characters", () => withPayer({ ...payer, xNome: "é".repeat(200) })],
    ["an id in upper case", () => withPayment({ idFaturaPag: "3F2C1B9E-8D4A-4B6F-9C2D-1E5F7A8B9C0D" })],
  ])("accepts a request with %s", async (_, body) => {
    const answer = await world().callAs(shop, post(body()))
    expectSuccess(answer)
    expectChargeBody(answer.json)
  })

  it.each(brokenFields)("answers 400 with the field's name when %s is %s", async (field, _, body) => {
    const answer = await world().callAs(shop, post(body))
    expect(answer.status, answer.text).toBe(400)
    expectFailure(answer, 400, String(answer.headers["pix-erro"]))
    expect(answer.headers["pix-erro"]).toMatch(/^(dados-invalidos|vencimento-fora-do-prazo)$/)
    expect(answer.json.errors).toContain(field)
  })

  it("answers a repeated request with the same bytes even if its values are spelt differently", async () => {
    const formaPagamento = immediate({ valorPagamento: 19.9, dataVencimento: christmas() })
    const first = await world().callAs(shop, post({ formaPagamento, cliente: payer }))
    const again = await world().callAs(
      shop,
      post({
        cliente: { documento: "12345678909", xNome: payer.xNome },
        formaPagamento: {
          ...formaPagamento,
          idFaturaPag: formaPagamento.idFaturaPag.toUpperCase(),
          dataVencimento: `${christmas()}T10:00:00`,
          qtdParcelas: 1,
        },
      }),
    )
    expectSuccess(again)
    expect(again.text).toBe(first.text)
  })

  it("makes one charge of 40 equal concurrent requests", async () => {
    const formaPagamento = immediate({ valorPagamento: 40 })
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => world().callAs(shop, post({ formaPagamento, cliente: payer }))),
    )
    for (const answer of answers) expectSuccess(answer)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it("repeats the first answer after the charge is paid", async () => {
    const formaPagamento = immediate()
    const first = await world().callAs(shop, post({ formaPagamento }))
    await world().callAs(shop, simulate(formaPagamento.idFaturaPag))
    expect((await world().callAs(shop, post({ formaPagamento }))).text).toBe(first.text)
  })

  it.each([
    ["other cents", { formaPagamento: { valorPagamento: 10.01 } }],
    ["a due date", { formaPagamento: { dataVencimento: christmas() } }],
    ["a payer", { cliente: payer }],
  ])("reports a conflict for the same id with %s", async (_, over: { formaPagamento?: object; cliente?: object }) => {
    const formaPagamento = immediate()
    expectSuccess(await world().callAs(shop, post({ formaPagamento })))
    const other = { ...over, formaPagamento: { ...formaPagamento, ...over.formaPagamento } }
    expectFailure(await world().callAs(shop, post(other)), 409, "cobranca-divergente")
  })

  it("separates the charges of two companies under the same id", async () => {
    const formaPagamento = immediate({ valorPagamento: 1 })
    const id = formaPagamento.idFaturaPag
    const mine = await world().callAs(shop, post({ formaPagamento }))
    const theirs = await world().callAs(neighbour, post({ formaPagamento: { ...formaPagamento, valorPagamento: 2 } }))
    expectSuccess(mine)
    expectSuccess(theirs)
    expect(theirs.json.data.transacaoId).not.toBe(mine.json.data.transacaoId)
    expect(theirs.json.data.retUrl).not.toBe(mine.json.data.retUrl)
    await world().callAs(shop, simulate(id))
    expectSuccess(await world().callAs(shop, status(id)))
    expectFailure(await world().callAs(neighbour, status(id)), 410, "cobranca-pendente")
  })

  it("lists the missing prerequisites of a company", async () => {
    const answer = await world().callAs(withoutWallet, post({ formaPagamento: immediate() }))
    expectFailure(answer, 403, "empresa-nao-habilitada")
    expect(answer.json.errors).toContain("carteira PIX")
    expect(answer.json.errors).toContain("domicílio bancário")
  })
}
