import { checkout } from "@pixcharge/checkout"
import type { ChargeFeesInput } from "@pixcharge/core/charges"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { neighbour, portalWorld, shop } from "./support/portalWorld.ts"

const path = `/${shop}/cobrancas/nova`

const fields = {
  valor: "1.234,56",
  descricao: "Conserto do portão",
  referencia: "Pedido 77",
  vencimento: "",
  prazo: "604800",
  nome: "Maria das Dores",
  documento: "529.982.247-25",
}

const world = async (options?: Parameters<typeof portalWorld>[0]) => {
  const { pix, app } = portalWorld(options)
  const base = await serveApp("express", app)
  const bia = makeOperator(base, "bia")
  const send = async (more: object = {}) => bia.send((await bia.get(path)).form("/nova"), { ...fields, ...more })
  return { pix, base, bia, send }
}

it("issues a charge once under the form's key, in the operator's name", async () => {
  const { pix, bia, base } = await world()
  await using _ = pix
  const form = (await bia.get(path)).form("/nova")
  const answers = await Promise.all([bia.send(form, fields), bia.send(form, fields)])
  const id = form.fields["key"] ?? ""
  for (const { status, location } of answers) {
    expect([status, location?.replace(/\?.*/, "")]).toEqual([303, `${base}/${shop}/cobrancas/${id}/enviar`])
  }
  const { items } = await pix.charges(shop, { from: 0, until: pix.clock.now() + 1 })
  expect(items).toMatchObject([
    {
      id,
      amountCents: 123_456,
      payer: { name: "Maria das Dores", taxId: "52998224725" },
      messageToPayer: "Conserto do portão",
      reference: "Pedido 77",
      payableUntil: (items[0]?.createdAt ?? 0) + 604_800_000,
    },
  ])
  const { items: records } = await pix.audit.list(shop)
  expect(records.map(({ by, change }) => ({ by, change }))).toEqual([
    { by: "bia", change: { kind: "issueRequested", chargeId: id } },
  ])
  const { text } = await bia.get(answers[0].location ?? "")
  expect(text).toContain("Cobrança emitida. Envie ao pagador o link ou o código.")
  expect(text).toContain(items[0]?.brCode ?? "nothing")
  expect(text).not.toContain("Link de pagamento")
})

it("accepts the typographic quotation marks and hyphens of phone keyboards", async () => {
  const { pix, send } = await world()
  await using _ = pix
  const typed = { descricao: "Copo d’água “grande” – 2…", nome: "Rui D’Ávila" }
  expect((await send(typed)).status).toBe(303)
  expect((await pix.charges(shop, { from: 0, until: pix.clock.now() + 1 })).items).toMatchObject([
    {
      messageToPayer: 'Copo d\'água "grande" - 2...',
      payer: { name: "Rui D'Ávila" },
    },
  ])
})

it("ignores the chosen time to pay if the charge has a due date", async () => {
  const { pix, send } = await world()
  await using _ = pix
  expect((await send({ vencimento: "10/03/2027", nome: "", documento: "" })).status).toBe(303)
  const { items } = await pix.charges(shop, { from: 0, until: pix.clock.now() + 1 })
  expect(items).toMatchObject([{ dueDate: "2027-03-10" }])
  expect(items[0]?.payer).toBeUndefined()
})

it("shows the link of the payer's page if the host has a checkout", async () => {
  const { pix, bia, send } = await world({ checkout: checkout({ url: "https://loja.example/pix" }) })
  await using _ = pix
  const { text } = await bia.get((await send()).location ?? "")
  expect(text).toMatch(/Link de pagamento\s+https:\/\/loja\.example\/pix\/\S+/)
})

it.each([
  ["valor", "12.50", "Informe um valor em reais, com vírgula para os centavos"],
  ["valor", "0", "Informe um valor em reais, com vírgula para os centavos"],
  ["vencimento", "2027-02-30", "Informe uma data válida"],
  ["vencimento", "2027-02-01", "Informe uma data de 01/03/2027 a 01/03/2032."],
  ["nome", "", "Informe o nome"],
  ["documento", "529.982.247-26", "CPF ou CNPJ inválido"],
  ["descricao", "x".repeat(141), "Use no máximo 140 caracteres, sem emojis nem símbolos especiais."],
  ["referencia", "☕".repeat(101), "Use no máximo 100 caracteres, um deles visível."],
])("explains an invalid value beside its field, and keeps the other values: %s = %s", async (name, value, message) => {
  const { pix, bia, send } = await world()
  await using _ = pix
  const refused = await send({ [name]: value })
  expect(refused.status).toBe(422)
  expect(refused.html).toMatch(new RegExp(`class="field-error" id="${name}-problem">${message}`))
  expect(refused.html).toMatch(new RegExp(`id="${name}" name="${name}"[^>]*aria-invalid="true"`))
  expect(refused.html).toContain(`value="${name === "valor" ? "Pedido 77" : "1.234,56"}"`)
  expect((await pix.charges(shop, { from: 0, until: pix.clock.now() + 1 })).items).toEqual([])
  // The corrected form has a new key.
  const corrected = await bia.send(refused.form("/nova"), fields)
  expect(corrected.status).toBe(303)
})

it("requires the right `issue` to issue a charge, and the right to its company to send it", async () => {
  const { pix, base, bia } = await world()
  await using _ = pix
  const leo = makeOperator(base, "leo")
  expect((await leo.get(path)).status).toBe(403)
  const { url, fields: own } = (await bia.get(path)).form("/nova")
  expect((await leo.send({ url, fields: { ...own, ...fields } })).status).toBe(403)
  expect((await bia.get(`/${shop}/cobrancas`)).html).toContain("cobrancas/nova")
  expect((await leo.get(`/${shop}/cobrancas`)).html).not.toContain("cobrancas/nova")
  const { id } = await pix.issue(neighbour, { id: randomUUID(), amountCents: 100 })
  expect((await bia.get(`/${shop}/cobrancas/${id}/enviar`)).status).toBe(404)
  expect((await pix.charges(shop, { from: 0, until: pix.clock.now() + 1 })).items).toEqual([])
})

const dueFields = { vencimento: "10/03/2027", nome: "Maria das Dores", documento: "529.982.247-25" }

it("issues a due-date charge with its own fees, grace days, and its payer's e-mail and address", async () => {
  const { pix, bia, send } = await world()
  await using _ = pix
  const given = {
    ...dueFields,
    multa: "2",
    juros: "0,5 %",
    abatimento: "0",
    desconto: "30,00",
    "desconto-ate": "05/03/2027",
    "dias-apos": "12",
    email: "maria@example.com",
    logradouro: "Rua A, 1",
    cidade: "Recife",
    uf: "pe",
    cep: "50010-000",
  }
  const { location } = await send(given)
  const { items } = await pix.charges(shop, { from: 0, until: pix.clock.now() + 1 })
  expect(items).toMatchObject([
    {
      dueDate: "2027-03-10",
      requested: {
        fees: {
          fine: { kind: "percent", basisPoints: 200 },
          interest: { kind: "percentPerMonth", days: "calendar", basisPoints: 50 },
          abatement: "none",
          discount: { kind: "fixedUntil", tiers: [{ date: "2027-03-05", amountCents: 3_000 }] },
        },
        graceDays: 12,
      },
      payer: {
        email: "maria@example.com",
        address: { street: "Rua A, 1", city: "Recife", state: "PE", postalCode: "50010000" },
      },
    },
  ])
  const terms = "Multa 2% Juros 0,5% ao mês Desconto R$ 30,00 até 05/03/2027 ID da cobrança"
  expect((await bia.get((location ?? "").replace(/\/enviar.*/, ""))).text).toContain(terms)
  const chargePath = (location ?? "").replace(/\/enviar.*/, "")
  const masked = await bia.get(chargePath)
  expect(masked.html).not.toMatch(/maria@example|Rua A/)
  const shown = await bia.send(masked.form("/pagador"))
  expect(shown.text).toContain("maria@example.com")
  expect(shown.text).toContain("Rua A, 1, Recife - PE, CEP 50010-000")
})

it("gives a due-date charge the company's fees if the form's are blank, until the due date if only the day is", async () => {
  const { pix, send } = await world()
  await using _ = pix
  await send(dueFields)
  await send({ ...dueFields, desconto: "1" })
  const { items } = await pix.charges(shop, { from: 0, until: pix.clock.now() + 1 })
  expect(items.filter(({ requested }) => requested === undefined)).toHaveLength(1)
  expect(items.flatMap(({ requested }) => requested?.fees?.discount ?? [])).toEqual([
    { kind: "fixedUntil", tiers: [{ daysBefore: 0, amountCents: 100 }] },
  ])
})

it.each<[ChargeFeesInput, string]>([
  [{ fine: { kind: "fixed", amountCents: 500 } }, "Multa R$ 5,00"],
  [{ interest: { kind: "fixedPerDay", days: "business", amountCents: 50 } }, "Juros R$ 0,50 por dia (dias úteis)"],
  [{ interest: { kind: "percentPerDay", days: "calendar", basisPoints: 3 } }, "Juros 0,03% ao dia"],
  [{ interest: { kind: "percentPerYear", days: "calendar", basisPoints: 1_200 } }, "Juros 12% ao ano"],
  [{ abatement: { kind: "percent", basisPoints: 150 } }, "Abatimento 1,5%"],
  [
    {
      discount: {
        kind: "percentUntil",
        tiers: [
          { daysBefore: 0, basisPoints: 100 },
          { daysBefore: 5, basisPoints: 500 },
        ],
      },
    },
    "Desconto 5% até 05/03/2027 e 1% até 10/03/2027",
  ],
  [
    { discount: { kind: "fixedPerDayEarly", days: "calendar", amountCents: 10 } },
    "Desconto R$ 0,10 por dia antes do vencimento",
  ],
])("names a charge's fees on its page: %j", async (fees, text) => {
  const { pix, bia } = await world()
  await using _ = pix
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 10_000, dueDate: "2027-03-10", fees })
  expect((await bia.get(`/${shop}/cobrancas/${id}`)).text).toContain(`${text} ID da cobrança`)
})

it.each<[string, object, string]>([
  ["multa", { multa: "2", vencimento: "" }, "Multa, juros, abatimento e desconto exigem um vencimento."],
  ["multa", { multa: "dois" }, "Informe um percentual"],
  ["juros", { juros: "-1" }, "Informe um percentual"],
  ["abatimento", { abatimento: "1.5" }, "Informe um valor em reais"],
  ["desconto", { "desconto-ate": "05/03/2027" }, "Informe um valor em reais, como 12,50, e um dia até o vencimento."],
  ["desconto", { desconto: "1", "desconto-ate": "11/03/2027" }, "Informe um valor em reais"],
  ["desconto", { desconto: "1", "desconto-ate": "28/02/2027" }, "O dia do desconto já passou"],
  ["desconto", { desconto: "1.234,56" }, "O abatimento e o desconto devem deixar algo a pagar."],
  ["dias-apos", { "dias-apos": "0" }, "Informe de 1 a 3650 dias"],
  ["email", { email: "maria" }, "Informe um e-mail válido"],
  ["logradouro", { cidade: "Recife" }, "Informe o endereço completo"],
  ["nome", { nome: "", documento: "", email: "maria@example.com" }, "Informe o nome"],
])("explains a wrong term of a due-date charge beside its field: %s, in %j", async (name, given, message) => {
  const { pix, send } = await world()
  await using _ = pix
  const refused = await send({ ...dueFields, ...given })
  expect(refused.status).toBe(422)
  expect(refused.html).toMatch(new RegExp(`class="field-error" id="${name}-problem">${message}`))
  if (name !== "nome") expect(refused.html).toMatch(/<details[^>]*open/)
  expect((await pix.charges(shop, { from: 0, until: pix.clock.now() + 1 })).items).toEqual([])
})
