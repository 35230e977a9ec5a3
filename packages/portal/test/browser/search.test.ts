import { openPage } from "@pixcharge/verify/browser"
import { expect, it } from "vitest"
import { portalHost } from "./portalHost.ts"

it.each([true, false])("keeps a search on paging, reload and back; with a script: %s", async (javaScript) => {
  const host = await portalHost()
  for (let index = 0; index < 60; index++) await host.issue(1_990)
  const page = await openPage({ javaScript })
  await page.goto(host.charges)
  await page.getByLabel("Buscar").fill("joão")
  await page.getByRole("button", { name: "Mostrar", exact: true }).click()
  await page.getByRole("link", { name: "Próxima página" }).click()
  await page.waitForURL(/cursor=/)
  expect(decodeURIComponent(page.url())).not.toMatch(/jo[aã]o/i)
  expect(await page.locator("tbody tr").count()).toBe(10)
  await page.locator("tbody a").first().click()
  await page.getByRole("heading", { name: /Cobrança de/ }).waitFor()
  await page.goBack()
  expect(await page.locator("tbody tr").count()).toBe(10)
  expect(await page.getByLabel("Buscar").inputValue()).toBe("joão")
  await page.getByRole("link", { name: "Página anterior" }).click()
  await page.waitForURL((url) => !url.search.includes("cursor"))
  await page.reload()
  expect(await page.locator("tbody tr").count()).toBe(50)
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Baixar cobranças (CSV)" }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^cobrancas-\d{14}-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/)
})
