import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { portalWorld, shop } from "./support/portalWorld.ts"

const withPayments = async () => {
  const { pix, app } = portalWorld()
  const base = await serveApp("express", app)
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 123_456 })
  await pix.clock.advance("40 seconds")
  await pix.payTwice(id)
  const { id: unpaid } = await pix.issue(shop, { id: randomUUID(), amountCents: 500 })
  await pix.expire(unpaid)
  return { pix, leo: makeOperator(base, "leo") }
}

it("shows the figures of a period as charts and tables, and names the period", async () => {
  const { leo } = await withPayments()
  const { status, text, html } = await leo.get(`/${shop}`)
  expect(status).toBe(200)
  expect(text).toContain("De 23/02/2027 a 01/03/2027, no horário de Brasília")
  expect(text).toContain("Conversão 50,0% 1 de 2 cobranças pagas")
  expect(text).toContain("Expiradas 1 50,0% das emitidas")
  expect(text).toContain("Sem cobrança 1")
  expect(text).toContain("De 2 cobranças emitidas, 50,0% foram pagas e 50,0% expiraram.")
  expect(text).toContain("Metade das cobranças pagas foi paga em até")
  expect(text).toContain("50,0% das cobranças foram pagas. Ainda há poucas")
  expect(html.match(/<svg/g)).toHaveLength(5)
  expect(html.match(/<table/g)).toHaveLength(5)
  expect(html).not.toContain("style=")
})

it("links figures to the list of their items in the same period", async () => {
  const { leo } = await withPayments()
  const start = await leo.get(`/${shop}`)
  const openList = (label: string) => {
    const [, href = ""] = new RegExp(`${label}</p>\\s*<p class="figure-value"><a href="([^"]+)"`).exec(start.html) ?? []
    return leo.get(new URL(href.replaceAll("&amp;", "&"), start.url).href)
  }
  const readRows = ({ html }: { readonly html: string }) => html.match(/<tr>\s*<td/g)?.length ?? 0
  for (const [label, rows] of [
    ["Expiradas", 1],
    ["Sem cobrança", 1],
    ["Eventos não entregues", 0],
  ] as const) {
    const list = await openList(label)
    expect([label, list.status, readRows(list)]).toEqual([label, 200, rows])
    expect(list.text).toContain("De 23/02/2027 a 01/03/2027")
  }
})

it.each([
  ["de=2027-01-01&ate=2027-03-01", "O período pode ter no máximo 31 dias."],
  ["de=2027-02-31", "Informe uma data válida"],
])("explains beside its field that the period %s is invalid, and shows no charts", async (query, text) => {
  const { leo } = await withPayments()
  const refused = await leo.get(`/${shop}?${query}`)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain(text)
  expect(refused.html).not.toContain("<svg")
})

it("says that a period has no charges", async () => {
  const { leo } = await withPayments()
  const { text, html } = await leo.get(`/${shop}?de=2027-01-01&ate=2027-01-07`)
  expect(text).toContain("Nenhuma cobrança foi emitida no período.")
  expect(html).not.toMatch(/NaN|undefined/)
})

it("sends less than 50 KB for a busy company's dashboard with its stylesheets", async () => {
  const { pix, app } = portalWorld()
  await using _ = pix
  const leo = makeOperator(await serveApp("express", app), "leo")
  for (let day = 1; day <= 8; day++) {
    for (const hours of [7, 5, 4, 8]) {
      const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 123_456 + day })
      await pix.clock.advance(`${day * 15} seconds`)
      if (hours > 4) await pix.pay(id)
      await pix.clock.advance({ hours, seconds: -15 * day })
    }
  }
  const page = await leo.get(`/${shop}`)
  const styles = [...page.html.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map(
    ([, href = ""]) => new URL(href, page.url),
  )
  expect(styles).toHaveLength(3)
  const sheets = await Promise.all(styles.map(({ href }) => leo.get(href)))
  const bytes = [page, ...sheets].map(({ html }) => Buffer.byteLength(html))
  expect(page.text).toContain("De 03/03/2027 a 09/03/2027")
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(50_000)
})
