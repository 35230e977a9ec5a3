import { createPix } from "@pixcharge/embed"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { portal } from "../src/index.ts"
import { makeOperator } from "./support/Operator.ts"
import { refusingProcessor } from "./support/faults.ts"
import { serveApp } from "./support/mounts.ts"
import { authorize, payer, portalWorld, shop } from "./support/portalWorld.ts"

const world = async () => {
  const { pix, app } = portalWorld()
  const base = await serveApp("express", app)
  const as = (user: string) => makeOperator(base, user)
  const bia = as("bia")
  const issue = (more: object = {}) => pix.issue(shop, { id: randomUUID(), amountCents: 1_990, payer, ...more })
  const paid = async () => (await pix.pay((await issue()).id)).id
  const at = (id: string, path = "") => bia.open(`/${shop}/cobrancas/${id}${path}`)
  const refund = async (id: string, amount: string) =>
    bia.send((await at(id, `/devolver?valor=${encodeURIComponent(amount)}`)).form("/devolver"))
  return { pix, as, bia, issue, paid, at, refund }
}

it("shows money, terms and code, and hides the payer and the texts for the payer", async () => {
  const { pix, issue, at } = await world()
  await using _ = pix
  const charge = await issue({ messageToPayer: "Pedido do João", additionalInfo: [{ name: "Nome", value: "João" }] })
  const { status, html, text } = await at(charge.id)
  expect(status).toBe(200)
  for (const expected of ["Cobrança de R$ 19,90", "Aguardando pagamento", charge.id, charge.txid, charge.brCode]) {
    expect(text).toContain(expected)
  }
  expect(text).toContain("J*** d*** S*** · ***.982.247-**")
  expect(html).not.toMatch(/João|52998224725|529\.982/)
})

it("shows the payer after a form of an operator with the right, and records this in the audit log", async () => {
  const { pix, as, issue, at } = await world()
  await using _ = pix
  const { id } = await issue({ messageToPayer: "Pedido do João" })
  expect((await as("leo").get(`/${shop}/cobrancas/${id}`)).text).not.toContain("Mostrar pagador")
  const form = (await at(id)).form("/pagador")
  const shown = await as("bia").send(form)
  expect([shown.status, shown.location]).toEqual([200, undefined])
  expect(shown.text).toContain("João da Silva · 529.982.247-25")
  expect(shown.text).toContain("Pedido do João")
  expect(shown.headers.get("cache-control")).toBe("no-store")
  expect((await as("bia").send(form)).text).toContain("João da Silva")
  const { items } = await pix.audit.list(shop)
  expect(items.map(({ by, change }) => [by, change])).toEqual([["bia", { kind: "payerShown", chargeId: id }]])
  expect((await at(id)).text).not.toContain("João")
})

it("asks for a refund's reason and shows it, and lets the operator correct an invalid reason in the same form", async () => {
  const { pix, paid, at, bia } = await world()
  await using _ = pix
  for (const [amount, reason] of [
    ["tudo", "Produto em falta"],
    ["5,00", "Troco – <errado>"],
  ] as const) {
    const id = await paid()
    const page = await at(id, `/devolver?valor=${encodeURIComponent(amount)}`)
    expect(page.text).toContain("Motivo (opcional, o pagador pode vê-lo)")
    const form = page.form("/devolver")
    const refused = await bia.send({ ...form, fields: { ...form.fields, motivo: "obrigado \u{1f600}" } })
    expect([refused.status, (await pix.find(shop, id)).status]).toEqual([422, "paid"])
    expect(refused.html).toMatch(/name="motivo"[^>]*aria-invalid="true"[^>]*value="obrigado \u{1f600}"/u)
    expect(refused.text).toContain("O motivo pode ter até 140 caracteres, sem emojis")
    expect((await pix.find(shop, id)).returns).toEqual([])
    expect(refused.form("/devolver").fields).toEqual(form.fields)
    for (const _time of ["first", "again"]) {
      expect((await bia.send(form, { motivo: ` ${reason} ` })).status).toBe(303)
    }
    const { text, html } = await at(id)
    expect(text).toContain(`motivo: ${reason.replace("–", "-")}`)
    expect(html).not.toContain("<errado>")
  }
})

it("shows reference and metadata on its page, and the reference's beginning in the list, which finds it whole", async () => {
  const { pix, bia, issue, at } = await world()
  await using _ = pix
  const reference = "Pedido <1042>, retirada no balcão"
  const { id } = await issue({ reference, metadata: { "turma <b>": "5B \u202e<i>" } })
  const { id: other } = await issue({ reference: "Pedido 7" })
  const page = await at(id)
  expect(page.text).toContain(`Referência ${reference}`)
  expect(page.text).toContain("Metadados turma <b> 5B \ufffd<i>")
  expect(page.html).not.toMatch(/<1042>|<b>|<i>/)
  const list = await bia.get(`/${shop}/cobrancas`)
  expect(list.text).toContain("Pedido <1042>, retirada…")
  expect(list.text).toContain("Pedido 7")
  const found = await bia.send(list.form("/cobrancas"), { busca: reference })
  const { html } = await bia.get(found.location ?? "")
  expect([html.includes(id.slice(8)), html.includes(other.slice(8))]).toEqual([true, false])
  expect(found.location).not.toContain("Pedido")
})

it("says that the charge has no payer, or that the payer's data was erased", async () => {
  const { pix, issue, at } = await world()
  await using _ = pix
  expect((await at((await issue({ payer: undefined })).id)).text).toContain("Não informado")
  const { id } = await issue()
  await pix.payers.erase(shop, payer.taxId)
  expect((await at(id)).text).toContain("Dados apagados em 01/03/2027 às 12:00 a pedido do titular")
})

it("shows the whole story of the charge on one time line, the newest entry first", async () => {
  const { pix, bia, issue, at } = await world()
  await using _ = pix
  const { id } = await issue()
  await pix.clock.advance("1 minute")
  await pix.pay(id)
  await pix.clock.advance("1 minute")
  await pix.payTwice(id)
  await bia.send((await at(id, "/devolver?valor=5")).form("/devolver"))
  await pix.runDueWork()
  const { html, text, url } = await at(id)
  const expected = [
    "Cobrança de R$ 19,90 criada",
    "Pagamento de R$ 19,90",
    "Evento “Pagamento recebido” para Aplicação (interno) entregue",
    "Tentativa de entrega a Aplicação (interno) Aceito",
    "Outro pagamento: R$ 19,90 a cobrança já tinha sido paga",
    "Devolução parcial solicitada: R$ 5,00 concluída",
    "Devolução de R$ 5,00 à conta de origem devolução solicitada aqui",
    "Devolução parcial solicitada R$ 5,00 por bia",
  ]
  for (const entry of expected) expect(text).toContain(entry)
  expect(text.indexOf("Devolução parcial solicitada")).toBeLessThan(text.indexOf("Pagamento de R$ 19,90"))
  expect(text.indexOf("Pagamento de R$ 19,90")).toBeLessThan(text.indexOf("Cobrança de R$ 19,90 criada"))
  expect(html).not.toContain("sem resposta")
  for (const [way, heading] of [
    ["excecoes", "Pagamento de R$ 19,90 sem cobrança correspondente"],
    ["eventos", "Pagamento recebido"],
  ] as const) {
    const [, href = ""] = new RegExp(`href="([^"]+/${way}/[^"]+)"`).exec(html) ?? []
    expect((await bia.get(new URL(href.replaceAll("&amp;", "&"), url).href)).text).toContain(heading)
  }
})

it("refunds a charge in full after a confirmation", async () => {
  const { pix, bia, paid, at } = await world()
  await using _ = pix
  const id = await paid()
  const ask = await at(id, "/devolver")
  expect(ask.text).toContain("Devolver todo o valor disponível: R$ 19,90")
  expect(ask.text).toContain("até 90 dias após o pagamento: até 30/05/2027 às 23:59")
  const confirm = await at(id, "/devolver?valor=tudo")
  expect(confirm.text).toContain("Você vai devolver R$ 19,90 ao pagador. A devolução não pode ser desfeita.")
  expect(confirm.text).toContain("Saldo após a devolução R$ 0,00")
  expect((await pix.find(shop, id)).status).toBe("paid")
  const { status, location = "" } = await bia.send(confirm.form("/devolver"))
  expect(status).toBe(303)
  const after = await bia.get(location)
  expect(after.text).toContain("Devolução concluída: o valor voltou à conta de origem.")
  expect(after.text).toContain("Devolvida")
  expect(await pix.find(shop, id)).toMatchObject({ status: "refunded", returns: [{ amountCents: 1_990 }] })
  const { items } = await pix.audit.list(shop)
  expect(items.map(({ by, change }) => [by, change.kind])).toEqual([["bia", "refundRequested"]])
  expect((await at(id, "/devolver")).text).toContain("O pagamento já foi devolvido integralmente.")
})

it("refunds a charge in parts until the whole payment is returned", async () => {
  const { pix, paid, at, refund } = await world()
  await using _ = pix
  const id = await paid()
  expect((await refund(id, "5,00")).status).toBe(303)
  const after = await at(id)
  expect(after.text).toContain("Paga Devolvido: R$ 5,00")
  expect(after.text).toContain("Disponível para devolução R$ 14,90")
  expect((await refund(id, "R$ 10")).status).toBe(303)
  expect((await refund(id, "tudo")).status).toBe(303)
  const charge = await pix.find(shop, id)
  expect(charge.status).toBe("refunded")
  expect(charge.returns.map(({ amountCents }) => amountCents).toSorted((a, b) => a - b)).toEqual([490, 500, 1_000])
})

it("refunds once for each order, even if its confirmation is opened again", async () => {
  const { pix, bia, paid, at } = await world()
  await using _ = pix
  const id = await paid()
  const confirm = await at(id, "/devolver?valor=5,00")
  const again = await bia.get(confirm.url)
  expect(again.form("/devolver").fields["key"]).toBe(confirm.form("/devolver").fields["key"])
  await bia.send(confirm.form("/devolver"))
  await bia.send(again.form("/devolver"))
  expect((await pix.find(shop, id)).returns.map(({ amountCents }) => amountCents)).toEqual([500])
  const back = await bia.get(confirm.url)
  expect(back.text).toContain("Esta devolução, de R$ 5,00, já foi solicitada.")
  expect(back.text).toContain("Devolver todo o valor disponível: R$ 14,90")
  expect(() => back.form("/devolver")).toThrow("no form")
  expect((await at(id, "/devolver?valor=5,00")).url).not.toBe(confirm.url)
})

it.each([
  ["19,91", "O valor é maior que o disponível para devolução: R$ 19,90."],
  ["0", "Informe um valor em reais"],
  ["", "Informe um valor em reais"],
  ["-1", "Informe um valor em reais"],
  ["12.50", "Informe um valor em reais"],
  ["1,999", "Informe um valor em reais"],
  ["abc", "Informe um valor em reais"],
  ["99999999999", "Informe um valor em reais"],
])("explains an invalid amount at its field: %j", async (amount, expected) => {
  const { pix, paid, at } = await world()
  await using _ = pix
  const { status, html, text } = await at(await paid(), `/devolver?valor=${encodeURIComponent(amount)}`)
  expect(status).toBe(422)
  expect(text).toContain(expected)
  expect(html).toContain('aria-describedby="valor-hint valor-problem"')
  expect(html).toContain(`value="${amount}"`)
})

it("rejects an order that the confirmation didn't write", async () => {
  const { pix, bia, paid, at } = await world()
  await using _ = pix
  const id = await paid()
  for (const fields of [
    { cents: "0" },
    { cents: "1.5" },
    { cents: "x" },
    { kind: "All" },
    { kind: "Again", parte: "0" },
  ]) {
    const form = (await at(id, "/devolver?valor=5")).form("/devolver")
    expect((await bia.send(form, fields as Record<string, string>)).status).toBe(422)
  }
  const form = (await at(id, "/devolver?valor=5")).form("/devolver")
  const { status, text } = await bia.send(form, { cents: "1991" })
  expect([status, text]).toEqual([409, expect.stringContaining("O valor é maior que o disponível para devolução.")])
  expect((await pix.find(shop, id)).returns).toEqual([])
})

it("explains that an unpaid charge and a payment older than 90 days can't be refunded", async () => {
  const { pix, issue, paid, at, bia } = await world()
  await using _ = pix
  const { id } = await issue()
  expect((await at(id, "/devolver")).text).toContain("Só o pagamento de uma cobrança paga pode ser devolvido.")
  const old = await paid()
  const form = (await at(old, "/devolver?valor=tudo")).form("/devolver")
  await pix.clock.advance("91 days")
  expect((await at(old)).text).not.toContain("Devolver pagamento")
  expect((await at(old, "/devolver")).text).toContain("de 90 dias após o pagamento, terminou em 30/05/2027 às 23:59.")
  const expired = await bia.send(form)
  expect(expired.status).toBe(403)
})

it("shows a part that the bank refused to refund, and requests it again under the same key", async () => {
  let reason: string | undefined = "json_invalido"
  await using pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [
        { cnpj: shop, name: "Loja", city: "Recife", graceDays: 5, integratorKey: "key-of-a-test", pixKey: shop },
      ],
    }),
    processor: refusingProcessor(() => reason),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of tests alone, known to all" }] },
  })
  const bia = makeOperator(await serveApp("express", portal(pix, { authorize })), "bia")
  const id = randomUUID()
  await pix.issue(shop, { id, amountCents: 1_990 })
  await pix.simulatePayment(shop, id)
  const at = (path: string) => bia.open(`/${shop}/cobrancas/${id}${path}`)
  const form = (await at("/devolver?valor=5")).form("/devolver")
  const reasonFields = { motivo: "Troco" }
  const refused = await bia.send(form, reasonFields)
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("O banco recusou a devolução")])
  expect((await bia.open(`/${shop}/cobrancas.csv`)).html).not.toContain("Troco")
  // The page shows the bank's reason instead of guessing one.
  expect(refused.text).not.toContain("saldo")
  expect((await at("")).text).toContain("motivo do banco: json_invalido")
  const other = randomUUID()
  await pix.issue(shop, { id: other, amountCents: 1_990 })
  await pix.simulatePayment(shop, other, { outcome: "paidTwice" })
  const { items } = await pix.exceptions.search(shop, { from: 0, until: Date.now() + 60_000 })
  const page = `/${shop}/excecoes/${items[0]?.payment.endToEndId}`
  const unreturned = await bia.send((await bia.open(`${page}/devolver`)).form("/devolver"))
  expect(unreturned.text).not.toContain("saldo")
  expect((await bia.open(page)).text).toContain("Motivo do banco: json_invalido")
  reason = undefined
  const repeated = await bia.send(form, reasonFields)
  expect([repeated.status, repeated.text]).toEqual([refused.status, refused.text])
  const ask = await at("/devolver")
  expect(ask.text).toContain("Devoluções recusadas pelo banco")
  expect(ask.html).toContain('devolver?parte=0"')
  const confirm = await at("/devolver?parte=0")
  expect(confirm.text).toContain("Você vai devolver R$ 5,00")
  expect((await bia.send(confirm.form("/devolver"))).status).toBe(303)
  const charge = await pix.find(shop, id)
  expect(charge.partialRefunds).toMatchObject([{ amountCents: 500, status: "returned", key: form.fields["key"] }])
  expect((await at("/devolver?parte=0")).status).toBe(422)

  reason = "saldo insuficiente"
  const rest = await bia.send((await at("/devolver?valor=tudo")).form("/devolver"))
  expect(rest.status).toBe(409)
  expect((await pix.find(shop, id)).status).toBe("paid")
})

it("cancels an unpaid charge after a confirmation, and doesn't cancel a paid charge", async () => {
  const { pix, bia, issue, paid, at } = await world()
  await using _ = pix
  const { id } = await issue()
  const confirm = await at(id, "/cancelar")
  expect(confirm.text).toContain("O código Pix desta cobrança deixará de ser válido.")
  const { location = "" } = await bia.send(confirm.form("/cancelar"))
  expect((await bia.get(location)).text).toContain("Cobrança cancelada.")
  expect((await pix.find(shop, id)).status).toBe("cancelled")
  const other = await at(await paid(), "/cancelar")
  expect(other.text).toContain("Só uma cobrança que ainda não foi paga pode ser cancelada.")
  expect(other.html).not.toContain('method="post"')
})

it("shows the amount due today with its fine", async () => {
  const facts = { cnpj: shop, name: "Padaria Aurora", city: "Recife", pixKey: shop }
  const fees = { fine: { kind: "percent", basisPoints: 200 } } as const
  const { pix, app } = portalWorld({ directory: memoryDirectory({ companies: [{ ...facts, fees }] }) })
  await using _ = pix
  const order = { id: randomUUID(), amountCents: 125_000, dueDate: "2027-03-05", payer }
  await pix.issue(shop, order)
  const bia = makeOperator(await serveApp("express", app), "bia")
  const open = async () => (await bia.open(`/${shop}/cobrancas/${order.id}`)).text
  expect(await open()).not.toContain("A pagar hoje")
  await pix.clock.advance("7 days")
  expect(await open()).toContain("Valor R$ 1.250,00 Multa R$ 25,00 A pagar hoje R$ 1.275,00")
})

it("shows the status beside the title, one main action, and the code only while the charge is payable", async () => {
  const { pix, issue, paid, at } = await world()
  await using _ = pix
  const main = (html: string) =>
    [...html.matchAll(/class="button button-primary"[^>]*>\s*([^<]*?)\s*</g)].map(([, text]) => text)
  const pending = await at((await issue()).id)
  expect(pending.html.replaceAll(/\s+/g, " ")).toMatch(/<h1>Cobrança de R\$ 19,90<\/h1>.{0,80}Aguardando pagamento/)
  expect(main(pending.html)).toEqual(["Copiar código"])
  expect(pending.html).toContain('aria-label="QR Code Pix"')
  const settled = await at(await paid())
  expect(main(settled.html)).toEqual(["Devolver pagamento"])
  expect(settled.html).not.toContain("QR Code Pix")
})

it("lists deliveries of events separately from the story", async () => {
  const { pix, paid, at } = await world()
  await using _ = pix
  const { html } = await at(await paid())
  const [story = "", deliveries = ""] = html.split("Envios de eventos (")
  expect(story).toContain("Pagamento de R$ 19,90")
  expect(story).not.toContain("Evento “Pagamento recebido”")
  expect(deliveries).toContain("Evento “Pagamento recebido”")
})
