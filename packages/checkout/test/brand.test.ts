import { InvalidOption } from "@pixcharge/core"
import { Buffer } from "node:buffer"
import { describe, expect, it } from "vitest"
import { type Brand, type BrandOption } from "../src/shop/Brand.ts"
import { brandCss } from "../src/shop/Branding.ts"
import { checkout, type CheckoutOptions } from "../src/checkout.ts"
import { checkoutWorld, url } from "./world.ts"

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)
const svg = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')

/** Relative luminance (WCAG 2.2), independent of the product's code. */
const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.040_45 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4)))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const read = (css: string, name: string) =>
  Array.from(css.matchAll(new RegExp(`${name}:(#\\w+)`, "g")), ([, hex]) => hex ?? "")

describe("brandCss", () => {
  it.each(["#000000", "#ffffff", "#7a3b12", "#ffd400", "#00ff00", "#808080", "#777777", "#1e90ff", "#EF4444"])(
    "keeps the contrast of text in and on the colour %s, in the light and the dark scheme",
    (accent) => {
      const css = brandCss({ accent })
      expect(read(css, "--pix-accent")).toEqual([accent.toLowerCase()])
      expect(contrast(accent, read(css, "--pix-on-accent")[0] ?? "")).toBeGreaterThanOrEqual(4.5)
      const [onLight = "", onDark = ""] = read(css, "--pix-accent-text")
      expect(contrast(onLight, "#ffffff")).toBeGreaterThanOrEqual(4.5)
      expect(contrast(onDark, "#181c25")).toBeGreaterThanOrEqual(4.5)
    },
  )

  it("changes a colour only if text in it would be illegible, and as little as possible", () => {
    expect(read(brandCss({ accent: "#7a3b12" }), "--pix-accent-text")[0]).toBe("#7a3b12")
    expect(contrast(read(brandCss({ accent: "#ffd400" }), "--pix-accent-text")[0] ?? "", "#ffffff")).toBeLessThan(5.5)
  })

  it("darkens the background in the dark scheme", () => {
    const [light, dark = ""] = read(brandCss({ background: "#fff3e0" }), "background")
    expect(light).toBe("#fff3e0")
    expect(contrast(dark, "#edf0f5")).toBeGreaterThanOrEqual(13)
    expect(brandCss({})).toBe("")
  })
})

it.each<[unknown, string]>([
  [{ accent: "red" }, '"accent" must be a colour like #3650c4'],
  [{ accent: "#36c" }, '"accent" must be a colour like #3650c4'],
  [{ background: "#fff}body{display:none" }, '"background" must be a colour like #3650c4'],
  [{ logo: "logo.png" }, '"logo" must be the bytes of a PNG, JPEG, WebP or SVG of 64 KB at most'],
  [{ logo: Buffer.from("<html><svg>") }, '"logo" must be the bytes'],
  [{ logo: Buffer.concat([png, Buffer.alloc(65_536)]) }, '"logo" must be the bytes'],
  [{ name: " " }, '"name" must be a text of 1 to 60 characters'],
  [{ colour: "#3650c4" }, "there is no option"],
  ["#3650c4", 'the option "brand" must be { name, logo, accent, background }, or a function'],
])("throws an error with the reason for an invalid brand: %j", (brand, message) => {
  const make = () => checkout({ url, brand } as CheckoutOptions)
  expect(make).toThrow(InvalidOption)
  expect(make).toThrow(message)
})

it.each([["javascript:alert(1)"], ["/orders"], ["https://ana:secret@shop.example"], [1]])(
  "rejects %s as a return address",
  (returnUrl) =>
    expect(() => checkout({ url, returnUrl } as CheckoutOptions)).toThrow('"returnUrl" must be an address'),
)

const branded = async (options: Partial<CheckoutOptions>) => {
  const world = checkoutWorld(options)
  const id = await world.issue({ amountCents: 14_990 })
  const path = await world.makePath(id)
  const get = (below: string) => world.call("GET", path + below)
  return { ...world, id, path, get }
}

const brand: Brand = { name: "Livraria <Aurora>", logo: png, accent: "#7a3b12", background: "#fff3e0" }

describe("the page of a charge", () => {
  it("shows the brand, also on the receipt, and serves the brand's files below the link", async () => {
    const { pix, id, path, get } = await branded({ brand, returnUrl: "https://shop.example/pedidos?a=1&b=2" })
    await using _ = pix
    const page = (await get(""))?.body ?? ""
    expect(page).toContain("<title>Pague com Pix · Livraria &lt;Aurora&gt;</title>")
    const [, logo = ""] = /<img src="\.\/[\w-]+(\/logo\?[\w-]+)" alt="Livraria &lt;Aurora&gt;"/.exec(page) ?? []
    const [, css = ""] = /href="\.\/[\w-]+(\/marca\.css\?[\w-]+)"/.exec(page) ?? []
    expect(page).toContain('href="https://shop.example/pedidos?a=1&amp;b=2"')
    const headers = { "content-type": "image/png", "x-content-type-options": "nosniff" }
    expect(await get(logo)).toMatchObject({ status: 200, headers })
    expect((await get(logo))?.headers["content-security-policy"]).toContain("sandbox")
    const kept = [logo, css, "/logo", `${logo}0`].map(async (file) => (await get(file))?.headers["cache-control"])
    expect(await Promise.all(kept)).toEqual([
      "private, max-age=86400",
      "private, max-age=86400",
      "no-cache",
      "no-cache",
    ])
    expect(await get(css)).toMatchObject({ status: 200, body: expect.stringContaining("--pix-accent:#7a3b12") })
    await pix.pay(id)
    await expect.poll(async () => (await get("/comprovante"))?.status).toBe(200)
    const receipt = (await get("/comprovante"))?.body
    expect(receipt).toMatch(/Comprovante de pagamento Pix · Livraria &lt;Aurora&gt;[^]*\/logo\?/)
    expect(receipt).toContain(`og:url" content="${url}${path}/comprovante"`)
  })

  it("gives messengers a preview with brand and amount, without data of the payer", async () => {
    const { pix, issuer, makePath, call } = checkoutWorld({ brand })
    await using _ = pix
    const payer = { name: "Maria Canario", taxId: "52998224725" }
    const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"
    await pix.issue(issuer, { id, amountCents: 14_990, payer, messageToPayer: "Pedido 1042" })
    const path = await makePath(id)
    const page = (await call("GET", path))?.body ?? ""
    const tags = Array.from(page.matchAll(/property="og:(\w+)" content="([^"]*)"/g), ([, name, value]) => [name, value])
    expect(Object.fromEntries(tags)).toEqual({
      type: "website",
      locale: "pt_BR",
      site_name: "Livraria &lt;Aurora&gt;",
      title: "Pague com Pix · Pedido 1042 · Livraria &lt;Aurora&gt;",
      description: expect.stringMatching(/^Valor a pagar: R\$ 149,90\. Pague até \d\d\/\d\d\/\d{4}\.$/),
      url: `${url}${path}`,
      image: expect.stringContaining(`${url}${path}/logo?`),
    })
    expect(page).not.toMatch(/Maria|52998224725/)
  })

  it("calls the function `brand` once with the company's CNPJ, and omits an SVG logo from the preview", async () => {
    const calledIssuers: Array<string> = []
    const find: BrandOption = async (issuer) => (calledIssuers.push(issuer), { name: "Aurora", logo: svg })
    const { pix, issuer, get } = await branded({ brand: find })
    await using _ = pix
    const page = (await get(""))?.body
    expect([page?.includes("Aurora"), page?.includes("og:image"), calledIssuers]).toEqual([true, false, [issuer]])
    expect((await get("/logo"))?.headers["content-type"]).toBe("image/svg+xml")
    expect(await get("/marca.css")).toMatchObject({ status: 404 })
    await Promise.all(["/estado", "/qr.svg", "", "/comprovante", "/logo?1", "/marca.css?1"].map(get))
    expect(calledIssuers).toEqual([issuer])
  })

  const failing: ReadonlyArray<readonly [string, () => never]> = [
    [
      "throws",
      () => {
        throw new Error("no")
      },
    ],
    ["rejects", () => Promise.reject(new Error("no")) as never],
    ["returns an invalid brand", () => ({ accent: "red" }) as never],
    ["returns a script's address", () => "javascript:alert(1)" as never],
  ]

  it.each(failing)("is neutral, without a link back to the shop, if the host's function %s", async (_, fail) => {
    const { pix, get } = await branded({ brand: fail, returnUrl: fail })
    await using _pix = pix
    const page = await get("")
    expect(page?.status).toBe(200)
    expect(page?.body).not.toMatch(/marca\.css|class="brand"|Voltar à loja/)
  })

  it("links back to the shop's address of the charge without a brand", async () => {
    const { pix, id, issuer, get } = await branded({
      returnUrl: (charge) => `https://shop.example/${charge.issuer}/${charge.id}`,
    })
    await using _ = pix
    expect((await get(""))?.body).toContain(`href="https://shop.example/${issuer}/${id}">Voltar à loja`)
  })
})
