import { checkout } from "@pixcharge/checkout"
import { consoleFor } from "@pixcharge/console"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { portal } from "@pixcharge/portal"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { openPage, serveApp, serveHost } from "@pixcharge/verify/browser"
import { expect, it, onTestFinished } from "vitest"

const shop = "12345678000195"
const integratorKey = "key-of-the-test-company"
const rights = [
  "read",
  "issue",
  "refund",
  "changeCharge",
  "cancel",
  "exceptions",
  "events",
  "payers",
  "reconcile",
  "recurrences",
] as const

/** A text that closes an attribute and an element, and opens a new element; `where` names the text's source. */
const hostile = (where: string): string => `"'></script><owned-${where} a="`

const isOwned = (page: string): boolean => /<owned-|"'>/.test(page)

const receiverOfStranger = () =>
  serveHost(
    createServer(
      (_, response) => void response.writeHead(422, hostile("reason").replaceAll(/[^ -~]/g, "")).end(hostile("answer")),
    ),
  )

/** Makes a shop with hostile texts from outside. */
const hostileShop = async () => {
  const { origin } = await receiverOfStranger()
  const secret = `whsec_${Buffer.from("a secret of at least thirty-two bytes").toString("base64")}`
  const facts = { cnpj: shop, city: "Recife", pixKey: "a@b.co", integratorKey, graceDays: 5 }
  const company = { ...facts, name: '"><owned-name>', callback: { url: `${origin}/`, secrets: [secret] } }
  const pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({ companies: [company] }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
    checkout: checkout({ url: "http://127.0.0.1" }),
    recurrences: true,
  })
  onTestFinished(() => pix.dispose())
  const issue = (over: object = {}) =>
    pix.issue(shop, {
      id: randomUUID(),
      amountCents: 12_345,
      payer: { name: hostile("payer"), taxId: "52998224725" },
      messageToPayer: hostile("message"),
      additionalInfo: [{ name: hostile("info-name"), value: hostile("info-value") }],
      ...over,
    })
  const pending = await issue()
  const paid = await issue()
  await pix.simulatePayment(shop, paid.id, { outcome: "paidTwice" })
  const recurrence = await pix.recurrences.offer(shop, {
    id: randomUUID(),
    payer: { name: hostile("payer"), taxId: "52998224725" },
    title: '"><owned-title>',
    contract: '"><owned-contract>',
    period: "monthly",
    startDate: new Date(pix.clock.now() + 30 * 86_400_000).toISOString().slice(0, 10),
    amountCents: 100,
    journey: { by: "code" },
  })
  await pix.clock.advance("2 minutes")
  return { pix, company, pending, paid, recurrence }
}

/** Visits this page and every linked page of the same origin. */
const crawl = async (start: string, statuses: ReadonlyArray<number> = [200]): Promise<ReadonlyMap<string, string>> => {
  const pages = new Map<string, string>()
  const waiting = [start]
  for (let url = waiting.pop(); url !== undefined && pages.size < 100; url = waiting.pop()) {
    if (pages.has(url)) continue
    const answer = await fetch(url)
    const page = await answer.text()
    pages.set(url, page)
    expect([url, statuses.includes(answer.status)]).toEqual([url, true])
    if (!answer.headers.get("content-type")?.includes("html")) continue
    for (const [, href = ""] of page.matchAll(/href="([^"]*)"/g)) {
      const next = new URL(href.replaceAll("&amp;", "&"), answer.url)
      next.hash = ""
      if (next.origin === new URL(start).origin) waiting.push(next.href)
    }
  }
  return pages
}

/** Expects no markup from hostile texts, and that the texts from these places appeared. */
const expectHarmless = (pages: ReadonlyMap<string, string>, places: ReadonlyArray<string>): void => {
  expect([...pages].filter(([, page]) => isOwned(page)).map(([url]) => url)).toEqual([])
  const all = [...pages.values()].join("")
  expect(places.filter((where) => !all.includes(`owned-${where}`))).toEqual([])
}

it("renders no stranger's text as markup in the portal", async () => {
  const { pix, paid } = await hostileShop()
  const { items } = await pix.exceptions.search(shop, { from: 0, until: pix.clock.now() })
  await pix.exceptions.resolve(shop, items[0]?.payment.endToEndId ?? "", hostile("note"))
  const companies = [{ cnpj: shop, name: hostile("shop") }]
  const app = portal(pix, { authorize: () => ({ who: hostile("who"), companies, rights }) })
  const { origin } = await serveApp(app, { prefix: "/portal" })
  const home = `${origin}/portal/${shop}`
  const sought = `${home}/cobrancas?${new URLSearchParams({ q: hostile("sought"), busca: hostile("sought"), de: hostile("from") })}`
  const pages = new Map([...(await crawl(home)), ...(await crawl(sought, [200, 422]))])
  expect([...pages.keys()]).toContain(`${home}/cobrancas/${paid.id}`)
  expectHarmless(pages, ["answer", "who", "shop", "name", "note", "title", "contract"])
})

it("renders no stranger's text as markup in the console", async () => {
  const { pix, company } = await hostileShop()
  const { origin } = await serveApp(consoleFor(pix, { company, integratorKey }))
  await fetch(`${origin}/api/pix/${encodeURIComponent(hostile("path"))}?q=${encodeURIComponent(hostile("query"))}`, {
    headers: { "user-agent": hostile("agent"), accept: hostile("accept") },
  })
  const [eventId = ""] = /evt_\w+/.exec([...(await crawl(`${origin}/`)).keys()].join(" ")) ?? []
  await fetch(`${origin}/console/receiver`, {
    method: "POST",
    headers: { "webhook-id": eventId, "webhook-signature": hostile("signature") },
    body: hostile("arrived"),
  })
  const places = ["payer", "title", "message", "path", "query", "agent", "accept", "signature", "arrived"]
  expectHarmless(await crawl(`${origin}/`), places)
})

it.each([true, false])(
  "renders no stranger's text as markup on a payer's page, with scripts: %s",
  async (javaScript) => {
    const { pix, pending, recurrence } = await hostileShop()
    const { origin } = await serveApp(pix)
    const page = await openPage({ javaScript })
    for (const link of [
      await pix.checkout.link(shop, pending.id),
      await pix.checkout.recurrenceLink(shop, recurrence.id),
    ]) {
      await page.goto(origin + new URL(link).pathname)
      expect(await page.content()).not.toMatch(/<owned-/)
      expect(await page.getByText("owned-").count()).toBeGreaterThan(0)
    }
  },
)
