import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { expectAccessible } from "../../src/expectAccessible.ts"
import { openPage, type PageOptions } from "../../src/openPage.ts"
import { screenshot } from "../../src/screenshot.ts"
import { serveApp } from "../../src/serveApp.ts"
import { operatedShop, payer, shop } from "./operatedShop.ts"

const prefix = "/admin/portal"

const opened = async (options: PageOptions = {}) => {
  const { pix, app, receiver } = await operatedShop()
  const { origin } = await serveApp(app, { prefix, binding: "express" })
  const page = await openPage(options)
  const go = (path: string) => page.goto(`${origin}${prefix}/${shop}${path}`)
  return { pix, receiver, page, go }
}

/** Nothing is wider than the screen: a phone scrolls downwards alone. */
const expectNoSideScroll = async (page: Page): Promise<void> => {
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
}

const lookedAt = async (page: Page, name: string): Promise<void> => {
  await expectAccessible(page)
  await expectNoSideScroll(page)
  await screenshot(page, `portal-${name}`)
}

const looks: ReadonlyArray<readonly [name: string, options: PageOptions]> = [
  ["light", {}],
  ["dark-phone", { dark: true, phone: true }],
]

it.each(looks)("every page of the portal is accessible and fits: %s", async (name, options) => {
  const { pix, page, go } = await opened(options)
  const { items } = await pix.exceptions.search(shop, { from: 0, until: pix.clock.now() })
  await go("")
  await lookedAt(page, `dashboard-${name}`)
  for (const summary of await page.locator("main summary").all()) await summary.click()
  await lookedAt(page, `dashboard-figures-${name}`)
  for (const [path, what] of [
    ["/excecoes", "exceptions"],
    [`/excecoes/${items[0]?.payment.endToEndId}`, "exception"],
    [`/excecoes/${items[0]?.payment.endToEndId}/devolver`, "exception-return"],
    ["/eventos", "deliveries"],
    ["/eventos/reenviar?nome=queda&situacao=delivered", "replay"],
    ["/pontos", "endpoints"],
    ["/conciliacao", "reconciliation"],
    ["/pagadores", "payers"],
    ["/auditoria", "audit"],
  ]) {
    await go(path ?? "")
    await lookedAt(page, `${what}-${name}`)
  }
})
