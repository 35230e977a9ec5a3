import { memoryDirectory } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { payer, portalWorld, shop } from "./support/portalWorld.ts"

const page = `/${shop}/auditoria`

const withChanges = async () => {
  const { pix, app } = portalWorld()
  const base = await serveApp("express", app)
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990, payer })
  await pix.pay(id)
  await pix.by("ana").refundPart(shop, id, { key: "1", amountCents: 500 })
  await pix.by("bia").payers.show(shop, id)
  return { id, leo: makeOperator(base, "leo") }
}

it("shows each change with its actor, its details and a link to the changed item", async () => {
  const { leo, id } = await withChanges()
  const { text, html } = await leo.get(page)
  expect(text).toMatch(/bia Dados do pagador consultados —/)
  expect(text).toMatch(/ana Devolução parcial solicitada R\$ 5,00/)
  expect(html).toContain(`/cobrancas/${id}"`)
  expect(html).not.toContain(payer.name)
})

it("names the changed facts of a registration", async () => {
  const company = { cnpj: shop, name: "Padaria Aurora", city: "Recife", pixKey: shop }
  const { pix, app } = portalWorld({ directory: memoryDirectory({ companies: [company] }) })
  const base = await serveApp("express", app)
  await pix.by("ana").directory.putCompany({ ...company, city: "Olinda", pixKey: "loja@example.com" })
  const { text } = await makeOperator(base, "leo").get(page)
  expect(text).toContain("ana Cadastro da empresa alterado cidade; chave Pix")
})

it("filters by kind and actor", async () => {
  const { leo } = await withChanges()
  const ofBia = await leo.get(`${page}?quem=bia`)
  expect(ofBia.text).toContain("Dados do pagador consultados —")
  expect(ofBia.text).not.toContain("R$ 5,00")
  const parts = await leo.get(`${page}?tipo=partialRefundRequested`)
  expect(parts.text).toContain("R$ 5,00")
  expect(parts.text).not.toContain("Dados do pagador consultados —")
  expect((await leo.get(`${page}?tipo=partialRefundRequested&quem=bia`)).text).toContain(
    "Nenhum registro com estes filtros.",
  )
})

it("shows the actor without direction characters, even if the record has them", async () => {
  const { pix, app } = portalWorld()
  const base = await serveApp("express", app)
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990, payer })
  await pix.by("ana").payers.show(shop, id)
  const list = pix.audit.list
  const audit = {
    ...pix.audit,
    list: async (...given: Parameters<typeof list>) => {
      const read = await list(...given)
      return { ...read, items: read.items.map((record) => ({ ...record, by: "bia\u202exof" })) }
    },
  }
  Object.assign(pix, { audit })
  const { html } = await makeOperator(base, "leo").get(page)
  expect(html).toContain("bia\ufffdxof")
  expect(html).not.toContain("\u202e")
})
