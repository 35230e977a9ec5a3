import type { AmountDue } from "@pixcharge/core/charges"
import type { Exchange, Reply } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { assetReply, linkedPage } from "../src/pages/linkedPage.ts"
import type { ShopFace } from "../src/pages/pageParts.ts"
import { problemPage } from "../src/pages/problemPage.ts"
import type { LinkRequest } from "../src/link/Capability.ts"
import type { Snapshot } from "../src/snapshot/Snapshot.ts"
import { stateFacts } from "../src/wire/StateBody.ts"

const now = Date.UTC(2027, 2, 1, 15)
const open: Snapshot = {
  status: "pending",
  isFinal: false,
  payeeName: "Padaria Aurora",
  payeeTaxId: "12345678000195",
  amount: { originalCents: 9700, totalCents: 9700 } as AmountDue,
  payableUntil: now + 600_000,
  returnedCents: 0,
  brCode: "000201",
  canRenew: false,
}
const { brCode: _, ...closed } = open
const payment = { amountCents: 9700, paidAt: now, endToEndId: "E1234567820260603150012345678abc", isLate: false }
const paid: Snapshot = { ...closed, status: "paid", isFinal: true, payment }

const neutral: ShopFace = { branding: {}, returnUrl: undefined, address: "https://shop.example/pay/pagar/cap" }

const page = (path: string, snapshot: Snapshot, shop = neutral): Promise<Reply> | undefined => {
  const exchange = { method: "GET", url: `/pagar/cap${path}`, header: () => undefined } as unknown as Exchange
  const state = { snapshot, facts: stateFacts(snapshot), id: "7" }
  const found = linkedPage({ exchange, path, now } as LinkRequest, state, Effect.succeed(shop))
  return found && Effect.runPromise(found)
}

const readText = async (path: string, snapshot: Snapshot, shop = neutral): Promise<string> =>
  String((await page(path, snapshot, shop))?.body)

/** The names of the page's assets, without hashes. */
const listAssets = (html: string) =>
  Array.from(html.matchAll(/assets\/(checkout)-[\da-f]+(\.\w+)"/g), ([, name = "", end = ""]) => name + end)

const readRows = (html: string) =>
  Array.from(html.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^<]*)<\/dd>/g), ([, name, value]) => [name, value])

describe("linkedPage", () => {
  it("shows the QR code, and a reload link for browsers without scripts", async () => {
    const html = await readText("", open)
    expect(html).toMatch(/src="\.\/cap\/qr\.svg\?[\dA-F]{4}"/)
    expect(html).toContain("<title>Pague com Pix · Padaria Aurora</title>")
    expect(html).toContain('<html lang="pt-BR">')
    expect(html).toContain("data-copy hidden>")
    expect(listAssets(html)).toEqual(["checkout.css", "checkout.js"])
    expect(html).toContain('data-checkout="./cap"')
    expect(html).toMatch(/<noscript><p class="reload"><a href=".\/cap">Já paguei: atualizar a página<\/a>/)
    expect(html).toContain("CNPJ 12.345.678/0001-95")
  })

  it("shows a paid charge with a link to the receipt and no reload link, and an expired charge with a renewal form", async () => {
    const html = await readText("", paid)
    expect(html).toContain('href="./cap/comprovante"')
    expect(html).not.toContain("noscript")
    const { brCode: _code, ...expired } = { ...open, status: "expired", canRenew: true } as const
    expect(await readText("", expired)).toContain('action="./cap/novo"')
  })
})

describe("receiptPage", () => {
  it("shows amount, time, purpose and complete identifiers on the receipt", async () => {
    const texts = { description: "Pedido 1042", additionalInfo: [{ name: "Referência", value: "A-7" }] }
    const html = await readText("/comprovante", { ...paid, ...texts })
    expect(readRows(html)).toEqual([
      ["Pago em", "01/03/2027 às 12:00, horário de Brasília"],
      ["CNPJ", "12.345.678/0001-95"],
      ["Descrição", "Pedido 1042"],
      ["Referência", "A-7"],
      ["ID da transação", "E1234567820260603150012345678abc"],
    ])
    expect(html).toContain("<strong>R$ 97,00</strong>")
    expect(html).toContain("<title>Comprovante de pagamento Pix · Pedido 1042 · Padaria Aurora</title>")
    expect(html).toContain('<html lang="pt-BR">')
    expect(html).toContain('data-status="paid"')
    expect(listAssets(html)).toEqual(["checkout.css", "checkout.js"])
    expect(html).toContain("<strong>Padaria Aurora</strong>")
    expect(html).toContain('href="./../cap"')
  })

  it("shows the returned amount on the receipt", async () => {
    expect(readRows(await readText("/comprovante", { ...paid, returnedCents: 500 })).at(-1)).toEqual([
      "Devolvido",
      "R$ 5,00",
    ])
  })

  it("doesn't return a receipt for an unpaid charge", () => {
    expect(page("/comprovante", open)).toBeUndefined()
  })
})

it("serves the QR code to every origin while the code is payable", async () => {
  for (const [path, type] of [
    ["/qr.svg", "image/svg+xml"],
    ["/qr.png", "image/png"],
  ] as const) {
    const picture = await page(path, open)
    expect(picture?.status).toBe(200)
    expect(picture?.headers).toMatchObject({
      "content-type": type,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "cross-origin-resource-policy": "cross-origin",
    })
    expect(page(path, paid)).toBeUndefined()
  }
})

it("serves styles, scripts and the element by name to every origin", () => {
  const exchange = { method: "GET", header: () => undefined } as unknown as Exchange
  for (const [name, type] of [
    ["checkout.css", "text/css; charset=utf-8"],
    ["checkout.js", "text/javascript; charset=utf-8"],
    ["element.js", "text/javascript; charset=utf-8"],
  ] as const) {
    expect(assetReply(exchange, `/assets/${name}`)?.headers).toMatchObject({
      "content-type": type,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
    })
  }
  expect(assetReply(exchange, "/assets/other.js")).toBeUndefined()
})

it("returns undefined for an unknown path", () => {
  expect(page("/recibo", paid)).toBeUndefined()
})

it.each([
  ["unavailable", "Não foi possível abrir a cobrança", true],
  ["renewalFailed", "Não foi possível gerar um novo código", true],
  ["expired", "Link expirado", false],
  ["unknown", "Link não encontrado", false],
  ["method", "Não foi possível abrir a página", false],
] as const)(
  "shows the title of the problem %s, and a retry link if the problem can pass",
  async (kind, title, passes) => {
    const exchange = { url: "/pagar/cap" } as Exchange
    const reply = await problemPage({ kind, status: 503, headers: { "retry-after": "5" } }, exchange)
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "5"])
    expect(reply.body).toContain(`<h1>${title}</h1>`)
    expect(reply.body).toContain('<html lang="pt-BR">')
    expect(reply.body).not.toMatch(/false|undefined/)
    expect(listAssets(String(reply.body))).toEqual(["checkout.css"])
    expect(String(reply.body).includes('href="./cap">Tentar de novo')).toBe(passes)
  },
)
