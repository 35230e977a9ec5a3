import {
  expectAccessible,
  keepPicture,
  looks,
  openPage,
  otherLooks,
  type Page,
  type PageOptions,
  readClipboard,
} from "@pixcharge/verify/browser"
import { expect, it } from "vitest"
import { everyState, portalHost } from "./portalHost.ts"

const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let index = 0; index < 40; index++) {
    await page.keyboard.press("Tab")
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? "")
    if (focused.includes(name)) return
  }
  throw new Error(`expected the Tab key to reach ${name}`)
}

it("refunds a part with only the keyboard, and the rest with the mouse", async () => {
  const host = await portalHost()
  const { pix } = host
  const id = await host.paid(1_990)
  const page = await openPage()
  await page.goto(`${host.charges}/${id}`)
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main")
  await tabTo(page, "Devolver pagamento")
  await page.keyboard.press("Enter")
  await page.getByLabel("Valor a devolver").focus()
  await page.keyboard.type("5,00")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Confirmar devolução" }).waitFor()
  expect(await page.getByRole("main").innerText()).toContain("R$ 14,90")
  await page.getByLabel("Motivo (opcional, o pagador pode vê-lo)").focus()
  await page.keyboard.type("Troco errado")
  await tabTo(page, "Devolver R$ 5,00")
  await page.keyboard.press("Enter")
  await page.getByRole("status").getByText("Devolução concluída").waitFor()
  expect((await pix.find(host.cnpj, id)).refundableCents).toBe(1_490)
  await page.getByText("motivo: Troco errado").waitFor()
  await page.reload()
  await page.goBack()
  // The browser can show the cached page with its form. A reload shows the current page.
  await page.reload()
  await page.getByText("Esta devolução, de R$ 5,00, já foi solicitada.").waitFor()
  await page.getByRole("link", { name: "Devolver todo o valor disponível: R$ 14,90" }).click()
  await page.getByRole("button", { name: "Devolver R$ 14,90" }).dblclick()
  await page.getByText("Devolvida", { exact: true }).waitFor()
  const { status, returns } = await pix.find(host.cnpj, id)
  expect({ status, cents: returns.map(({ amountCents }) => amountCents).toSorted((a, b) => a - b) }).toEqual({
    status: "refunded",
    // Sorted above, because both returns have the same time.
    cents: [500, 1_490],
  })
})

it("searches for a charge, shows its payer and refunds a part without a script", async () => {
  const host = await portalHost({ binding: "express" })
  const { pix } = host
  const id = await host.paid(1_990)
  const page = await openPage({ javaScript: false, phone: true })
  await page.goto(host.charges)
  await page.getByText("Filtros e busca").click()
  await page.getByLabel("Buscar").fill("joao")
  await page.getByRole("button", { name: "Mostrar", exact: true }).click()
  expect(page.url()).not.toContain("joao")
  await page.getByRole("link", { name: id.slice(0, 8) }).click()
  expect(await page.getByRole("button", { name: "Copiar código" }).count()).toBe(0)
  await page.getByRole("button", { name: "Mostrar pagador" }).click()
  await page.getByText("João da Silva · 529.982.247-25").waitFor()
  const { items } = await pix.audit.list(host.cnpj)
  expect(items.map(({ by, change }) => [by, change.kind])).toEqual([["ana@aurora.example", "payerShown"]])
  await page.getByRole("link", { name: "Devolver pagamento" }).click()
  await page.getByLabel("Valor a devolver").fill("5")
  await page.getByRole("button", { name: "Continuar" }).click()
  await page.getByLabel("Motivo (opcional, o pagador pode vê-lo)").fill("Troco errado")
  await page.getByRole("button", { name: "Devolver R$ 5,00" }).click()
  await page.getByText("Devolvido: R$ 5,00", { exact: true }).waitFor()
  await page.getByText("motivo: Troco errado").waitFor()
})

it("changes a charge once with a double click, and shows all its terms on a page that is open elsewhere", async () => {
  const host = await portalHost()
  const { id } = await host.issue(1_990, { dueDate: "2027-03-10" })
  const [elsewhere, page] = [await openPage(), await openPage({ phone: true })]
  await elsewhere.goto(`${host.charges}/${id}`)
  const check = async (name: string) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} fits`).toBe(true)
    await expectAccessible(page)
    await keepPicture(page, `portal-change-${name}`)
  }
  await page.goto(`${host.charges}/${id}`)
  await page.getByRole("link", { name: "Alterar cobrança" }).click()
  await page.getByLabel("Novo valor").fill("15,00")
  await page.getByLabel("Novo vencimento").fill("2027-03-12")
  await check("form")
  await page.getByRole("button", { name: "Continuar" }).click()
  await page.getByRole("heading", { name: "Confirmar alteração" }).waitFor()
  await check("confirm")
  await page.getByRole("button", { name: "Alterar a cobrança" }).dblclick()
  await page.getByRole("status").getByText("Cobrança alterada.").waitFor()
  await check("changed")
  await elsewhere.getByRole("heading", { name: "Versões da cobrança" }).waitFor()
  const { amountCents, dueDate, termsHistory } = await host.pix.find(host.cnpj, id)
  expect({ amountCents, dueDate, terms: termsHistory?.length }).toEqual({
    amountCents: 1_500,
    dueDate: "2027-03-12",
    terms: 2,
  })
})

it("finds a surname and an unpaid amount, and filters by due day, day of payment and amount", async () => {
  const host = await portalHost()
  const [paid, unpaid] = [await host.paid(1_990), (await host.issue(123_456)).id]
  const page = await openPage()
  await page.goto(host.charges)
  const show = async (fields: Readonly<Record<string, string>>) => {
    const button = page.getByRole("button", { name: "Mostrar", exact: true })
    if (!(await button.isVisible())) await page.getByText("Filtros e busca").click()
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
    await Promise.all([page.waitForURL(/\?de=/), page.waitForEvent("load"), button.click()])
    const shown = async (id: string) => (await page.getByRole("link", { name: id.slice(0, 8) }).count()) === 1
    return [await shown(paid), await shown(unpaid)]
  }
  expect(await show({ Buscar: "1.234,56" })).toEqual([false, true])
  expect(await show({ Buscar: "silva" })).toEqual([true, true])
  expect(await show({ Buscar: "", "Valor, até (R$)": "100" })).toEqual([true, false])
  expect(await show({ "Valor, até (R$)": "", "Pagamento, de": "2000-01-01" })).toEqual([true, false])
  expect(await show({ "Pagamento, de": "", "Vencimento, até": "2000-01-01" })).toEqual([false, false])
})

const checkPages = async (name: string, options: PageOptions): Promise<void> => {
  const host = await portalHost({ others: [{ cnpj: "11222333000181" }] })
  const id = await everyState(host)
  const page = await openPage({ ...options, expected: [/^422 GET /, /^404 GET /] })
  const look = async (address: string, as: string) => {
    await page.goto(address)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${as} fits`).toBe(true)
    await expectAccessible(page)
    await keepPicture(page, `portal-${as}-${name}`)
  }
  await look(host.charges, "charges")
  await look(`${host.charges}/${id}`, "charge")
  await look(`${host.charges}/${id}/devolver?valor=999`, "refund")
  await look(`${host.charges}/${id}/devolver?valor=10,00`, "confirm")
  await look(`${host.charges}?de=2027-01-01`, "empty")
  await look(`${host.charges}/nothing`, "missing")
  if (name === "light") await look(`${host.home}/..`, "companies")
}
it.each(looks)("is accessible and matches its picture: %s", checkPages)
it.each(otherLooks)("is accessible and matches its picture: %s", { tags: ["long"] }, checkPages)

it.each(["granted", "refused"] as const)(
  "says whether the code was copied, if the clipboard is %s",
  async (clipboard) => {
    const host = await portalHost()
    const { id, brCode } = await host.issue(1_990)
    const page = await openPage({ clipboard })
    await page.goto(`${host.charges}/${id}`)
    await page.getByRole("button", { name: "Copiar código" }).click()
    if (clipboard === "granted") {
      await page.getByText("Código copiado.").waitFor()
      expect(await readClipboard(page)).toBe(brCode)
    } else {
      await page.getByText("Não foi possível copiar").waitFor()
      expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe(brCode)
    }
  },
)
