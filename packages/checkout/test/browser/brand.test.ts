import { Buffer } from "node:buffer"
import {
  expectAccessible,
  keepPicture,
  maxFirstViewBytes,
  measureFirstView,
  openPage,
  type Page,
  type PageOptions,
  readClipboard,
} from "@pixcharge/verify/browser"
import { beforeAll, expect, it } from "vitest"
import { openShop, type Shop } from "./shop.ts"

const logo = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40" viewBox="0 0 120 40"><path fill="#7a3b12" d="M0 0h120v40H0z"/></svg>',
)

let shop: Shop
let colours: { accent: string; background: string }
beforeAll(async () => {
  shop = await openShop({
    pages: {
      brand: () => ({ name: "Livraria Aurora", logo, ...colours }),
      returnUrl: ({ id }) => `${shop.origin}/pedidos/${id}`,
    },
  })
})

const order = { messageToPayer: "Pedido 1042", additionalInfo: [{ name: "Nota fiscal", value: "NF-77" }] }

const issueAndOpen = async (options?: PageOptions) => {
  const { id } = await shop.issue(order)
  const address = `${shop.origin}${await shop.makePath(id)}`
  const page = await openPage(options)
  await page.goto(address)
  return { id, address, page }
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const brands = [
  ["#777777", "#ff0000"],
  ["#7a3b12", "#fff3e0"],
  ["#ffd400", "#111111"],
] as const

for (const [accent, background] of brands) {
  // The gate runs one pair of colours. brand.test.ts computes the contrast of many.
  const tags = accent === "#777777" ? [] : ["long"]
  it(
    `shows a brand of ${accent} on ${background} legibly in light and dark, at four widths, before and after the payment`,
    { tags },
    async () => {
      colours = { accent, background }
      for (const dark of [false, true]) {
        const { id, page } = await issueAndOpen({ dark })
        const button = page.getByRole("button", { name: "Copiar código Pix" })
        await button.waitFor()
        expect(await page.getByAltText("Livraria Aurora").evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(
          120,
        )
        expect(await page.getByText("NF-77").isVisible()).toBe(true)
        for (const width of [320, 412, 768, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          expect([width, await overflow(page)]).toEqual([width, 0])
        }
        await expectAccessible(page)
        await keepPicture(page, `brand-${accent}-${dark ? "dark" : "light"}`)
        await shop.pix.pay(id)
        await page.getByRole("heading", { name: "Pagamento confirmado" }).waitFor()
        expect(await page.title()).toBe("Pagamento confirmado · Pedido 1042 · Livraria Aurora")
        await expectAccessible(page)
        await keepPicture(page, `brand-paid-${accent}-${dark ? "dark" : "light"}`)
        expect(await page.getByRole("link", { name: "Voltar à loja" }).getAttribute("href")).toBe(
          `${shop.origin}/pedidos/${id}`,
        )
        await page.getByRole("link", { name: "Ver comprovante" }).click()
        await page.getByRole("heading", { name: "Comprovante de pagamento Pix" }).waitFor()
        expect(await page.locator("dd").allTextContents()).toEqual(expect.arrayContaining(["Pedido 1042", "NF-77"]))
        await expectAccessible(page)
        await keepPicture(page, `brand-receipt-${accent}-${dark ? "dark" : "light"}`)
      }
    },
  )
}

it("gives a button in the card's colour a border in the text colour of the secondary button", async () => {
  for (const [accent, dark] of [["#ffffff", false] as const, ["#181c25", true] as const]) {
    colours = { accent, background: "#ffffff" }
    const { page } = await issueAndOpen({ dark })
    const read = (name: string, property: string) =>
      page
        .getByRole("button", { name })
        .evaluate((button, css) => getComputedStyle(button).getPropertyValue(css), property)
    expect(await read("Copiar código Pix", "border-top-color")).toBe(await read("Copiar link", "color"))
    await expectAccessible(page)
  }
})

it("keeps the download of a branded page small", async () => {
  colours = { accent: "#7a3b12", background: "#fff3e0" }
  const { id } = await shop.issue(order)
  const page = await openPage()
  const firstView = measureFirstView(page)
  await page.goto(`${shop.origin}${await shop.makePath(id)}`)
  await page.getByRole("timer").waitFor()
  expect(await firstView()).toBeLessThan(maxFirstViewBytes)
})

it("copies the page's link, and shares the receipt's link if the browser supports sharing", async () => {
  const { id, address, page } = await issueAndOpen({ clipboard: "granted" })
  const copy = page.getByRole("button", { name: "Copiar link" })
  await copy.click()
  await page.getByText("Link copiado.").waitFor()
  expect(await readClipboard(page)).toBe(address)
  await shop.pix.pay(id)
  await page.getByRole("heading", { name: "Pagamento confirmado" }).waitFor()
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async (what: object) => void (document.body.dataset["shared"] = JSON.stringify(what)),
    })
  })
  await page.goto(`${address}/comprovante`)
  await page.getByRole("button", { name: "Compartilhar" }).click()
  const shared = await page.evaluate(() => document.body.dataset["shared"])
  const title = "Comprovante de pagamento Pix · Pedido 1042 · Livraria Aurora"
  expect(JSON.parse(shared ?? "")).toEqual({ title, url: `${address}/comprovante` })
  await expectAccessible(page)
})

it("explains how to copy a link by hand, and hides the share button in a browser that can't share", async () => {
  const { page } = await issueAndOpen()
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined })
    document.execCommand = () => false
  })
  await page.getByRole("button", { name: "Copiar link" }).click()
  await page.getByText("Copie o endereço desta página no navegador.").waitFor()
  expect(await page.getByRole("button", { name: "Compartilhar" }).count()).toBe(0)
  expect(await page.locator("textarea").count()).toBe(1)
})

it("shows the link back to the shop and no buttons without JavaScript", async () => {
  const { page } = await issueAndOpen({ javaScript: false })
  expect(await page.getByRole("button").count()).toBe(0)
  expect(await page.getByRole("link", { name: "Voltar à loja" }).isVisible()).toBe(true)
})
