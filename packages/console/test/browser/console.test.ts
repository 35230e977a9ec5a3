import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { consoleFor } from "@pixcharge/console"
import { createPix } from "@pixcharge/embed"
import type { Responder } from "@pixcharge/http"
import { portal } from "@pixcharge/portal"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import {
  decodeQr,
  expectAccessible,
  keepPicture,
  maxFirstViewBytes,
  measureFirstView,
  openPage,
  screenshot,
  serveApp,
} from "@pixcharge/verify/browser"
import { afterAll, beforeAll, expect, it } from "vitest"

const company = {
  cnpj: "12345678000195",
  name: "Padaria Aurora",
  city: "Recife",
  pixKey: "loja@example.com",
  integratorKey: "chave-da-loja",
  graceDays: 5,
}

/** A Monday at noon, far from holidays. Business time is frozen at it until a test moves the clock. */
const frozenAt = Date.UTC(2027, 2, 1, 15)

const pix = createPix({
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({ companies: [company] }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  checkout: checkout({ url: "http://127.0.0.1" }),
  frozenAt,
})
const sandbox = consoleFor(pix, { company, integratorKey: company.integratorKey, portal: "portal/" })
const operators = portal(pix, {
  authorize: () => ({ who: "ana", companies: [company], rights: ["read"] }),
})

const app: Responder = {
  respond: (exchange) =>
    exchange.url.startsWith("/portal/")
      ? operators.respond({
          ...exchange,
          method: exchange.method,
          signal: exchange.signal,
          fullUrl: exchange.fullUrl,
          header: (name) => exchange.header(name),
          body: (maxBytes) => exchange.body(maxBytes),
          url: exchange.url.slice("/portal".length),
        })
      : sandbox.respond(exchange),
}

let origin: string
beforeAll(async () => {
  origin = (await serveApp(app)).origin
  await sandbox.register(origin)
})
afterAll(async () => {
  await pix.dispose()
})

it("issues a charge, pays it, and shows its event on the open page", async () => {
  const page = await openPage({ clipboard: "granted" })
  await page.goto(origin)
  await expectAccessible(page)
  await keepPicture(page, "console-home-empty")
  await page.getByLabel("Amount in reais").fill("42,50")
  await page.getByRole("button", { name: "Issue", exact: true }).click()
  await page.getByRole("heading", { level: 1, name: "R$ 42.50 pending" }).waitFor()
  await expectAccessible(page)
  const [charge] = (await pix.charges(company.cnpj, { from: 0, until: frozenAt + 1 })).items
  expect(decodeQr(await screenshot(page.locator(".qr"), "console-qr"))).toBe(charge?.brCode)
  await page.getByRole("button", { name: "Copy the payload" }).click()
  await page.getByRole("button", { name: "Copied" }).waitFor()

  const events = await page.context().newPage()
  await events.goto(`${origin}/console/events`)
  await events.getByText("No event yet").waitFor()
  await page.getByRole("button", { name: "Pay", exact: true }).click()
  await page.getByText("The payer paid.", { exact: true }).last().waitFor()
  // The events' page updates itself without a reload.
  await events.getByRole("cell", { name: "delivered" }).waitFor()
  await page.locator("#charge-events").getByText("delivered").waitFor()
  await keepPicture(page, "console-charge-paid")
  await page.locator("#charge-events").getByRole("link", { name: "paid" }).click()
  await page.getByText("Its signature is valid and recent.").waitFor()
  await expectAccessible(page)
  await keepPicture(page, "console-event")
})

it("adds fees past the due date, also on a phone in dark mode without a script", async () => {
  const page = await openPage({ phone: true, dark: true, javaScript: false })
  await page.goto(origin)
  await page.getByText("Issue a charge").first().click()
  expect(await page.getByLabel("Due date", { exact: true }).isVisible()).toBe(false)
  await page.getByLabel("With a due date").check()
  await page.getByLabel("Amount in reais").fill("100")
  await page.getByLabel("Fine, %").fill("2")
  await page.getByLabel("Interest, % a month").fill("1")
  await page.getByRole("button", { name: "Issue", exact: true }).click()
  await page.getByRole("button", { name: "A day past the due date" }).click()
  await page.locator("#charge-facts").getByText("R$ 102.03").waitFor()
  await keepPicture(page, "console-charge-late-phone-dark")
  await page.getByRole("button", { name: "A day past the due date" }).click()
  await page.locator("#charge-facts").getByText("R$ 102.06").waitFor()
})

it("issues many charges, and returns a payment that settled none, on accessible pages of a phone", async () => {
  const page = await openPage({ phone: true })
  const look = async (name: string) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true)
    await expectAccessible(page)
    await keepPicture(page, `console-${name}`)
  }
  const openForms = async () => {
    await page.goto(origin)
    await page.getByText("Issue a charge").first().click()
  }
  await openForms()
  await page.getByText("Many at once").click()
  await look("many-form")
  await page.getByRole("button", { name: "Issue them" }).click()
  await page.getByText("2 of 3 charges were issued.").waitFor()
  await page.getByText("student-2", { exact: true }).waitFor()

  await openForms()
  await page.getByText("Payer and texts").click()
  expect(await page.getByLabel("Payer's e-mail").isVisible()).toBe(false)
  await page.getByLabel("With a due date").check()
  await page.getByLabel("Days to pay after the due date").fill("12")
  await page.getByLabel("Payer's name").fill("Ana Souza")
  await page.getByLabel("Payer's CPF or CNPJ").fill("529.982.247-25")
  await page.getByLabel("Payer's e-mail").fill("ana@example.com")
  await look("due-form")
  await page.getByRole("button", { name: "Issue", exact: true }).click()
  await page.getByText("ana@example.com").first().waitFor()
  await page.getByRole("button", { name: "Pay twice" }).click()
  await page.getByRole("heading", { name: "A payment that settled no charge open" }).waitFor()
  await look("exception")
  await page.getByRole("button", { name: "Return it" }).click()
  await page.getByRole("heading", { name: "A payment that settled no charge returned" }).waitFor()
})

it("generates a month of charges, and the portal shows it", async () => {
  const page = await openPage({ dark: true })
  await page.goto(origin)
  const other = await page.context().newPage()
  await other.goto(origin)
  await other.locator("#live").getByText("Live").waitFor()
  // Doesn't wait for the answer, because making the month is slow on a busy machine.
  await page.getByRole("button", { name: "Make it" }).click({ noWaitAfter: true })
  await other
    .locator("#live")
    .getByText(/^A month of charges: \d+ % are made$/)
    .waitFor()
  await page.getByText("charges of thirty days were made").first().waitFor()
  await expectAccessible(page)
  await keepPicture(page, "console-home-dark")
  await page.getByRole("link", { name: "Portal" }).click()
  await page.getByText("Padaria Aurora").first().waitFor()
  await keepPicture(page, "console-portal-seeded")
  const phone = await openPage({ phone: true })
  const firstView = measureFirstView(phone)
  await phone.goto(origin)
  const bytes = await firstView()
  expect(bytes).toBeGreaterThan(20_000)
  expect(bytes).toBeLessThan(maxFirstViewBytes)
  await phone.goto(`${origin}/console/events`)
  await expectAccessible(phone)
  await screenshot(phone, "console-events-phone")
  await phone.goto(`${origin}/console/calls`)
  await expectAccessible(phone)
  await phone.goto(origin)
  await expectAccessible(phone)
  await screenshot(phone, "console-home-phone")
})
