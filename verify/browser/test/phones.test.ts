import { consoleFor } from "@pixcharge/console"
import { testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { expectAccessible } from "../expectAccessible.ts"
import { openPage } from "../openPage.ts"
import { serveApp } from "../serveApp.ts"
import { everyState, portalHost } from "./portal/portalHost.ts"

/** A small phone: what its owner came for has to be in sight, below the bars of the browser. */
const smallPhone = { width: 360, height: 640 }
const inSight = 400

/** Opens a page on the phone, where this begins in sight, nothing is wider than the screen, and rows have few lines. */
const expectInSight = async (url: string, selector: string, maxRowHeight: number): Promise<Page> => {
  const page = await openPage({ phone: true })
  await page.setViewportSize(smallPhone)
  await page.goto(url)
  expect((await page.locator(selector).first().boundingBox())?.y).toBeLessThan(inSight)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(smallPhone.width)
  const heights = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.clientHeight))
  expect(Math.max(0, ...heights)).toBeLessThan(maxRowHeight)
  await expectAccessible(page)
  return page
}

it("the portal's dashboard and lists begin in sight", async () => {
  const host = await portalHost()
  await using _ = host.pix
  await everyState(host)
  await expectInSight(host.home, ".figure-tile", 75)
  await expectInSight(host.charges, "tbody tr", 75)
  for (const path of ["excecoes", "eventos", "auditoria"]) {
    await expectInSight(`${host.home}/${path}`, "tbody tr", 110)
  }
})

it("the console's list begins in sight, and its form is behind a switch", async () => {
  await using pix = testPix()
  const { company, key } = pix
  const { origin } = await serveApp(consoleFor(pix, { company, integratorKey: key }), {})
  await pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1_990 })
  const page = await expectInSight(origin, "tbody tr", 75)
  await page.getByText("Issue a charge").first().click()
  await page.getByLabel("Amount in reais").fill("5")
  await page.getByRole("button", { name: "Issue", exact: true }).click()
  await page.getByRole("heading", { name: /5\.00/ }).first().waitFor()
})
