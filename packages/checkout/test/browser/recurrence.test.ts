import { checkout } from "@pixcharge/checkout"
import { type TestPix, testPix } from "@pixcharge/testing"
import {
  decodeQr,
  expectAccessible,
  keepPicture,
  maxFirstViewBytes,
  measureFirstView,
  openPage,
  looks,
  otherLooks,
  type PageOptions,
  readClipboard,
  screenshot,
  serveApp,
} from "@pixcharge/verify/browser"
import { randomUUID } from "node:crypto"
import { beforeAll, expect, it } from "vitest"
import { openLine } from "./line.ts"

const monthly = {
  payer: { name: "Maria Canario", taxId: "52998224725" },
  title: "Clube do livro",
  period: "monthly",
  startDate: "2027-03-20",
  amountCents: 4_990,
  retries: "threeInSeven",
  journey: { by: "code" },
} as const

let pix: TestPix
let origin: string
beforeAll(async () => {
  pix = testPix({
    recurrences: true,
    company: { name: "Livraria Aurora Ltda." },
    checkout: checkout({ url: "https://shop.example/payments" }),
  })
  ;({ origin } = await serveApp(pix, { prefix: "/payments" }))
})

const offer = async (more: object = {}) => {
  const issuer = pix.company.cnpj
  const offered = await pix.recurrences.offer(issuer, { id: randomUUID(), ...monthly, ...more })
  const path = new URL(await pix.checkout.recurrenceLink(issuer, offered.id)).pathname
  const brCode = offered._tag === "Offered" ? (offered.brCode ?? "") : ""
  return {
    id: offered.id,
    brCode,
    path,
    play: (act: "approve" | "decline" | "cancel") => pix.recurrences.play(issuer, offered.id, act),
  }
}

const checkOffer = async (name: string, options: PageOptions): Promise<void> => {
  const { path, brCode } = await offer()
  const page = await openPage(options)
  const firstView = measureFirstView(page)
  await page.goto(origin + path)
  await page.getByRole("button", { name: "Copiar código Pix" }).waitFor()
  expect(await page.locator("strong").allTextContents()).toEqual(["R$ 49,90 por mês", "Livraria Aurora Ltda."])
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(decodeQr(await screenshot(page.getByAltText("QR Code Pix"), `recurrence-qr-${name}`))).toBe(brCode)
  await keepPicture(page, `checkout-recurrence-${name}`)
  const bytes = await firstView()
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(maxFirstViewBytes)
}
it.each(looks)("shows an offered recurrence whose code scans from the screen (%s)", checkOffer)
it.each(otherLooks)("shows an offered recurrence whose code scans from the screen (%s)", { tags: ["long"] }, checkOffer)

it("shows the authorisation on an open page, moves the focus to its title, and shows the end after a reload", async () => {
  const { path, play } = await offer()
  const page = await openPage()
  await page.goto(origin + path)
  await page.getByRole("button", { name: "Copiar código Pix" }).focus()
  await play("approve")
  await page.getByRole("heading", { level: 1, name: "Pix Automático autorizado" }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe("h1")
  expect(await page.title()).toBe("Pix Automático autorizado · Clube do livro · Livraria Aurora Ltda.")
  expect(await page.getByRole("status").first().textContent()).toContain("As próximas cobranças serão debitadas")
  expect(await page.locator("textarea, .qr").count()).toBe(0)
  await expectAccessible(page)
  await play("cancel")
  await page.reload()
  await page.getByRole("heading", { level: 1, name: "Recorrência encerrada" }).waitFor()
})

it("shows the amount to pay first if the payment authorises the recurrence", async () => {
  const journey = { by: "payment", charge: { id: randomUUID(), amountCents: 1_000 } }
  const { path, play } = await offer({ journey })
  const page = await openPage({ phone: true })
  await page.goto(origin + path)
  await page.getByRole("heading", { level: 1, name: "Pagar e autorizar" }).waitFor()
  expect(await page.locator(".amount strong, .about").allInnerTexts()).toEqual([
    "Clube do livro",
    "R$ 10,00",
    "Depois, R$ 49,90 por mês",
  ])
  await expectAccessible(page)
  await keepPicture(page, "checkout-recurrence-payment")
  await play("approve")
  await page.getByRole("heading", { level: 1, name: "Pix Automático autorizado" }).waitFor()
  expect(await page.getByRole("status").first().textContent()).toContain("O pagamento foi recebido.")
})

it("copies the code, and keeps the payer's selection when another part of the page changes", async () => {
  const { path, brCode } = await offer()
  const page = await openPage({ clipboard: "granted" })
  await page.goto(origin + path)
  await page.getByRole("button", { name: "Copiar código Pix" }).click()
  await page.getByText("Código copiado.").waitFor()
  expect(await readClipboard(page)).toBe(brCode)
  await page.getByLabel("Código Pix").click()
  await pix.directory.putCompany({ ...pix.company, name: "Livraria Aurora S.A." })
  await page.locator(".payee").getByText("Livraria Aurora S.A.").waitFor()
  const readSelected = () => {
    const { activeElement: field } = document
    return field instanceof HTMLTextAreaElement && field.value.slice(field.selectionStart, field.selectionEnd)
  }
  expect(await page.evaluate(readSelected)).toBe(brCode)
  await pix.directory.putCompany(pix.company)
})

it("reconnects after a restart of the server", async () => {
  const { path, play } = await offer()
  const line = await openLine(origin)
  const page = await openPage({ expected: [/ERR_/] })
  await page.goto(line.origin + path)
  await page.getByRole("button", { name: "Copiar código Pix" }).waitFor()
  line.cut()
  await play("decline")
  await page.getByRole("heading", { level: 1, name: "Autorização recusada" }).waitFor()
  expect(await page.getByText("Sem conexão").count()).toBe(0)
})

it("shows the code and the authorisation without a script", async () => {
  const { path, brCode, play } = await offer()
  const page = await openPage({ javaScript: false })
  await page.goto(origin + path)
  expect(await page.getByLabel("Código Pix").inputValue()).toBe(brCode)
  expect(await page.getByRole("button", { name: "Copiar código Pix" }).count()).toBe(0)
  await play("approve")
  // The server can notice a change a second late. A page from before would request a QR code that no longer exists.
  const served = async () => (await fetch(origin + path)).text()
  await expect.poll(served).toContain("Pix Automático autorizado")
  await page.getByRole("link", { name: "Já autorizei: atualizar a página" }).click()
  await page.getByRole("heading", { level: 1, name: "Pix Automático autorizado" }).waitFor()
})
