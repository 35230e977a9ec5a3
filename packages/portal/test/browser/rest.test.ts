import { expectAccessible, keepPicture, openPage, type Page, looks, serveApp } from "@pixcharge/verify/browser"
import { expect, it } from "vitest"
import { operatedShop, shop } from "./operatedShop.ts"
import { payer } from "./portalHost.ts"

const prefix = "/admin/portal"

const oneDay = [[5, 4_590]] as const

const someDays = [[4, 8_990], [2, 3_490], [6, 12_900], ...oneDay] as const

const serve = async (days: Parameters<typeof operatedShop>[0]) => {
  const { pix, app } = await operatedShop(days)
  const { origin } = await serveApp(app, { prefix, binding: "express" })
  const go = (page: Page, path: string) => page.goto(`${origin}${prefix}/${shop}${path}`)
  return { pix, go }
}

/** Expects a page to be no wider than its window. */
const expectNoSideScroll = async (page: Page): Promise<void> => {
  const beside = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(beside).toBeLessThanOrEqual(0)
}

const checkPage = async (page: Page, name: string): Promise<void> => {
  await expectAccessible(page)
  await expectNoSideScroll(page)
  await keepPicture(page, `portal-${name}`)
}

// One test for each look, because on a busy machine a test with both would time out.
it.each(looks)(
  "renders the dashboard and the other sections accessibly and without scrolling sideways: %s",
  async (name, options) => {
    const { pix, go } = await serve(someDays)
    const { items } = await pix.exceptions.search(shop, { from: 0, until: pix.clock.now() })
    const exception = `/excecoes/${items[0]?.payment.endToEndId}`
    const page = await openPage(options)
    await go(page, "")
    for (const summary of await page.locator("main summary").all()) await summary.click()
    await checkPage(page, `dashboard-${name}`)
    for (const [path, what] of [
      ["/excecoes", "exceptions"],
      [exception, "exception"],
      [`${exception}/devolver`, "exception-return"],
      ["/eventos", "deliveries"],
      ["/eventos/reenviar?nome=queda&situacao=delivered&de=2027-03-01", "replay"],
      ["/pontos", "endpoints"],
      ["/conciliacao", "reconciliation"],
      ["/pagadores", "payers"],
      ["/auditoria", "audit"],
    ] as const) {
      await go(page, path)
      await checkPage(page, `${what}-${name}`)
    }
  },
)

it("keeps an exception, and exports and erases a payer's data, without scripts", async () => {
  const { pix, go } = await serve(oneDay)
  const page = await openPage({ javaScript: false })
  const { items } = await pix.exceptions.search(shop, { from: 0, until: pix.clock.now() })
  const { endToEndId = "" } = items[0]?.payment ?? {}
  await go(page, `/excecoes/${endToEndId}`)
  await page.getByLabel("Motivo para manter o pagamento").fill("Pago por dois pedidos")
  await page.getByRole("button", { name: "Manter o pagamento com esta nota" }).click()
  await page.getByRole("status").getByText("Pagamento mantido e encerrado.").waitFor()
  expect((await pix.exceptions.find(shop, endToEndId)).status).toBe("resolved")

  await go(page, "/pagadores")
  await page.getByLabel("CPF ou CNPJ").first().fill(payer.taxId)
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Exportar" }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^pagador-\d{4}-\d{2}-\d{2}\.json$/)
  expect(download.url()).not.toContain(payer.taxId)
  await page.getByLabel("CPF ou CNPJ").last().fill(payer.taxId)
  await page.getByRole("button", { name: "Continuar" }).click()
  await keepPicture(page, "portal-payer-erase")
  expect(page.url()).not.toContain(payer.taxId)
  await page.getByRole("button", { name: "Apagar os dados" }).click()
  await page.getByRole("heading", { name: "Dados apagados" }).waitFor()
})

it("previews and sends a replay, pauses an endpoint, and downloads a day's comparison", async () => {
  const { pix, go } = await serve(oneDay)
  const page = await openPage()
  await go(page, "/eventos/reenviar")
  await page.getByLabel("Nome do reenvio").fill("Queda do servidor")
  await page.getByLabel("De", { exact: true }).fill("2027-03-01")
  await page.getByLabel("Situação").selectOption("delivered")
  await page.getByRole("button", { name: "Ver o que será reenviado" }).click()
  await page.getByRole("button", { name: /^Refazer \d+ envios$/ }).click()
  await page.getByRole("heading", { name: "Reenvio na fila" }).waitFor()
  expect((await pix.events.list(shop, { status: "waiting" })).items.length).toBeGreaterThan(0)

  await go(page, "/pontos")
  await page.getByRole("button", { name: /^Pausar/ }).click()
  await page.getByRole("status").getByText("Webhook pausado.").waitFor()

  await go(page, "/conciliacao?dia=2027-03-01")
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Baixar CSV" }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`conciliacao-${shop}-2027-03-01.csv`)
})
