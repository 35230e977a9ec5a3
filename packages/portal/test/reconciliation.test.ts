import { randomUUID } from "node:crypto"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { brasiliaDate } from "@pixcharge/core/calendar"
import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { expect, it, onTestFinished } from "vitest"
import { portal } from "../src/index.ts"
import { forgetfulProcessor, silentProcessor } from "./support/faults.ts"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { authorize, portalWorld, shop } from "./support/portalWorld.ts"

const page = `/${shop}/conciliacao`

const company = {
  cnpj: shop,
  name: "Padaria Aurora",
  city: "Recife",
  pixKey: shop,
  integratorKey: "key-of-the-test-company",
  graceDays: 5,
}

/** A shop without background work, so lost payments aren't found. */
const shopAt = async (processor: ReturnType<typeof sandboxProcessor>) => {
  const pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({ companies: [company] }),
    processor,
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "test", secret: "a secret of tests alone, known to all" }] },
    background: false,
  })
  onTestFinished(pix.dispose)
  const base = await serveApp("fetch", portal(pix, { authorize }))
  return { pix, ana: makeOperator(base, "ana") }
}

/** A day with two payments at the bank. The books have only one of them. */
const withLostPayment = async () => {
  const { pix, ana } = await shopAt(sandboxProcessor())
  const known = await pix.issue(shop, { id: randomUUID(), amountCents: 2_990 })
  await pix.simulatePayment(shop, known.id)
  // In the sandbox, a payment of an amount with these cents loses its notice (decision 17).
  const lost = await pix.issue(shop, { id: randomUUID(), amountCents: 1_995 })
  await pix.simulatePayment(shop, lost.id)
  // The period of today's page ends before the current millisecond, so wait for the next one.
  const paidAt = pix.clock.now()
  await expect.poll(pix.clock.now, { interval: 1 }).toBeGreaterThan(paidAt)
  return { pix, known, lost, day: brasiliaDate(pix.clock.now()), ana }
}

it("shows the payments of a day, differences first, without changing the books", async () => {
  const { known, ana, day } = await withLostPayment()
  const shown = await ana.get(`${page}?dia=${day}`)
  expect(shown.status).toBe(200)
  expect(shown.text).toContain("1 pagamento difere, 1 é igual.")
  expect(shown.text.indexOf("Não consta nos registros")).toBeLessThan(shown.text.indexOf("Igual"))
  expect(shown.text).toContain("Registros — Banco R$ 19,95")
  expect(shown.html).toContain(`/cobrancas/${known.id}"`)
  expect((await ana.get(`${page}?dia=${day}`)).text).toContain("1 pagamento difere")
})

it("records missing payments with a form, in the operator's name", async () => {
  const { pix, lost, ana, day } = await withLostPayment()
  const form = (await ana.get(`${page}?dia=${day}`)).form("/conciliacao")
  const done = await ana.send(form)
  expect(done.text).toContain("Pagamentos registrados agora 1")
  expect((await pix.find(shop, lost.id)).status).toBe("paid")
  expect((await ana.send(form)).text).toContain("Pagamentos registrados agora 1")
  expect((await ana.get(`${page}?dia=${day}`)).text).toContain("Tudo confere: 2 pagamentos iguais.")
  const { items } = await pix.audit.list(shop, { kind: "reconcileRequested" })
  expect(items.map(({ by }) => by)).toEqual(["ana"])
})

it("downloads the comparison of a day as a CSV file that is named after the day", async () => {
  const { known, ana, day } = await withLostPayment()
  const file = await ana.get(`${page}.csv?dia=${day}`)
  expect(file.status).toBe(200)
  expect(file.headers.get("content-type")).toContain("text/csv")
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="conciliacao-${shop}-${day}.csv"`)
  const [header, first, second, end] = file.html.split("\r\n")
  expect(header).toBe(
    "end_to_end_id;situacao;cobranca;txid_registros;pago_em_registros;valor_registros_centavos;devolvido_registros_centavos;" +
      "txid_banco;pago_em_banco;valor_banco_centavos;devolvido_banco_centavos",
  )
  expect(first).toMatch(new RegExp(`^E\\w+;Não consta nos registros;;;;;;\\w+;${day}T[\\d:.]+;1995;0$`))
  expect(second).toContain(`;Igual;${known.id};`)
  expect(second).toContain(";2990;0;")
  expect(end).toBe("")
})

it.each([
  ["dia=2027-02-30", "Informe uma data válida"],
  ["dia=2027-03-02", "A data não pode ser futura."],
])("explains that the day %s is invalid, as page and file", async (query, text) => {
  const ana = makeOperator(await serveApp("express", portalWorld().app), "ana")
  for (const path of [page, `${page}.csv`]) {
    const refused = await ana.get(`${path}?${query}`)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(text)
  }
})

it("shows payments missing at the bank, without a button to record them", async () => {
  const { pix, ana } = await shopAt(forgetfulProcessor())
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 2_990 })
  await pix.simulatePayment(shop, id)
  const shown = await ana.get(`${page}?dia=${brasiliaDate(pix.clock.now())}`)
  expect(shown.text).toContain("1 pagamento difere, 0 são iguais.")
  expect(shown.text).toContain("Não consta no banco")
  expect(shown.text).toContain("Tudo consta nos registros. Consulte o banco sobre estas diferenças.")
  expect(() => shown.form("/conciliacao")).toThrow("no form")
})

it("tells the operator to open the page again if the bank doesn't answer", async () => {
  const { ana } = await shopAt(silentProcessor())
  for (const path of [page, `${page}.csv`]) {
    const { status, text } = await ana.get(path)
    expect(status).toBe(503)
    expect(text).toContain("O banco não respondeu. Aguarde alguns segundos e abra a página de novo.")
    expect(text).not.toContain("pode ter sido feito")
  }
})

it("shows yesterday by default, and refuses operators without the right", async () => {
  const base = await serveApp("express", portalWorld().app)
  const [ana, leo] = [makeOperator(base, "ana"), makeOperator(base, "leo")]
  expect((await ana.get(page)).text).toContain("Nenhum pagamento neste dia, nem nos registros nem no banco.")
  for (const path of [page, `${page}.csv`]) expect((await leo.get(path)).status).toBe(403)
})

it.each(["0001-01-01", "1999-12-31", "9999-12-31", "2026-13-01", "31/02/2026", "x"])(
  "explains an invalid day: %s",
  async (day) => {
    const ana = makeOperator(await serveApp("express", portalWorld().app), "ana")
    for (const path of [page, `${page}.csv`]) {
      const { status, text } = await ana.get(`${path}?dia=${encodeURIComponent(day)}`)
      expect([path, status]).toEqual([path, 422])
      expect(text).toMatch(/Informe uma data válida/)
    }
  },
)
