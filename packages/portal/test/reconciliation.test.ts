import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { served } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { portalWorld, shop } from "./support/portalWorld.ts"

const page = `/${shop}/conciliacao`
const day = "dia=2027-03-01"

/** A day with a payment that both sides have and one that the bank alone has: its notice was lost. */
const withLostPayment = async () => {
  const { pix, app } = portalWorld()
  const base = await served("fetch", app)
  const known = await pix.issue(shop, { id: randomUUID(), amountCents: 2_990 })
  await pix.pay(known.id)
  // The cents say that its notice is lost (decision 17).
  const lost = await pix.issue(shop, { id: randomUUID(), amountCents: 1_995 })
  await pix.simulatePayment(shop, lost.id).catch(() => undefined)
  return { pix, known, lost, ana: makeOperator(base, "ana"), leo: makeOperator(base, "leo") }
}

it("a day's differences come first, and looking at them changes nothing", async () => {
  const { pix, known, ana } = await withLostPayment()
  await pix.clock.advance("1 minute")
  const shown = await ana.get(`${page}?${day}`)
  expect(shown.status).toBe(200)
  expect(shown.text).toContain("1 pagamento difere, 1 é igual.")
  expect(shown.text.indexOf("Falta nos livros")).toBeLessThan(shown.text.indexOf("Igual"))
  expect(shown.text).toContain("Livros — Banco R$ 19,95")
  expect(shown.html).toContain(`/cobrancas/${known.id}"`)
  expect((await ana.get(`${page}?${day}`)).text).toContain("1 pagamento difere")
})

it("what the books lack is recorded by a form, in the operator's name", async () => {
  const { pix, lost, ana } = await withLostPayment()
  await pix.clock.advance("1 minute")
  const form = (await ana.get(`${page}?${day}`)).form("/conciliacao")
  const done = await ana.send(form)
  expect(done.text).toContain("Pagamentos registrados agora 1")
  expect((await pix.find(shop, lost.id)).status).toBe("paid")
  expect((await ana.send(form)).text).toContain("Pagamentos registrados agora 1")
  expect((await ana.get(`${page}?${day}`)).text).toContain("Tudo confere: 2 pagamentos iguais.")
  const { items } = await pix.audit.list(shop, { kind: "reconcileRequested" })
  expect(items.map(({ by }) => by)).toEqual(["ana"])
})

it("the day is a file for spreadsheets, named for it", async () => {
  const { pix, known, ana } = await withLostPayment()
  await pix.clock.advance("1 minute")
  const file = await ana.get(`${page}.csv?${day}`)
  expect(file.status).toBe(200)
  expect(file.headers.get("content-type")).toContain("text/csv")
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="conciliacao-${shop}-2027-03-01.csv"`)
  const [header, first, second, end] = file.html.split("\r\n")
  expect(header?.replace("\uFEFF", "")).toBe(
    "end_to_end_id;situacao;cobranca;txid_livros;pago_em_livros;valor_livros_centavos;devolvido_livros_centavos;" +
      "txid_banco;pago_em_banco;valor_banco_centavos;devolvido_banco_centavos",
  )
  expect(first).toMatch(/^E[\w]+;Falta nos livros;;;;;;\w+;2027-03-01T12:00:00\.000;1995;0$/)
  expect(second).toContain(`;Igual;${known.id};`)
  expect(second).toContain(";2990;0;")
  expect(end).toBe("")
})

it.each([
  ["dia=2027-02-30", "Informe um dia que exista"],
  ["dia=2027-03-02", "Este dia ainda não chegou."],
])("the day %s is refused beside its field, as a page and as a file", async (query, text) => {
  const { ana } = await withLostPayment()
  for (const path of [page, `${page}.csv`]) {
    const refused = await ana.get(`${path}?${query}`)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(text)
  }
})

it("without a day it is the day before today, and without the right nothing is shown", async () => {
  const { ana, leo } = await withLostPayment()
  expect((await ana.get(page)).text).toContain("Nenhum pagamento neste dia, nem nos livros nem no banco.")
  for (const path of [page, `${page}.csv`]) expect((await leo.get(path)).status).toBe(403)
})
