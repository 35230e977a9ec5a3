import { expect, it } from "vitest"
import { serveApp } from "./support/mounts.ts"
import { makeOperator } from "./support/Operator.ts"
import { portalWorld, shop } from "./support/portalWorld.ts"

it.each(["cobrancas", "excecoes", "eventos", "auditoria"])(
  "answers 422 for an invalid cursor of the list %s",
  async (list) => {
    const { app } = portalWorld()
    const operator = makeOperator(await serveApp("express", app), "ana")
    for (const cursor of ["1_2", "nenhuma", "W10", "%00", "%F0%9F"]) {
      const { status, text } = await operator.get(`/${shop}/${list}?cursor=${cursor}`)
      expect([status, text]).toEqual([422, expect.stringContaining("página da lista não existe mais")])
    }
  },
)

it.each(["express", "fetch"] as const)(
  "shows the portal's 404 page at an address that has no page, in %s",
  async (name) => {
    const { app } = portalWorld()
    const operator = makeOperator(await serveApp(name, app), "ana")
    for (const path of ["/nada", `/${shop}/nada`, `/${shop}/cobrancas/1/2/3`, `/${"a".repeat(300)}`]) {
      const { status, text } = await operator.get(path)
      expect([path, status, text]).toEqual([path, 404, expect.stringContaining("Página não encontrada")])
    }
  },
)

it("gives visitors without access the same answer for missing and existing pages", async () => {
  const { app } = portalWorld()
  const origin = await serveApp("express", app)
  const stranger = makeOperator(origin, "eve")
  const [lost, found] = [await stranger.get("/nada"), await stranger.get(`/${shop}`)]
  expect([lost.status, lost.text]).toEqual([found.status, found.text])
})

it("leaves unknown paths outside a company to the host unless the portal has a prefix", async () => {
  const { app } = portalWorld()
  const ask = (url: string, fullUrl: string) =>
    app.respond({
      method: "GET",
      url,
      fullUrl,
      header: () => undefined,
      body: () => Promise.resolve({ _tag: "Unreadable" }),
      signal: new AbortController().signal,
    })
  expect(ask("/nada/nenhuma", "/nada/nenhuma")).toBeUndefined()
  expect(await ask(`/${shop}/nada`, `/${shop}/nada`)).toBeDefined()
  expect(await ask("/nada/nenhuma", "/portal/nada/nenhuma")).toBeDefined()
  expect(ask("/a".repeat(5_000), `/portal${"/a".repeat(5_000)}`)).toBeUndefined()
})
