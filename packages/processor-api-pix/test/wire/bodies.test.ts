import type { LocalDate } from "@pixcharge/core/calendar"
import { type FeesInput, parseFees } from "@pixcharge/core/money"
import { type Payer } from "@pixcharge/core/party"
import { aCompany, aPayer, anOrder, alphanumericCnpj } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { dueDateBody, immediateBody, removalBody } from "../../src/wire/bodies.ts"

const dueDate = "2026-12-18" as LocalDate

const bodyWith = (input: FeesInput) => {
  const company = aCompany({ fees: Result.getOrThrow(parseFees(input)) })
  return dueDateBody(Effect.runSync(anOrder(company)), dueDate, aPayer).valor
}

describe("a charge's body", () => {
  it("has 600 seconds and the company's key for an immediate charge", () => {
    const company = aCompany({ pixKey: "loja@example.com" })
    expect(immediateBody(Effect.runSync(anOrder(company)), undefined)).toEqual({
      calendario: { expiracao: 600 },
      valor: { original: "19.90" },
      chave: "loja@example.com",
    })
  })

  it("contains the texts for the payer, and the validity of an immediate charge", () => {
    const additionalInfo = [
      { name: "Mesa", value: "12" },
      { name: "Garçom", value: "Zé" },
    ]
    const wish = { payableForSeconds: 3600, messageToPayer: "Pedido 7", additionalInfo }
    const order = Effect.runSync(anOrder(aCompany(), wish))
    const texts = {
      solicitacaoPagador: "Pedido 7",
      infoAdicionais: [
        { nome: "Mesa", valor: "12" },
        { nome: "Garçom", valor: "Zé" },
      ],
    }
    expect(immediateBody(order, undefined)).toMatchObject({ calendario: { expiracao: 3600 }, ...texts })
    expect(dueDateBody(order, dueDate, aPayer)).toMatchObject(texts)
  })

  it("contains the requested due date, the company's grace days and the payer", () => {
    const company = aCompany({ graceDays: 7 })
    expect(dueDateBody(Effect.runSync(anOrder(company)), dueDate, aPayer)).toEqual({
      calendario: { dataDeVencimento: "2026-12-18", validadeAposVencimento: 7 },
      devedor: { cpf: "52998224725", nome: "Joana d'Arc Conceição" },
      valor: { original: "19.90" },
      chave: company.pixKey,
    })
  })

  it("contains the e-mail and the address of a due-date charge's payer", () => {
    const address = { street: "Rua A, 1", city: "Recife", state: "PE", postalCode: "50010000" }
    const order = Effect.runSync(anOrder(aCompany()))
    const devedor = { cpf: "52998224725", nome: "Joana d'Arc Conceição" }
    const shown = { logradouro: "Rua A, 1", cidade: "Recife", uf: "PE", cep: "50010000" }
    expect(dueDateBody(order, dueDate, { ...aPayer, address }).devedor).toEqual({ ...devedor, ...shown })
    const payer = { ...aPayer, email: "joana@example.com", address }
    expect(dueDateBody(order, dueDate, payer).devedor).toEqual({ ...devedor, email: "joana@example.com", ...shown })
  })

  it("contains a payer's CNPJ, which can have letters", () => {
    const payer: Payer = { name: "Loja", taxId: alphanumericCnpj }
    expect(immediateBody(Effect.runSync(anOrder(aCompany())), payer)).toMatchObject({
      devedor: { cnpj: "12ABC34501DE35", nome: "Loja" },
    })
  })

  it("keeps every digit of the largest amount", () => {
    const order = Effect.runSync(anOrder(aCompany(), { amountCents: 999_999_999_999 as never }))
    expect(immediateBody(order, undefined).valor.original).toBe("9999999999.99")
  })

  it("has only the status for a removal", () => {
    expect(removalBody).toEqual({ status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" })
  })
})

describe("fees in a body", () => {
  it.each<[string, FeesInput, object]>([
    [
      "a fixed fine is modality 1",
      { fine: { kind: "fixed", amountCents: 250 } },
      { multa: { modalidade: 1, valorPerc: "2.50" } },
    ],
    [
      "a fine in per cent is modality 2",
      { fine: { kind: "percent", basisPoints: 200 } },
      { multa: { modalidade: 2, valorPerc: "2.00" } },
    ],
    [
      "an abatement in per cent is modality 2",
      { abatement: { kind: "percent", basisPoints: 1050 } },
      { abatimento: { modalidade: 2, valorPerc: "10.50" } },
    ],
    [
      "a fixed abatement is modality 1",
      { abatement: { kind: "fixed", amountCents: 5 } },
      { abatimento: { modalidade: 1, valorPerc: "0.05" } },
    ],
    [
      "fixed interest a day is modality 1",
      { interest: { kind: "fixedPerDay", days: "calendar", amountCents: 10 } },
      { juros: { modalidade: 1, valorPerc: "0.10" } },
    ],
    [
      "interest in per cent a day is modality 2",
      { interest: { kind: "percentPerDay", days: "calendar", basisPoints: 3 } },
      { juros: { modalidade: 2, valorPerc: "0.03" } },
    ],
    [
      "interest in per cent a month is modality 3",
      { interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 100 } },
      { juros: { modalidade: 3, valorPerc: "1.00" } },
    ],
    [
      "interest in per cent a year is modality 4",
      { interest: { kind: "percentPerYear", days: "calendar", basisPoints: 1200 } },
      { juros: { modalidade: 4, valorPerc: "12.00" } },
    ],
    [
      "fixed interest a business day is modality 5",
      { interest: { kind: "fixedPerDay", days: "business", amountCents: 10 } },
      { juros: { modalidade: 5, valorPerc: "0.10" } },
    ],
    [
      "interest in per cent a business day is modality 6",
      { interest: { kind: "percentPerDay", days: "business", basisPoints: 3 } },
      { juros: { modalidade: 6, valorPerc: "0.03" } },
    ],
    [
      "interest in per cent a month of business days is modality 7",
      { interest: { kind: "percentPerMonth", days: "business", basisPoints: 100 } },
      { juros: { modalidade: 7, valorPerc: "1.00" } },
    ],
    [
      "interest in per cent a year of business days is modality 8",
      { interest: { kind: "percentPerYear", days: "business", basisPoints: 1200 } },
      { juros: { modalidade: 8, valorPerc: "12.00" } },
    ],
    [
      "a fixed discount until dates is modality 1, the earliest date first",
      {
        discount: {
          kind: "fixedUntil",
          tiers: [
            { daysBefore: 0, amountCents: 50 },
            { daysBefore: 10, amountCents: 100 },
          ],
        },
      },
      {
        desconto: {
          modalidade: 1,
          descontoDataFixa: [
            { data: "2026-12-08", valorPerc: "1.00" },
            { data: "2026-12-18", valorPerc: "0.50" },
          ],
        },
      },
    ],
    [
      "a discount in per cent until dates is modality 2",
      { discount: { kind: "percentUntil", tiers: [{ daysBefore: 5, basisPoints: 500 }] } },
      { desconto: { modalidade: 2, descontoDataFixa: [{ data: "2026-12-13", valorPerc: "5.00" }] } },
    ],
    [
      "a discount for each day of advance is modality 3",
      { discount: { kind: "fixedPerDayEarly", days: "calendar", amountCents: 2 } },
      { desconto: { modalidade: 3, valorPerc: "0.02" } },
    ],
    [
      "a discount for each business day of advance is modality 4",
      { discount: { kind: "fixedPerDayEarly", days: "business", amountCents: 2 } },
      { desconto: { modalidade: 4, valorPerc: "0.02" } },
    ],
    [
      "a discount in per cent for each day of advance is modality 5",
      { discount: { kind: "percentPerDayEarly", days: "calendar", basisPoints: 10 } },
      { desconto: { modalidade: 5, valorPerc: "0.10" } },
    ],
    [
      "a discount in per cent for each business day of advance is modality 6",
      { discount: { kind: "percentPerDayEarly", days: "business", basisPoints: 10 } },
      { desconto: { modalidade: 6, valorPerc: "0.10" } },
    ],
  ])("%s", (_, input, expected) => {
    expect(bodyWith(input)).toEqual({ original: "19.90", ...expected })
  })

  it("are absent in an immediate charge", () => {
    const company = aCompany({ fees: Result.getOrThrow(parseFees({ fine: { kind: "percent", basisPoints: 200 } })) })
    expect(immediateBody(Effect.runSync(anOrder(company)), undefined).valor).toEqual({ original: "19.90" })
  })
})
