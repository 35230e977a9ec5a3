import { testPix } from "@pixcharge/testing"
import { expect, it } from "vitest"
import { portal } from "../src/index.ts"
import { makeOperator } from "./support/Operator.ts"
import { type MountName, mounts, serveApp } from "./support/mounts.ts"
import { authorize, neighbour, portalWorld, shop } from "./support/portalWorld.ts"

const given = (value: unknown) => value as never

it.each([undefined, {}, { authorize: undefined }, { authorize: true }, { authorise: authorize }])(
  "requires the option `authorize`: %o",
  async (options) => {
    await using pix = testPix()
    expect(() => portal(pix, given(options))).toThrow(
      /^portal needs authorize, which says who may see and return money/,
    )
  },
)

it("requires an instance of createPix", () => {
  for (const pix of [undefined, {}, { respond: () => undefined }]) {
    expect(() => portal(given(pix), { authorize })).toThrow("portal needs the instance that createPix returns.")
  }
})

it.each(Object.keys(mounts) as ReadonlyArray<MountName>)(
  "redirects from its root to the company, and serves the charges with its assets, mounted by %s",
  async (mount) => {
    const { pix, app } = portalWorld()
    await using _ = pix
    const base = await serveApp(mount, app)
    const bia = makeOperator(base, "bia")
    expect((await bia.get("")).location).toBe(`${base}/`)
    expect((await bia.get("/")).location).toBe(`${base}/${shop}`)
    expect((await bia.get(`/${shop}/`)).location).toBe(`${base}/${shop}`)
    const { status, html, headers } = await bia.get(`/${shop}/cobrancas`)
    expect(status).toBe(200)
    expect(headers.get("cache-control")).toBe("no-store")
    for (const [, link = ""] of html.matchAll(/(?:href|src|action)="([^"]+)"/g)) {
      expect(new URL(link, `${base}/${shop}/cobrancas`).href.startsWith(`${base}/`) || link.startsWith("#"), link).toBe(
        true,
      )
    }
    for (const [, asset = ""] of html.matchAll(/(?:href|src)="([^"]*assets[^"]+)"/g)) {
      expect((await bia.get(new URL(asset, `${base}/${shop}/cobrancas`).href)).status, asset).toBe(200)
    }
  },
)

it("lets operators with several companies choose a company, and switch companies within a section", async () => {
  const { pix, app } = portalWorld()
  await using _ = pix
  const ana = makeOperator(await serveApp("express", app), "ana")
  const start = await ana.get("/")
  expect(start.text).toContain("Escolha a empresa")
  expect(start.html).toContain(`href="./${shop}"`)
  expect(start.text).toContain("11.222.333/0001-81")
  const list = await ana.get(`/${shop}/cobrancas`)
  expect(list.html).toContain(`href="../${neighbour}/cobrancas"`)
  expect(list.html).toMatch(/href="..\/12345678000195\/cobrancas"\s+aria-current="true"/)
})

it("names the sections, and loads only the portal's script", async () => {
  const { pix, app } = portalWorld()
  await using _ = pix
  const { html } = await makeOperator(await serveApp("express", app), "ana").get(`/${shop}/cobrancas`)
  const sections = ["Painel", "Cobranças", "Sem cobrança", "Eventos", "Webhooks", "Conciliação", "Pagadores"]
  expect(html.replaceAll(/<[^>]+>/g, " ")).toMatch(new RegExp([...sections, "Auditoria"].join("\\s+")))
  expect(html.match(/<script[^>]*>[^<]*/g)).toEqual([
    expect.stringMatching(/^<script type="module" src="..\/assets\/portal-[\da-f]{12}\.js">$/),
  ])
})

it("answers 405 to a form at the address of a page", async () => {
  const { pix, app } = portalWorld()
  await using _ = pix
  const { status, headers, text } = await makeOperator(await serveApp("express", app), "bia").post(
    `/${shop}/auditoria`,
    {},
  )
  expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"])
  expect(text).toContain("Este endereço não recebe formulários. Nada foi feito.")
})
