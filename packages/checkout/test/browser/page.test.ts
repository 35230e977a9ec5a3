import {
  bindings,
  decodeQr,
  expectAccessible,
  keepPicture,
  maxFirstViewBytes,
  measureFirstView,
  openPage,
  type Page,
  looks,
  otherLooks,
  type PageOptions,
  readClipboard,
  screenshot,
} from "@pixcharge/verify/browser"
import { randomUUID } from "node:crypto"
import { beforeAll, expect, it } from "vitest"
import { openLine } from "./line.ts"
import { openShop, type Shop } from "./shop.ts"

let shop: Shop
beforeAll(async () => {
  shop = await openShop({ company: { fees: { fine: { kind: "percent", basisPoints: 200 } }, graceDays: 10 } })
})

const open = async (url: string, options?: PageOptions): Promise<Page> => {
  const page = await openPage(options)
  await page.goto(url)
  if (options?.javaScript !== false) await page.locator("[data-copy]").waitFor()
  return page
}

const issueAndOpen = async (request?: Parameters<Shop["issue"]>[0]) => {
  const charge = await shop.issue(request)
  return { ...charge, path: await shop.makePath(charge.id) }
}

/** The status that the server shows. It can see a change of a watched charge a second late. */
const readStatus = async (path: string): Promise<string> =>
  ((await (await fetch(`${shop.origin}${path}/estado`)).json()) as { readonly status: string }).status

const title = (page: Page, text: string) => page.getByRole("heading", { level: 1, name: text }).waitFor()

const checkCharge = async (name: string, options: PageOptions): Promise<void> => {
  const { path, brCode } = await issueAndOpen()
  const page = await openPage(options)
  const firstView = measureFirstView(page)
  await page.goto(`${shop.origin}${path}`)
  await page.locator("[data-copy]").waitFor()
  await page.getByRole("timer").waitFor()
  expect(await page.locator("strong").allTextContents()).toEqual(["R$ 149,90", "Livraria Aurora Ltda."])
  await expectAccessible(page)
  expect(decodeQr(await screenshot(page.getByAltText("QR Code Pix"), `checkout-qr-${name}`))).toBe(brCode)
  await keepPicture(page, `checkout-pending-${name}`)
  const order = await page
    .locator("[data-copy], textarea, .qr img, .steps")
    .evaluateAll((all) => all.map((one) => one.localName))
  expect(order).toEqual(["button", "textarea", "img", "section"])
  const bytes = await firstView()
  expect(bytes).toBeGreaterThan(20_000)
  expect(bytes).toBeLessThan(maxFirstViewBytes)
}
it.each(looks)("shows a payable charge whose code scans from the screen (%s)", checkCharge)
it.each(otherLooks)("shows a payable charge whose code scans from the screen (%s)", { tags: ["long"] }, checkCharge)

it("fits 320 pixels (640 at 200 % zoom) without scrolling sideways", async () => {
  const { path } = await issueAndOpen({ amountCents: 999_999_999_999 })
  const page = await open(`${shop.origin}${path}`)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  const clipped = await page
    .locator(".pix :is(strong, p, dd, button)")
    .evaluateAll((all) =>
      all
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
        .map((one) => one.className),
    )
  expect(clipped).toEqual([])
  await keepPicture(page, "checkout-320")
})

it("becomes paid while open, and links to a printable receipt", async () => {
  const { id, path } = await issueAndOpen()
  const page = await open(`${shop.origin}${path}`)
  const status = await page.locator('[data-part="status"]').elementHandle()
  await page.getByRole("button", { name: "Copiar código Pix" }).focus()
  await shop.pix.pay(id)
  await title(page, "Pagamento confirmado")
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Pagamento confirmado")
  expect(await status?.textContent()).toBe("Recebemos R$ 149,90 em 01/03/2027 às 12:00. Obrigado!")
  expect(await page.title()).toBe("Pagamento confirmado · Livraria Aurora Ltda.")
  await expectAccessible(page)
  await keepPicture(page, "checkout-paid")
  await page.getByRole("link", { name: "Ver comprovante" }).click()
  await title(page, "Comprovante de pagamento Pix")
  await expectAccessible(page)
  const facts = await page.locator("dd").allTextContents()
  expect(facts.slice(0, 2)).toEqual(["01/03/2027 às 12:00, horário de Brasília", "12.345.678/0001-95"])
  expect(await page.locator("strong").allTextContents()).toEqual(["R$ 149,90", "Livraria Aurora Ltda."])
  const paid = await shop.pix.find(shop.pix.company.cnpj, id)
  expect(facts[2]).toBe(paid._tag === "Paid" ? paid.payment.endToEndId : "")
  expect(await page.getByRole("button", { name: "Imprimir" }).isVisible()).toBe(true)
  await page.evaluate(() => void Object.assign(window, { print: () => void (document.title = "printed") }))
  await page.getByRole("button", { name: "Imprimir" }).click()
  expect(await page.title()).toBe("printed")
  await page.emulateMedia({ media: "print" })
  expect(await page.getByRole("button").isVisible()).toBe(false)
  expect(await page.locator("dd").first().isVisible()).toBe(true)
  await keepPicture(page, "checkout-receipt-print")
})

it("says on an open page what has changed, and shows only the code in force", async () => {
  const changing = await openShop()
  const { pix } = changing
  const { id, brCode = "" } = await changing.issue({ dueDate: "2027-03-06" })
  const change = (more: object) => pix.change(pix.company.cnpj, id, { key: randomUUID(), ...more })
  const page = await open(`${changing.origin}${await changing.makePath(id)}`)
  const notice = page.locator('[data-part="change"][role="status"]')
  expect(await notice.textContent()).toBe("")
  const shownCodes = async () => [
    decodeQr(await screenshot(page.getByAltText("QR Code Pix"), "checkout-qr-changed")),
    await page.locator("textarea").inputValue(),
  ]
  expect(await shownCodes()).toEqual([brCode, brCode])
  await page.getByRole("button", { name: "Copiar código Pix" }).focus()
  await change({ amountCents: 9_990 })
  await notice.filter({ hasText: "O valor mudou de R$ 149,90 para R$ 99,90." }).waitFor()
  expect(await notice.textContent()).toContain("Se você já copiou ou leu o código, copie ou leia de novo.")
  expect(await page.locator(".amount strong").textContent()).toBe("R$ 99,90")
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Copiar código Pix")
  await expectAccessible(page)
  await keepPicture(page, "checkout-changed")
  await change({ messageToPayer: "Mensalidade de março" })
  await page.getByText("Mensalidade de março").waitFor()
  expect(await notice.textContent()).toContain("O valor mudou")
  // The sandbox's code has the company's city.
  await pix.directory.putCompany({ ...pix.company, city: "Olinda" })
  const { charge, isNewCode } = await change({ dueDate: "2027-03-10" })
  await notice.filter({ hasText: "O vencimento mudou de 06/03/2027 para 10/03/2027." }).waitFor()
  expect([isNewCode, charge.brCode === brCode]).toEqual([true, false])
  await expect.poll(shownCodes).toEqual([charge.brCode, charge.brCode])
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe("h1")
  await pix.pay(id)
  await title(page, "Pagamento confirmado")
  expect(await notice.textContent()).toBe("")
})

it("says what has changed since the server wrote the page", async () => {
  const { id, path } = await issueAndOpen()
  const page = await openPage()
  // A cached page, as a browser can show it after a restart.
  const written = await (await fetch(`${shop.origin}${path}`)).text()
  await page.route(`**${path}`, (route) => route.fulfill({ contentType: "text/html", body: written }))
  await shop.pix.change(shop.pix.company.cnpj, id, { key: "1", amountCents: 20_000, payableForSeconds: 3_600 })
  await page.goto(`${shop.origin}${path}`)
  const notice = page.locator('[data-part="change"]')
  await expect
    .poll(() => notice.textContent())
    .toContain("O valor mudou de R$ 149,90 para R$ 200,00. O novo prazo para pagar é 01/03/2027 às 13:00.")
})

it("animates the payment unless the reader prefers less motion", async () => {
  const { id, path } = await issueAndOpen()
  await shop.pix.pay(id)
  const page = await openPage()
  const moves = async (reducedMotion: "reduce" | "no-preference") => {
    await page.emulateMedia({ reducedMotion })
    await page.goto(`${shop.origin}${path}`)
    return page.locator(".mark").evaluate((mark) => getComputedStyle(mark).animationName)
  }
  expect([await moves("no-preference"), await moves("reduce")]).toEqual(["pix-paid", "none"])
})

it("warns before the expiry, and expires by the server's clock even if the device's date is wrong", async () => {
  const { path } = await issueAndOpen()
  const page = await open(`${shop.origin}${path}`, {
    clock: Date.UTC(1999, 0, 1),
    expected: [/^failed request: .*\/estado$/],
  })
  const warning = page.locator('[data-part="warning"][role="status"]')
  await expect.poll(() => page.getByRole("timer").textContent()).toMatch(/^(?:10:00|09:5\d)$/)
  expect(await warning.textContent()).toBe("")
  // Time passes only on the page. The server would still answer that the charge is payable.
  await page.route("**/estado", (route) => route.abort())
  await page.clock.fastForward(8 * 60_000 + 58_000)
  expect(await warning.textContent()).toBe("")
  await page.clock.fastForward(20_000)
  await page.getByText("Falta menos de um minuto.").waitFor()
  await keepPicture(page, "checkout-warning")
  await page.clock.fastForward(60_000)
  await title(page, "Pix expirado")
  expect(await page.locator("textarea, .qr").count()).toBe(0)
  expect(await warning.textContent()).toBe("")
  expect(await page.getByText("Peça um novo código a quem enviou").isVisible()).toBe(true)
  await expectAccessible(page)
  await keepPicture(page, "checkout-expired")
})

it("shows that a payment came after the expiry", async () => {
  const { id, path } = await issueAndOpen()
  const page = await open(`${shop.origin}${path}`)
  await shop.pix.payLate(id, { days: 1 })
  await title(page, "Pagamento confirmado")
  expect(await page.locator(".next").textContent()).toContain("O pagamento chegou depois do prazo e foi aceito.")
})

it("gets a new code through the host's function", async () => {
  const renewing = await openShop({ renew: true })
  const { id } = await renewing.issue()
  const page = await open(`${renewing.origin}${await renewing.makePath(id)}`)
  await renewing.pix.expire(id)
  await page.getByRole("button", { name: "Gerar novo código" }).click()
  await page.locator("[data-copy]").waitFor()
  await title(page, "Pague com Pix")
  expect(page.url()).not.toContain(await renewing.makePath(id))
})

it("shows the due date and today's fine, abatement and interest", async () => {
  const { path } = await issueAndOpen({ dueDate: "2027-03-06" })
  const page = await open(`${shop.origin}${path}`)
  const details = () => page.locator("dl > div").allTextContents()
  expect((await details())[0]).toBe("Vencimento06/03/2027: passa para 08/03/2027, o próximo dia útil")
  await shop.pix.clock.advance({ days: 10 })
  await page.getByText("Multa").waitFor()
  expect(await details()).toEqual([
    "Valor originalR$ 149,90",
    "Multa+ R$ 2,99",
    expect.stringMatching(/^Total hoje, 1[12]\/03\/2027R\$ 152,89$/),
    "Vencimento06/03/2027: passa para 08/03/2027, o próximo dia útil",
    expect.stringMatching(/^Pague até/),
  ])
  await expectAccessible(page)
  await keepPicture(page, "checkout-due-date")
})

const states = [
  ["devolvendo", "Devolução em andamento", { pagamento: { valor: 14_990, em: 1_803_920_400_000, atrasado: false } }],
  [
    "devolvido",
    "Pagamento devolvido",
    { pagamento: { valor: 14_990, em: 1_803_920_400_000, atrasado: false }, devolvido: 14_990 },
  ],
  [
    "pago",
    "Pagamento confirmado",
    { pagamento: { valor: 14_990, em: 1_803_920_400_000, atrasado: false }, devolvido: 4990 },
  ],
  ["cancelado", "Cobrança cancelada", {}],
] as const

it("shows a refund under way, a refund, a partial return and a cancellation when they arrive", async () => {
  const { path } = await issueAndOpen()
  const state = await (await fetch(`${shop.origin}${path}/estado`, { headers: { accept: "application/json" } })).json()
  const page = await openPage()
  for (const [status, heading, more] of states) {
    const body = JSON.stringify({ ...state, ...more, status, brCode: undefined, final: true, id: status })
    await page.route("**/estado", (route) =>
      route.fulfill({ contentType: "text/event-stream", body: `event: estado\nid: 1\ndata: ${body}\n\n` }),
    )
    await page.goto(`${shop.origin}${path}`)
    await title(page, heading)
    expect(await page.locator("textarea").count()).toBe(0)
    await keepPicture(page, `checkout-${status}`)
    await page.unroute("**/estado")
  }
  await page.goto("about:blank")
})

it("shows a partial return, a refund and a cancellation without a script", async () => {
  const part = await issueAndOpen()
  await shop.pix.pay(part.id)
  await shop.pix.refundOutside(part.id, { amountCents: 4990 })
  const page = await openPage({ javaScript: false })
  await page.goto(`${shop.origin}${part.path}`)
  expect(await page.locator(".next").textContent()).toContain("R$ 49,90 já foram devolvidos")
  const whole = await issueAndOpen()
  await shop.pix.pay(whole.id)
  await shop.pix.refund(shop.pix.company.cnpj, whole.id)
  await page.goto(`${shop.origin}${whole.path}`)
  await title(page, "Pagamento devolvido")
  const cancelled = await issueAndOpen()
  await shop.pix.cancel(shop.pix.company.cnpj, cancelled.id)
  await page.goto(`${shop.origin}${cancelled.path}`)
  await title(page, "Cobrança cancelada")
})

it("copies the code, and says that it was copied", async () => {
  const { path, brCode } = await issueAndOpen()
  const page = await open(`${shop.origin}${path}`, { clipboard: "granted" })
  const message = page.locator("[data-copied][role=status]")
  expect(await message.textContent()).toBe("")
  await page.getByRole("button", { name: "Copiar código Pix" }).click()
  await page.getByText("Código copiado.").waitFor()
  expect(await readClipboard(page)).toBe(brCode)
  await keepPicture(page, "checkout-copied")
})

it("copies without the clipboard API, or selects the code and explains how to copy it", async () => {
  const { path, brCode } = await issueAndOpen()
  for (const [origin, clipboard] of [
    [shop.origin, "refused"],
    [shop.insecureOrigin, "granted"],
  ] as const) {
    const isSecure = origin === shop.origin
    const page = await open(`${origin}${path}`, {
      clipboard,
      expected: isSecure ? [] : [/Cross-Origin-Opener-Policy/],
    })
    await page.getByRole("button", { name: "Copiar código Pix" }).click()
    await page.getByText("Código copiado.").waitFor()
    expect(await readClipboard(page)).toBe(brCode)
    await page.evaluate(() => void (document.execCommand = () => false))
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }))
    await page.getByRole("button", { name: "Copiar código Pix" }).click()
    await page.getByText("Não foi possível copiar.").waitFor()
    expect(await page.getByText("Código copiado.").count()).toBe(0)
    expect(
      await page
        .locator("textarea")
        .evaluate((field: HTMLTextAreaElement) => field.selectionEnd - field.selectionStart),
    ).toBe(brCode?.length)
  }
})

it("shows the code and the payment without a script", async () => {
  const { id, path, brCode } = await issueAndOpen()
  const page = await open(`${shop.origin}${path}`, { javaScript: false, phone: true })
  expect(await page.locator("textarea").inputValue()).toBe(brCode)
  expect(await page.getByRole("button").count()).toBe(0)
  expect(decodeQr(await screenshot(page.getByAltText("QR Code Pix"), "checkout-qr-plain"))).toBe(brCode)
  await keepPicture(page, "checkout-plain")
  await shop.pix.pay(id)
  await expect.poll(() => readStatus(path)).toBe("pago")
  await page.getByRole("link", { name: "Já paguei: atualizar a página" }).click()
  await title(page, "Pagamento confirmado")
})

for (const binding of bindings) {
  // The gate runs the route suites through each binding.
  const tags = binding === "express" ? [] : ["long"]
  it(`works below a prefix of two folders and with a trailing slash, through ${binding}`, { tags }, async () => {
    const mounted = await openShop({ binding, prefix: "/a/b" })
    const { id } = await mounted.issue()
    const page = await open(`${mounted.origin}${await mounted.makePath(id)}/`)
    await mounted.pix.pay(id)
    await title(page, "Pagamento confirmado")
    await page.getByRole("link", { name: "Ver comprovante" }).click()
    await title(page, "Comprovante de pagamento Pix")
    expect(new URL(page.url()).pathname).toBe(`${await mounted.makePath(id)}/comprovante`)
  })
}

it("reconnects after a restart of the server", async () => {
  const { id, path } = await issueAndOpen()
  const line = await openLine(shop.origin)
  const page = await openPage({ expected: [/^failed request: .*\/estado$/] })
  const streaming = page.waitForResponse(/\/estado$/)
  await page.goto(`${line.origin}${path}`)
  await streaming
  line.cut()
  await page.getByText("Sem conexão.").waitFor()
  await shop.pix.pay(id)
  await title(page, "Pagamento confirmado")
  expect(await page.getByText("Sem conexão.").count()).toBe(0)
})

it("reconnects 45 seconds after the last event of a stream that has stopped silently", async () => {
  const { id, path } = await issueAndOpen()
  const line = await openLine(shop.origin)
  const page = await openPage({ clock: Date.UTC(2027, 2, 1) })
  await page.goto(`${line.origin}${path}`)
  await page.getByRole("timer").filter({ hasText: ":" }).waitFor()
  line.silence()
  await shop.pix.pay(id)
  await expect.poll(() => readStatus(path)).toBe("pago")
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Pague com Pix")
  await page.clock.fastForward(46_000)
  await title(page, "Pagamento confirmado")
})

it("polls at the interval of `Retry-After` if the server refuses the stream", async () => {
  const { id, path } = await issueAndOpen()
  const line = await openLine(shop.origin, { status: 503, retryAfter: "5" })
  const page = await openPage({ clock: Date.UTC(2027, 2, 1), expected: [/^503 GET .*\/estado$/] })
  const answered = page.waitForResponse((response) => response.url().endsWith("/estado") && response.status() === 200)
  await page.goto(`${line.origin}${path}`)
  expect((await answered).headers()["retry-after"]).toBe("5")
  await page.getByRole("timer").filter({ hasText: ":" }).waitFor()
  await shop.pix.pay(id)
  await page.clock.fastForward(3000)
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Pague com Pix")
  await expect
    .poll(async () => {
      await page.clock.fastForward(3000)
      return page.getByRole("heading", { level: 1 }).textContent()
    })
    .toBe("Pagamento confirmado")
})

it("shows only that the link wasn't found, without the company's name", async () => {
  const { path } = await issueAndOpen()
  const page = await openPage({ expected: [/^404 GET/] })
  await page.goto(`${shop.origin}${path}x`)
  await title(page, "Link não encontrado")
  await expectAccessible(page)
  expect(await page.content()).not.toContain("Aurora")
  await keepPicture(page, "checkout-unknown")
})
