import { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import { callbackFetch } from "@pixcharge/callback-fetch"
import type { Cents } from "@pixcharge/core/money"
import { createPix, type SandboxPix } from "@pixcharge/embed"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { portal } from "../src/index.ts"
import { makeOperator } from "./support/Operator.ts"
import { changedProcessor } from "./support/faults.ts"
import { serveApp } from "./support/mounts.ts"
import { authorize, payer, portalWorld, shop } from "./support/portalWorld.ts"

const minuteMs = 60_000

const operate = async (pix: SandboxPix) => {
  const base = await serveApp("express", portal(pix, { authorize }))
  const bia = makeOperator(base, "bia")
  const at = (id: string, path = "") => bia.open(`/${shop}/cobrancas/${id}${path}`)
  return {
    bia,
    at,
    issue: (more: object = {}) => pix.issue(shop, { id: randomUUID(), amountCents: 1_990, payer, ...more }),
    /** Fills in the form and sends it to the confirmation. */
    check: async (id: string, fields: Readonly<Record<string, string>>) =>
      bia.send((await at(id, "/alterar")).form("/conferir"), fields),
    find: (id: string) => pix.find(shop, id),
    statuses: async (id: string) => ((await pix.find(shop, id)).termsHistory ?? []).map(({ status }) => status),
  }
}

const world = async (options?: Parameters<typeof portalWorld>[0]) => {
  const { pix } = portalWorld(options)
  return { pix, ...(await operate(pix)) }
}

/** With the real time. */
const worldAt = async (processor: ReturnType<typeof changedProcessor>) => {
  const pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [{ cnpj: shop, name: "Loja", city: "Recife", integratorKey: "key-of-a-test", pixKey: shop }],
    }),
    processor,
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of tests alone, known to all" }] },
  })
  return { pix, ...(await operate(pix)) }
}

const dated = { dueDate: "2027-03-10", messageToPayer: "Aula do João" }

it("changes an open charge after a confirmation of old and new terms", async () => {
  const { pix, bia, issue, at, check, find } = await world()
  await using _ = pix
  const { id } = await issue({ ...dated, reference: "Turma 5B" })
  const form = await at(id, "/alterar")
  expect(form.text).toContain("Hoje: R$ 19,90.")
  expect(form.text).toContain("Hoje: 10/03/2027.")
  const confirm = await check(id, {
    valor: "15,00",
    vencimento: "2027-03-12",
    "dias-apos": "20",
    descricao: "Aula “extra”",
    referencia: "Turma 5C",
  })
  expect(confirm.status).toBe(200)
  for (const shown of [
    "Valor Hoje: R$ 19,90 Depois: R$ 15,00",
    "Vencimento Hoje: 10/03/2027 Depois: 12/03/2027",
    "Dias para pagar após o vencimento Hoje: Pode ser paga até 15/03/2027 23:59 Depois: 20",
    'Mensagem ao pagador Hoje: Com mensagem Depois: Aula "extra"',
    "Referência Hoje: Turma 5B Depois: Turma 5C",
  ]) {
    expect(confirm.text).toContain(shown)
  }
  expect(confirm.html + form.html).not.toContain("João")
  expect((await find(id)).termsHistory).toBeUndefined()
  const done = await bia.send(confirm.form("/alterar"))
  expect([done.status, new URL(done.location ?? "").pathname.endsWith(`/cobrancas/${id}`)]).toEqual([303, true])
  expect(await find(id)).toMatchObject({
    amountCents: 1_500,
    dueDate: "2027-03-12",
    requested: { graceDays: 20 },
    messageToPayer: 'Aula "extra"',
    reference: "Turma 5C",
  })
  expect((await bia.get(done.location ?? "")).text).toContain("Cobrança alterada. O código Pix continua o mesmo.")
})

it("names only what the operator filled in", async () => {
  const { pix, bia, issue, check, find } = await world()
  await using _ = pix
  const { id } = await issue(dated)
  const confirm = await check(id, { valor: "19,90", vencimento: "2027-03-12" })
  expect(confirm.text).not.toContain("Depois: R$ 19,90")
  await pix.change(shop, id, { key: "host", amountCents: 2_500 })
  await bia.send(confirm.form("/alterar"))
  expect(await find(id)).toMatchObject({ amountCents: 2_500, dueDate: "2027-03-12", messageToPayer: "Aula do João" })
})

it("gives an immediate charge a longer time from now, up to 30 days from its creation", async () => {
  const { pix, bia, issue, at, check, find } = await world()
  await using _ = pix
  const { id, createdAt } = await issue({ payableForSeconds: 3_600 })
  await pix.clock.advance("30 minutes")
  const form = await at(id, "/alterar")
  expect(form.text).toContain("Continua até 01/03/2027 às 13:00")
  expect(form.text).toContain("Mais 1 dia: até 02/03/2027 às 12:30")
  expect(form.text).toContain("O máximo: até 31/03/2027 às 12:00")
  expect(form.html).not.toContain('name="vencimento"')
  const [, seconds = ""] = /value="(\d+)"\s*>\s*Mais 1 dia/.exec(form.html) ?? []
  const confirm = await check(id, { prazo: seconds })
  expect(confirm.text).toContain("Pode ser paga até Hoje: 01/03/2027 13:00 Depois: 02/03/2027 12:30")
  await bia.send(confirm.form("/alterar"))
  expect((await find(id)).payableUntil).toBe(createdAt + 30 * minuteMs + 86_400_000)
})

it("makes one change of a form that is sent several times, also to another process", async () => {
  const { pix, bia, issue, check, statuses } = await world()
  await using _ = pix
  const { id } = await issue()
  const form = (await check(id, { valor: "15" })).form("/alterar")
  const other = makeOperator(await serveApp("express", portal(pix, { authorize })), "bia")
  const elsewhere = new URL(form.url).pathname.replace("/portal", "")
  const answers = await Promise.all([bia.send(form), bia.send(form), other.post(elsewhere, form.fields)])
  answers.push(await bia.send(form), await other.post(elsewhere, form.fields))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
  expect(await statuses(id)).toEqual(["replaced", "inForce"])
  const { items } = await pix.audit.list(shop, { kind: "chargeChanged" })
  expect(items.map(({ by, change }) => [by, change])).toEqual([
    ["bia", { kind: "chargeChanged", chargeId: id, key: form.fields["key"] }],
  ])
  expect((await bia.get(`/${shop}/auditoria`)).text).toContain("bia Alteração de cobrança solicitada")
})

it("refuses other terms under the key of a form, and starts a new form after the browser's back button", async () => {
  const { pix, bia, issue, at, statuses } = await world()
  await using _ = pix
  const { id } = await issue()
  const first = (await at(id, "/alterar")).form("/conferir")
  const confirmed = (await bia.send(first, { valor: "15" })).form("/alterar")
  expect(confirmed.fields["key"]).toBe(first.fields["key"])
  await bia.send(confirmed)
  const other = makeOperator(await serveApp("express", portal(pix, { authorize })), "bia")
  const elsewhere = new URL(confirmed.url).pathname.replace("/portal", "")
  const conflict = await other.post(elsewhere, { ...confirmed.fields, valor: "16,00" })
  expect([conflict.status, conflict.text]).toEqual([409, expect.stringContaining("Este formulário já pediu outra")])
  const again = await bia.send(first, { valor: "16" })
  expect(again.text).toContain("Esta alteração já foi solicitada.")
  expect(again.form("/conferir").fields["key"]).not.toBe(first.fields["key"])
  expect(await statuses(id)).toEqual(["replaced", "inForce"])
})

it.each([
  ["valor", "12.50", "Informe um valor em reais"],
  ["valor", "0", "Informe um valor em reais"],
  ["valor", "", "Preencha ao menos um campo"],
  ["valor", "19,90", "Preencha ao menos um campo"],
  ["vencimento", "2027-02-30", "Informe uma data válida"],
  ["dias-apos", "0", "Informe de 1 a 3650 dias"],
  ["descricao", "obrigado \u{1f600}", "Use no máximo 140 caracteres"],
  ["referencia", "☕".repeat(101), "Use no máximo 100 caracteres"],
])("explains a wrong value beside its field before the confirmation: %s = %s", async (name, value, message) => {
  const { pix, issue, check } = await world()
  await using _ = pix
  const { id } = await issue(dated)
  const refused = await check(id, { [name]: value })
  expect(refused.status).toBe(422)
  expect(refused.html).toMatch(new RegExp(`class="field-error" id="${name}-problem">${message}`))
  expect(refused.form("/conferir").fields["key"]).not.toBe("")
})

it.each([
  ["vencimento", { vencimento: "2027-02-01" }, dated, "Informe uma data de 01/03/2027 a 01/03/2032."],
  ["prazo", { prazo: "60" }, { payableForSeconds: 3_600 }, "o prazo para pagar já teria terminado"],
  [
    "valor",
    { valor: "1,00" },
    { ...dated, fees: { abatement: { kind: "fixed", amountCents: 500 } } },
    "O abatimento e o desconto devem deixar algo a pagar.",
  ],
])(
  "explains terms that pixcharge refuses, and lets the operator correct them: %s",
  async (name, wrong, more, message) => {
    const { pix, bia, issue, check, find } = await world()
    await using _ = pix
    const { id } = await issue(more)
    await pix.clock.advance("2 minutes")
    const form = (await check(id, wrong)).form("/alterar")
    const refused = await bia.send(form)
    expect(refused.status).toBe(422)
    expect(refused.html).toContain(`id="${name}-problem"`)
    expect(refused.text).toContain(message)
    expect((await find(id)).termsHistory).toBeUndefined()
    const corrected = await bia.send(refused.form("/conferir"), { valor: "18" })
    expect((await bia.send(corrected.form("/alterar"))).status).toBe(303)
    expect((await find(id)).amountCents).toBe(1_800)
  },
)

it("offers no change of a charge that isn't open", async () => {
  const { pix, bia, issue, at, check, statuses } = await world()
  await using _ = pix
  const { id } = await issue()
  expect((await at(id)).text).toContain("Alterar cobrança")
  const form = (await check(id, { valor: "15" })).form("/alterar")
  await pix.pay(id)
  expect((await at(id)).text).not.toContain("Alterar cobrança")
  const page = await at(id, "/alterar")
  expect(page.text).toContain("Só uma cobrança que aguarda pagamento pode ser alterada.")
  expect(page.html).not.toContain('name="valor"')
  const late = await bia.send(form)
  expect([late.status, late.text]).toEqual([409, expect.stringContaining("A cobrança já foi paga")])
  expect(await statuses(id)).toEqual([])
})

it("shows the bank's refusal and its reason, and the charge keeps its terms", async () => {
  let isRefused = true
  const reason = Redacted.make("valor acima do limite")
  const processor = changedProcessor(({ change }) => ({
    change: (order) => (isRefused ? new ProcessorRejected({ operation: "change", reason }) : change(order)),
  }))
  const { pix, bia, issue, at, check, statuses } = await worldAt(processor)
  await using _ = pix
  const { id } = await issue()
  const refused = await bia.send((await check(id, { valor: "15" })).form("/alterar"))
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("O banco recusou a alteração")])
  const { text } = await at(id)
  expect(text).toContain("Cobrança de R$ 19,90 Aguardando pagamento")
  expect(text).toMatch(/Alteração recusada pelo banco valor de R\$ 19,90 para R\$ 15,00 motivo do banco: valor acima/)
  expect(text).toContain("operador Recusada pelo banco")
  isRefused = false
  await bia.send((await check(id, { valor: "16" })).form("/alterar"))
  expect(await statuses(id)).toEqual(["replaced", "refused", "inForce"])
})

it("says that a change is under way until the bank answers, and offers no other one", async () => {
  let isSilent = true
  const processor = changedProcessor(({ change }) => ({
    change: (order) => (isSilent ? new ProcessorUnavailable({ operation: "change" }) : change(order)),
  }))
  const { pix, bia, issue, at, check, statuses } = await worldAt(processor)
  await using _ = pix
  const { id } = await issue({ payableForSeconds: 3_600 })
  const other = (await check(id, { valor: "30" })).form("/alterar")
  const { location = "" } = await bia.send((await check(id, { valor: "15" })).form("/alterar"))
  const page = await bia.get(location)
  expect(page.text).toContain("Alteração solicitada. O banco ainda não respondeu")
  expect(page.text).toMatch(/Alteração solicitada em [\d/]+ às [\d:]+: valor de R\$ 19,90 para R\$ 15,00\./)
  expect(page.text).toContain("Cobrança de R$ 19,90 Aguardando pagamento")
  expect(page.text).toContain("operador Aguardando o banco")
  const form = await at(id, "/alterar")
  expect(form.text).toContain("Aguarde a resposta do banco para pedir outra.")
  expect(form.html).not.toContain('name="valor"')
  const second = await bia.send(other)
  expect([second.status, second.text]).toEqual([409, expect.stringContaining("Outra alteração desta cobrança")])
  isSilent = false
  await pix.clock.advance("2 minutes")
  await expect.poll(() => statuses(id)).toEqual(["replaced", "inForce"])
  const changed = await at(id)
  expect(changed.text).toContain("Cobrança de R$ 15,00")
  expect(changed.text).not.toContain("Alteração solicitada em")
})

it("offers another change after a request without an answer has ended", async () => {
  const processor = changedProcessor(() => ({ change: () => new ProcessorUnavailable({ operation: "change" }) }))
  const { pix, issue, at } = await worldAt(processor)
  await using _ = pix
  const { id } = await issue({ payableForSeconds: 86_400 })
  const shorter = pix.change(shop, id, { key: "a", payableForSeconds: 3_600 })
  await expect(shorter).rejects.toMatchObject({ _tag: "ProcessorUnavailable" })
  expect((await at(id, "/alterar")).html).not.toContain('name="valor"')
  await pix.clock.advance("2 hours")
  expect((await at(id, "/alterar")).html).toContain('name="valor"')
})

it("says that a change got no answer before its charge was cancelled", async () => {
  const processor = changedProcessor(() => ({ change: () => new ProcessorUnavailable({ operation: "change" }) }))
  const { pix, issue, at } = await worldAt(processor)
  await using _ = pix
  const { id } = await issue()
  await expect(pix.change(shop, id, { key: "a", amountCents: 1_500 })).rejects.toThrow()
  await pix.cancel(shop, id)
  const { text } = await at(id)
  expect(text).toContain("aplicação Sem resposta do banco")
  expect(text).not.toContain("Alteração solicitada em")
})

it("shows terms that were changed at the bank, and that the change requested before has no answer", async () => {
  let isElsewhere = false
  const processor = changedProcessor(({ lookup }) => ({
    change: () => new ProcessorUnavailable({ operation: "change" }),
    lookup: (charge) =>
      Effect.map(lookup(charge), (view) =>
        isElsewhere ? { ...view, terms: { amountCents: 4_000 as Cents, revision: 7 } } : view,
      ),
  }))
  const { pix, bia, issue, at, check, statuses } = await worldAt(processor)
  await using _ = pix
  const { id } = await issue({ payableForSeconds: 3_600 })
  await bia.send((await check(id, { valor: "15" })).form("/alterar"))
  isElsewhere = true
  await pix.clock.advance("2 minutes")
  await expect.poll(() => statuses(id)).toEqual(["replaced", "unanswered", "inForce"])
  const { text } = await at(id)
  expect(text).toContain("Cobrança de R$ 40,00")
  expect(text).toContain("Alteração feita no banco valor de R$ 19,90 para R$ 40,00")
  expect(text).toContain("banco Em vigor")
  expect(text).toContain("operador Sem resposta do banco")
  expect(text).not.toContain("Alteração solicitada em")
})

it("tells the story of each change with amounts and days, and what was issued", async () => {
  const { pix, bia, issue, at, check } = await world()
  await using _ = pix
  const { id } = await issue(dated)
  await pix.clock.advance("1 minute")
  await bia.send((await check(id, { valor: "15", vencimento: "2027-03-12" })).form("/alterar"))
  await pix.clock.advance("1 minute")
  await pix.change(shop, id, { key: "host", messageToPayer: "Aula do Rui" })
  const { text, html } = await at(id)
  const story = text.slice(text.indexOf("Histórico"))
  const entries = [
    "Alteração em vigor mesmo valor e mesmo prazo",
    "Alteração solicitada mesmo valor e mesmo prazo pela aplicação",
    "Alteração em vigor valor de R$ 19,90 para R$ 15,00 vencimento de 10/03/2027 para 12/03/2027 pode ser paga até 17/03/2027 23:59",
    "Alteração solicitada valor de R$ 19,90 para R$ 15,00 vencimento de 10/03/2027 para 12/03/2027 pode ser paga até 17/03/2027 23:59 por um operador",
    "Cobrança de R$ 19,90 criada vence em 10/03/2027",
  ]
  const places = entries.map((entry) => story.indexOf(entry))
  expect(places.every((place) => place >= 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(html).not.toMatch(/João|Rui/)
  const versions = text.slice(text.indexOf("Versões da cobrança"), text.indexOf("Histórico"))
  expect(versions).toMatch(
    /3 R\$ 15,00 12\/03\/2027 17\/03\/2027 23:59 01\/03\/2027 12:02 aplicação Em vigor 2 R\$ 15,00 .* operador Substituída 1 R\$ 19,90 10\/03\/2027 15\/03\/2027 23:59 01\/03\/2027 12:00 emissão Substituída/,
  )
})

it("lists and exports the terms in force, and doesn't mark a payment of an earlier amount", async () => {
  const { pix, bia, issue, at, check } = await world()
  await using _ = pix
  const { id } = await issue(dated)
  await bia.send((await check(id, { valor: "25" })).form("/alterar"))
  const list = await bia.get(`/${shop}/cobrancas`)
  expect(list.text).toContain("R$ 25,00")
  expect(list.text).not.toContain("R$ 19,90")
  const file = await bia.get(`/${shop}/cobrancas.csv`)
  expect(file.html).toContain(";2500;")
  expect(file.html).not.toContain(";1990;")
  await pix.simulatePayment(shop, id, { amountCents: 1_990 })
  const { text } = await at(id)
  expect(text).toContain("Valor pago R$ 19,90")
  expect(text).not.toContain("valor diferente do devido")
  const payments = await bia.get(`/${shop}/pagamentos.csv`)
  expect(payments.html).toContain(";1990;")
})
