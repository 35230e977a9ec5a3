import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { payer, portalWorld, shop } from "./support/portalWorld.ts"

const page = `/${shop}/pagadores`

const withPayer = async () => {
  const { pix, app } = portalWorld()
  const base = await serveApp("express", app)
  const charge = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990, payer })
  await pix.issue(shop, { id: randomUUID(), amountCents: 500, payer: { name: "Outra Pessoa", taxId: "12345678909" } })
  return { pix, charge, ana: makeOperator(base, "ana"), leo: makeOperator(base, "leo") }
}

const listChanges = async ({ audit }: Awaited<ReturnType<typeof withPayer>>["pix"]) =>
  (await audit.list(shop)).items.map(({ by, change }) => ({ by, ...change }))

it("exports all records of a payer as a file, and audits the export without naming the payer", async () => {
  const { pix, ana, charge } = await withPayer()
  const form = (await ana.get(page)).form("/exportar")
  expect(form.url).not.toContain("?")
  const file = await ana.send(form, { "documento-exportar": "529.982.247-25" })
  expect(file.status).toBe(200)
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="pagador-2027-03-01.json"')
  expect(file.headers.get("content-type")).toBe("application/json; charset=utf-8")
  expect(file.headers.get("cache-control")).toBe("no-store")
  const kept = JSON.parse(file.html) as {
    readonly company: string
    readonly charges: ReadonlyArray<{ readonly id: string }>
  }
  expect(kept.company).toBe(shop)
  expect(kept.charges.map(({ id }) => id)).toEqual([charge.id])
  expect(kept.charges[0]).toMatchObject({ payer })
  expect(await listChanges(pix)).toEqual([{ by: "ana", kind: "payerExported", charges: 1 }])
})

it("erases a payer in the operator's name, after a confirmation that names the kept data", async () => {
  const { pix, ana, charge } = await withPayer()
  const confirmation = await ana.send((await ana.get(page)).form("/apagar"), { "documento-apagar": payer.taxId })
  expect(confirmation.status).toBe(200)
  expect(confirmation.text).toContain("Documento 529.982.247-25")
  expect(confirmation.text).toContain("Fica valores, datas, identificadores, pagamentos e devoluções")
  expect((await pix.find(shop, charge.id)).payer).toEqual(payer)
  const done = await ana.send(confirmation.form("/apagados"))
  expect(done.text).toContain("Os dados do pagador foram apagados de 1 cobrança.")
  expect(done.html).not.toContain("529")
  expect((await pix.find(shop, charge.id)).payer).toBeUndefined()
  expect((await ana.send(confirmation.form("/apagados"))).text).toContain("apagados de 1 cobrança")
  expect(await listChanges(pix)).toEqual([{ by: "ana", kind: "payerErased", charges: 1, oldestChargeId: charge.id }])
  const again = await ana.send((await ana.get(page)).form("/apagar"), { "documento-apagar": payer.taxId })
  expect((await ana.send(again.form("/apagados"))).text).toContain("Esta empresa não guarda dados deste pagador.")
})

it("erases reference and metadata with a payer, unless the operator keeps them", async () => {
  const { pix, ana } = await withPayer()
  await using _ = pix
  const texts = { reference: "Pedido 7", metadata: { turma: "5B" } }
  const erase = async (fields: Readonly<Record<string, string>>) => {
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 100, payer, ...texts })
    const confirmation = await ana.send((await ana.get(page)).form("/apagar"), { "documento-apagar": payer.taxId })
    expect(confirmation.text).toContain("a referência e os metadados, em todas as cobranças")
    await ana.send(confirmation.form("/apagados"), fields)
    const { reference, metadata } = await pix.find(shop, id)
    return { reference, metadata }
  }
  expect(await erase({})).toEqual({})
  expect(await erase({ "manter-referencia": "sim" })).toEqual(texts)
  const { text } = await ana.open(`/${shop}/auditoria`)
  expect(text).toContain("1 cobrança e referência mantida")
})

it("exports a payer's recurrences, and refuses to erase the payer before they have ended", async () => {
  const { pix, app } = portalWorld({ recurrences: true })
  await using _ = pix
  const ana = makeOperator(await serveApp("express", app), "ana")
  const { id } = await pix.recurrences.offer(shop, {
    id: randomUUID(),
    payer,
    title: "Clube do livro",
    period: "monthly",
    startDate: "2027-03-20",
    amountCents: 4_990,
    journey: { by: "code" },
  })
  const file = await ana.send((await ana.get(page)).form("/exportar"), { "documento-exportar": payer.taxId })
  const kept = JSON.parse(file.html) as { readonly recurrences: ReadonlyArray<object> }
  expect(kept.recurrences).toEqual([expect.objectContaining({ id, payer })])
  const erase = async () => {
    const confirmation = await ana.send((await ana.get(page)).form("/apagar"), { "documento-apagar": payer.taxId })
    return ana.send(confirmation.form("/apagados"))
  }
  const refused = await erase()
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("uma recorrência que não foi encerrada"),
  ])
  await pix.recurrences.play(shop, id, "decline")
  expect((await erase()).text).toContain("apagados de 1 cobrança ou recorrência.")
  expect((await pix.recurrences.find(shop, id)).payer).toBeUndefined()
  expect((await ana.open(`/${shop}/auditoria`)).text).toContain("0 cobranças e 1 recorrência")
})

it.each(["exportar", "apagar"])("explains an invalid tax id beside the field of the form %s", async (order) => {
  const { pix, ana } = await withPayer()
  const refused = await ana.send((await ana.get(page)).form(`/${order}`), { [`documento-${order}`]: "529.982.247-26" })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain("CPF ou CNPJ inválido")
  expect(refused.html.match(/aria-invalid="true"/g)).toHaveLength(1)
  expect(refused.html).toContain('value="529.982.247-26"')
  expect(await listChanges(pix)).toEqual([])
})

it("ignores exports and erasures by GET, and refuses operators without the right", async () => {
  const { pix, ana, leo } = await withPayer()
  for (const address of [`${page}/exportar`, `${page}/apagados?documento=${payer.taxId}`]) {
    const { text, html } = await ana.open(address)
    expect(text).toContain("Os direitos do pagador")
    expect(html).not.toContain(payer.taxId)
  }
  const { fields } = (await ana.get(page)).form("/exportar")
  expect((await leo.get(page)).status).toBe(403)
  for (const step of ["exportar", "apagar", "apagados"]) {
    expect((await leo.post(`${page}/${step}`, { ...fields, [`documento-${step}`]: payer.taxId })).status).toBe(403)
  }
  expect(await listChanges(pix)).toEqual([])
})
