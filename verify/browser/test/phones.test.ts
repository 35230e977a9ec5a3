import { consoleFor } from "@pixcharge/console"
import { testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { expectAccessible } from "../expectAccessible.ts"
import { openPage } from "../openPage.ts"
import { keepPicture } from "../screenshot.ts"
import { serveApp } from "../serveApp.ts"
import { everyState, portalHost } from "./portal/portalHost.ts"

/** A small phone: what its owner came for has to be in sight, below the bars of the browser. */
const smallPhone = { width: 360, height: 640 }
const inSight = 400

const openOnPhone = async (url: string): Promise<Page> => {
  const page = await openPage({ phone: true })
  await page.setViewportSize(smallPhone)
  await page.goto(url)
  return page
}

const topOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.y ?? Infinity

const widthOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)

it("the portal's lists begin in sight, in rows of two lines, with their filters behind a switch", async () => {
  const host = await portalHost()
  const { pix } = host
  await everyState(host)
  for (const path of ["/cobrancas", "/excecoes", "/eventos", "/auditoria"]) {
    const page = await openOnPhone(`${host.home}${path}`)
    expect([path, await topOf(page, "tbody tr")]).toEqual([path, expect.toSatisfy((top: number) => top < inSight)])
    expect(await widthOf(page)).toBe(smallPhone.width)
    const heights = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.clientHeight))
    expect(Math.max(...heights)).toBeLessThan(path === "/cobrancas" ? 75 : 110)
    await expectAccessible(page)
    await page.context().close()
  }
  expect(pix.delivered.length).toBeGreaterThan(0)
})

it("the filters of a list open by a switch, without script too", async () => {
  const host = await portalHost()
  const { pix } = host
  await host.paid(1_990)
  const page = await openPage({ phone: true, javaScript: false })
  await page.goto(host.charges)
  const search = page.getByLabel("Buscar")
  expect(await search.isVisible()).toBe(false)
  await page.getByText("Filtros e busca").click()
  await search.fill("joao")
  await page.getByRole("button", { name: "Mostrar", exact: true }).click()
  await page.getByText("R$ 19,90").waitFor()
  expect(pix.delivered).toHaveLength(1)
})

it("the dashboard's first figure is in sight", async () => {
  const host = await portalHost()
  const { pix } = host
  await everyState(host)
  const page = await openOnPhone(host.home)
  expect(await topOf(page, ".figure-tile")).toBeLessThan(inSight)
  expect(await widthOf(page)).toBe(smallPhone.width)
  await keepPicture(page, "portal-phone")
  expect(pix.delivered.length).toBeGreaterThan(0)
})

it("the console's list begins in sight, and its form is behind a switch", async () => {
  await using pix = testPix()
  const { company, key } = pix
  const { origin } = await serveApp(consoleFor(pix, { company, integratorKey: key }), {})
  await pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  const page = await openOnPhone(origin)
  expect(await topOf(page, "tbody tr")).toBeLessThan(inSight)
  expect(await widthOf(page)).toBe(smallPhone.width)
  expect(await page.getByLabel("Amount in reais").isVisible()).toBe(false)
  await page.getByText("Issue a charge").first().click()
  await page.getByLabel("Amount in reais").fill("5")
  await page.getByRole("button", { name: "Issue", exact: true }).click()
  await page
    .getByRole("heading", { name: /R\$ 5|5\.00/ })
    .first()
    .waitFor()
})
