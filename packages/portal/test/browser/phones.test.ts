import { expectInSight } from "@pixcharge/verify/browser"
import { expect, it } from "vitest"
import { everyState, portalHost } from "./portalHost.ts"

it("shows the dashboard and lists on a phone without scrolling", async () => {
  const host = await portalHost()
  await everyState(host)
  await expectInSight(host.home, ".figure-tile", 75)
  await expectInSight(host.charges, "tbody tr", 75)
  for (const path of ["excecoes", "eventos", "auditoria"]) {
    await expectInSight(`${host.home}/${path}`, "tbody tr", 110)
  }
})

it("fits a long company name and the list of companies into a phone's width", async () => {
  const name = "Comércio de Móveis Ipê & Filhos Participações Societárias do Nordeste Brasileiro Ltda."
  const host = await portalHost({ company: { name }, others: [{ cnpj: "11222333000181", name: `Outra ${name}` }] })
  const page = await expectInSight(host.charges, ".empty", 75)
  await page.locator(".company-switch summary").click()
  const list = await page.getByRole("navigation", { name: "Empresas" }).boundingBox()
  expect(list?.x).toBeGreaterThanOrEqual(0)
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(360)
})
