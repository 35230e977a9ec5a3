import { callbackFetch } from "@pixcharge/callback-fetch"
import { Checkout, type CheckoutRoute, PaymentNotices, type Reply } from "@pixcharge/core"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { createPix, type KeyRing, type SandboxOptions } from "../src/index.ts"

const secret = "a secret of at least 32 bytes, kept safe"
const ring: KeyRing = [{ kid: "1", secret }]

const sandbox = (options: Partial<SandboxOptions> = {}): SandboxOptions => ({
  environment: "sandbox",
  store: memoryStore(),
  directory: memoryDirectory({ companies: [] }),
  processor: sandboxProcessor(),
  callbacks: callbackFetch(),
  tokens: { keys: ring },
  ...options,
})

const pagesAt = (path: string): CheckoutRoute => ({
  path,
  layer: Layer.succeed(Checkout, {
    link: (issuer, id, { expiresAt }) => Effect.succeed(`${issuer} ${id} ${expiresAt}`),
    recurrenceLink: (issuer, id) => Effect.succeed(`${issuer} ${id}`),
    handle: (exchange, below) =>
      Effect.succeed<Reply>({ status: 200, headers: {}, body: `${exchange.method} ${below}` }),
  }),
})

describe("payers' pages", () => {
  it("are answered below their path, before and after the boot, in both environments", async () => {
    const production = createPix({
      ...sandbox(),
      environment: "production",
      store: memoryStore({ inProduction: true }),
      processor: Layer.empty as never,
      checkout: pagesAt("/pagar"),
    })
    const readAnswer = async (pix: typeof production) =>
      (await pix.fetch(new Request("https://x/pagar/abc/estado", { method: "POST" }))).text()
    await using pix = createPix(sandbox({ checkout: pagesAt("/pagar") }))
    for (let time = 0; time < 2; time++) expect(await readAnswer(pix)).toBe("POST /abc/estado")
    expect(await readAnswer(production)).toContain("indispon")
    const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"
    expect(await pix.checkout.link("12345678000195", id, { expiresAt: 7 })).toBe(`12345678000195 ${id} 7`)
    await expect(pix.checkout.link("1", id, { expiresAt: 7 })).rejects.toMatchObject({ _tag: "InvalidTaxId" })
    await expect(pix.checkout.link("12345678000195", "1", { expiresAt: 7 })).rejects.toMatchObject({
      _tag: "InvalidChargeId",
    })
  })

  it("have no links without the option `checkout`, which the error names", async () => {
    await using pix = createPix(sandbox())
    const link = pix.checkout.link("12345678000195", "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c", { expiresAt: 7 })
    await expect(link).rejects.toMatchObject({
      _tag: "InvalidOption",
      message: "pix.checkout.link needs the option checkout of createPix: checkout({ url }) of @pixcharge/checkout.",
    })
  })

  it.each<[string, unknown]>([
    ['"checkout" must be checkout({ url }) of @pixcharge/checkout, or another { path, layer }', "/pagar"],
    ['"checkout" must be checkout({ url })', { layer: Layer.empty }],
    ["the path of the checkout must lie neither below /api/pix nor above it", pagesAt("/api/pix/pagar")],
    ["the path of the checkout must be a plain path", pagesAt("pagar")],
  ])("are refused when pix is created: %s", (sentence, checkout) => {
    expect(() => createPix(sandbox({ checkout: checkout as CheckoutRoute }))).toThrow(sentence)
  })

  it("can't share a path with the notices", () => {
    const notices = { path: "/pagar/pix", layer: Layer.succeed(PaymentNotices, { handle: () => undefined }) }
    const store = memoryStore({ inProduction: true })
    const options = { ...sandbox({ store }), environment: "production", checkout: pagesAt("/pagar"), notices } as never
    expect(() => createPix(options)).toThrow("the path of the notices must lie neither below /pagar nor above it")
  })
})

describe("pix.tokens.signatures", () => {
  it("signs texts for one purpose, with the key ring of the tokens", async () => {
    await using pix = createPix(sandbox())
    await using other = createPix(sandbox({ tokens: { keys: [{ kid: "2", secret: `another ${secret}` }, ...ring] } }))
    const forms = pix.tokens.signatures("forms")
    const signature = await forms.sign("a text")
    expect(signature).toMatch(/^[\w-]+$/)
    expect(await forms.verify("a text", signature)).toBe(true)
    expect(await forms.verify("another", signature)).toBe(false)
    expect(await pix.tokens.signatures("links").verify("a text", signature)).toBe(false)
    expect(await other.tokens.signatures("forms").verify("a text", signature)).toBe(true)
    expect(await forms.verify("a text", await other.tokens.signatures("forms").sign("a text"))).toBe(false)
  })

  it("signs only texts", async () => {
    await using pix = createPix(sandbox())
    const forms = pix.tokens.signatures("forms")
    await expect(forms.sign(1 as never)).rejects.toThrow("tokens.signatures signs texts only.")
    for (const [text, signature] of [
      [1, await forms.sign("1")],
      ["1", 1],
    ])
      expect(await forms.verify(text as string, signature as string)).toBe(false)
  })

  it("needs a purpose", async () => {
    await using pix = createPix(sandbox())
    for (const purpose of ["", undefined, 1]) {
      expect(() => pix.tokens.signatures(purpose as string)).toThrow("tokens.signatures needs a purpose, as text")
    }
  })
})
