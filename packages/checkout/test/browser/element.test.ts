import { createAdaptorServer } from "@hono/node-server"
import type { Server } from "node:http"
import { createServer } from "node:http"
import { join } from "node:path"
import { rolldown } from "rolldown"
import {
  decodeQr,
  expectAccessible,
  keepPicture,
  openPage,
  type Page,
  screenshot,
  serveHost,
} from "@pixcharge/verify/browser"
import type { PixCheckout } from "@pixcharge/checkout/element"
import { beforeAll, expect, it } from "vitest"
import { shop as htmlShop } from "@pixcharge-examples/checkout-html/shop"
import { root } from "@pixcharge/verify/world"
import { openShop, type Shop } from "./shop.ts"

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})

/** Opens a page of a shop whose origin differs from the checkout's. */
const visitShop = async (
  expected: ReadonlyArray<RegExp> = [],
): Promise<{ readonly page: Page; readonly id: string }> => {
  let id = ""
  const mount = `${shop.origin}/payments`
  const pix = {
    ...shop.pix,
    issue: (...terms: Parameters<typeof shop.pix.issue>) => {
      id = terms[1].id
      return shop.pix.issue(...terms)
    },
    checkout: {
      ...shop.pix.checkout,
      link: async (...terms: Parameters<typeof shop.pix.checkout.link>) =>
        (await shop.pix.checkout.link(...terms)).replace("https://shop.example/payments", mount),
    },
  }
  const app = htmlShop(pix, shop.pix.company.cnpj, mount)
  const { origin } = await serveHost(createAdaptorServer({ fetch: app.fetch }) as Server)
  const page = await openPage({ expected })
  await page.goto(origin)
  await page.getByRole("button", { name: "Copiar código Pix" }).waitFor()
  return { page, id }
}

it("works in the shop's colours on another origin, and reports the payment", async () => {
  const { page, id } = await visitShop()
  await expectAccessible(page)
  const { brCode } = await shop.pix.find(shop.pix.company.cnpj, id)
  expect(decodeQr(await screenshot(page.getByAltText("QR Code Pix"), "element-qr"))).toBe(brCode)
  await keepPicture(page, "element-html")
  const button = page.getByRole("button", { name: "Copiar código Pix" })
  expect(await button.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe("rgb(122, 59, 18)")
  expect(await page.getByText("Dúvidas?").isVisible()).toBe(true)
  expect(await page.getByText("Baixar a nota").isVisible()).toBe(false)
  await shop.pix.pay(id)
  await page.getByText("Pago: 4590 centavos.").waitFor()
  await page.getByText("Baixar a nota").waitFor()
  await expectAccessible(page)
  await keepPicture(page, "element-html-paid")
})

it("says that the amount has changed, and gives the new one to the shop's page", async () => {
  const { page, id } = await visitShop()
  await shop.pix.change(shop.pix.company.cnpj, id, { key: "1", amountCents: 3_990 })
  await page.getByText("O valor mudou de R$ 45,90 para R$ 39,90.").waitFor()
  const { amounts } = await page.locator("pix-checkout").evaluate((element) => (element as PixCheckout).state!)
  expect(amounts.totalCents).toBe(3_990)
  await expectAccessible(page)
})

it("reports expiry, and closes its stream when hidden, removed or final", async () => {
  const { page, id } = await visitShop()
  const waitForEnd = () => page.waitForEvent("requestfailed", (request) => request.url().endsWith("/estado"))
  const removed = waitForEnd()
  await page.evaluate(() => {
    const element = document.querySelector("pix-checkout")
    Object.assign(window, { kept: element })
    element?.remove()
  })
  await removed
  const again = page.waitForRequest(/\/estado$/)
  await page.evaluate(() => document.querySelector("main")?.append((window as unknown as { kept: Element }).kept))
  await again
  await page.getByRole("timer").waitFor()
  const hidden = waitForEnd()
  const streams: Array<string> = []
  page.on("request", (request) => request.url().endsWith("/estado") && streams.push(request.url()))
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true })
    document.dispatchEvent(new Event("visibilitychange"))
  })
  await hidden
  await page.waitForTimeout(50)
  expect(streams).toEqual([])
  await shop.pix.expire(id)
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false, configurable: true })
    document.dispatchEvent(new Event("visibilitychange"))
  })
  await page.getByText("O código expirou.").waitFor()
  expect(await page.getByText("Peça um novo código a quem enviou").isVisible()).toBe(true)
})

it("shows only that the link is invalid, and sends no further requests", async () => {
  const { page } = await visitShop([/^404 GET .*\/estado$/])
  await page
    .locator("pix-checkout")
    .evaluate((element) => element.setAttribute("src", `${element.getAttribute("src")}x`))
  await page.getByText("Este link de pagamento não é mais válido.").waitFor()
  expect(await page.getByRole("button").count()).toBe(0)
  expect(await page.locator(".now").evaluate((one) => getComputedStyle(one).color)).toBe("rgb(165, 34, 26)")
  await expectAccessible(page)
})

/** `script` is the address of the element's script. */
const visitBare = async (link: string, policy: string, expected: ReadonlyArray<RegExp> = []): Promise<Page> => {
  const script = `${shop.origin}/payments/pagar/assets/element.js`
  const html = `<!doctype html><html lang="pt-BR"><meta name="viewport" content="width=device-width"><title>Pedido</title><script src="${script}" defer></script><main><h1>Pedido</h1><pix-checkout src="${link}"></pix-checkout></main>`
  const { origin } = await serveHost(
    createServer((_, response) => {
      response.setHeader("content-security-policy", policy)
      response.setHeader("content-type", "text/html; charset=utf-8").end(html)
    }),
  )
  const page = await openPage({ expected })
  await page.goto(origin)
  return page
}

it("works with Trusted Types, and shows a link if the page refuses the element's policy", async () => {
  const { id } = await shop.issue()
  const link = `${shop.origin}${await shop.makePath(id)}`
  const trusting = await visitBare(link, "require-trusted-types-for 'script'; trusted-types pix-checkout")
  await trusting.getByRole("button", { name: "Copiar código Pix" }).waitFor()
  const refused = [/TrustedTypePolicy named 'pix-checkout'/, /requires 'TrustedHTML'/]
  const refusing = await visitBare(link, "require-trusted-types-for 'script'; trusted-types 'none'", refused)
  await refusing.getByText("Não foi possível mostrar o pagamento aqui.").waitFor()
  expect(await refusing.getByRole("link").getAttribute("href")).toBe(link)
  await expectAccessible(refusing)
})

it("shows a link while the server is unreachable, and the charge afterwards", async () => {
  const { id } = await shop.issue()
  const link = `${shop.origin}${await shop.makePath(id)}`
  const page = await visitBare("", "", [/^failed request: .*\/estado$/])
  await page.route("**/estado", (route) => route.abort())
  await page.locator("pix-checkout").evaluate((one, src) => one.setAttribute("src", src), link)
  await page.getByText("Sem conexão.").waitFor()
  expect(await page.getByRole("link", { name: "Abrir a página de pagamento" }).getAttribute("href")).toBe(link)
  await expectAccessible(page)
  await page.unroute("**/estado")
  await page.getByRole("button", { name: "Copiar código Pix" }).waitFor()
  expect(await page.getByRole("link").count()).toBe(0)
})

it("gets a new code in the shop's page, reports it, and opens the receipt in a new tab", async () => {
  const renewing = await openShop({ renew: true })
  const { id } = await renewing.issue()
  const link = `${renewing.origin}${await renewing.makePath(id)}`
  const page = await visitBare(link, "", [/^failed request: .*\/novo$/])
  const address = page.url()
  const renewed = page.evaluate(
    () =>
      new Promise<string>((resolve) =>
        addEventListener("pix-renewed", (event) => resolve((event as CustomEvent<{ link: string }>).detail.link)),
      ),
  )
  await renewing.pix.expire(id)
  const button = page.getByRole("button", { name: "Gerar novo código" })
  await page.route("**/novo", (route) => route.abort())
  await button.click()
  await page.getByText("Não foi possível gerar um novo código.").waitFor()
  await page.unroute("**/novo")
  await button.click()
  await page.getByRole("button", { name: "Copiar código Pix" }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent)
  expect([page.url(), await focused()]).toEqual([address, "Pague com Pix"])
  const next = await page.locator("pix-checkout").getAttribute("src")
  expect([next === link, next]).toEqual([false, await renewed])
  await renewing.pix.pay(renewing.renewedIds[0] ?? "")
  const opened = page.waitForEvent("popup")
  await page.getByRole("link", { name: "Ver comprovante" }).click()
  const receipt = await opened
  await receipt.getByRole("heading", { name: "Comprovante de pagamento Pix" }).waitFor()
  expect(page.url()).toBe(address)
})

it("works in a React bundle that listens by a property", async () => {
  const bundle = await rolldown({
    input: join(root, "examples/checkout-react/src/main.tsx"),
    platform: "browser",
    cwd: root,
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    resolve: { alias: { "@pixcharge/checkout/element": join(root, "packages/checkout/src/element/index.ts") } },
  })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  const { id } = await shop.issue()
  const link = `${shop.origin}${await shop.makePath(id)}`
  const html = `<!doctype html><html lang="pt-BR"><meta name="viewport" content="width=device-width"><title>Pedido</title><main id="app" data-link="${link}"></main><script type="module" src="/app.js"></script></html>`
  const { origin } = await serveHost(
    createServer(({ url }, response) => {
      const isScript = url === "/app.js"
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8")
      response.end(isScript ? output[0].code : html)
    }),
  )
  const page = await openPage({ phone: true })
  await page.goto(origin)
  await page.getByText("Pedido reservado").waitFor()
  await page.getByRole("button", { name: "Copiar código Pix" }).waitFor()
  await keepPicture(page, "element-react")
  await shop.pix.pay(id)
  await page.getByText("Pago: 14990 centavos").waitFor()
  expect(await page.getByRole("heading", { level: 2 }).textContent()).toBe("Pagamento confirmado")
})
