import { checkout } from "@pixcharge/checkout"
import { expectAccessible, keepPicture, openPage, readClipboard } from "@pixcharge/verify/browser"
import { expect, it } from "vitest"
import { portalHost } from "./portalHost.ts"

it("issues a charge, copies its link, and shows its payment", async () => {
  const host = await portalHost({ checkout: checkout({ url: "https://loja.test" }) })
  const page = await openPage({ clipboard: "granted", expected: [/^422 POST /] })
  await page.goto(host.charges)
  await page.getByRole("link", { name: "Emitir cobrança" }).click()
  await expectAccessible(page)
  await keepPicture(page, "portal-issue")
  await page.getByLabel("Valor").fill("1.990,00")
  await page.getByLabel("Descrição").fill("Conserto do portão")
  await page.getByLabel("CPF ou CNPJ do pagador").fill("529.982.247-25")
  await page.getByRole("button", { name: "Emitir cobrança" }).click()
  await page.getByText("Informe o nome").waitFor()
  expect(await page.getByLabel("Valor").inputValue()).toBe("1.990,00")
  await page.getByLabel("Nome do pagador").fill("João da Silva")
  await page.getByRole("button", { name: "Emitir cobrança" }).dblclick()
  await page.getByRole("heading", { name: "Enviar ao pagador" }).waitFor()
  await expectAccessible(page)
  await keepPicture(page, "portal-send")
  const { items } = await host.pix.charges(host.cnpj, { from: 0, until: host.pix.clock.now() + 1 })
  expect(items.map(({ amountCents }) => amountCents)).toEqual([199_000])
  await page.getByRole("button", { name: "Copiar link" }).click()
  await page.getByText("Link copiado.").waitFor()
  expect(await readClipboard(page)).toMatch(/^https:\/\/loja\.test\/pagar\/\S+$/)
  await host.pix.pay(items[0]?.id ?? "")
  await page.getByText("Paga", { exact: true }).waitFor()
})
