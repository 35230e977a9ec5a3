import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { type PortalVisit, portal } from "../src/index.ts"
import { makeOperator } from "./support/Operator.ts"
import { type MountName, mounts, serveApp } from "./support/mounts.ts"
import { neighbour, portalWorld, shop, stranger } from "./support/portalWorld.ts"

const world = async (mount: MountName = "express") => {
  const { pix, app } = portalWorld()
  const base = await serveApp(mount, app)
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
  return { pix, base, id, as: (user: string) => makeOperator(base, user) }
}

it("refuses visitors whom the host doesn't know, without naming a company", async () => {
  const { pix, id, as } = await world()
  await using _ = pix
  for (const path of ["/", `/${shop}/cobrancas`, `/${shop}/cobrancas/${id}`]) {
    for (const user of ["", "unknown", "nobody"]) {
      const { status, html, text } = await as(user).get(path)
      expect([path, status]).toEqual([path, 403])
      expect(text).toContain("Você não tem acesso a este portal.")
      expect(html).not.toMatch(/Aurora|12345678000195|Cobranças/)
    }
  }
})

it("redirects to the host's sign-in, but answers a form with a page that says that it had no effect", async () => {
  const { pix, id, as } = await world()
  await using _ = pix
  const { status, location } = await as("away").get(`/${shop}/cobrancas/${id}`)
  expect([status, location]).toEqual([303, "https://login.test/entrar?volta=1"])
  const sent = await as("away").post(`/${shop}/cobrancas/${id}/cancelar`, {})
  expect(sent.status).toBe(403)
  expect(sent.text).toContain("Nada foi feito.")
  expect(sent.html).toContain('href="https://login.test/entrar?volta=1"')
  expect((await pix.find(shop, id)).status).toBe("pending")
})

it("doesn't grant access or show details if `authorize` fails", async () => {
  const { pix, id, as } = await world()
  await using _ = pix
  for (const path of ["/", `/${shop}/cobrancas/${id}`]) {
    const { status, html } = await as("broken").get(path)
    expect(status).toBe(500)
    expect(html).toContain(
      "Não foi possível abrir esta página. Tente de novo em instantes. Se o problema continuar, avise",
    )
    expect(html).not.toMatch(/redis|session store|password|Aurora/)
  }
})

it.each([
  null,
  "ana",
  true,
  {},
  { who: "", companies: [], rights: [] },
  { who: "ana\u202exof", companies: [{ cnpj: shop }], rights: ["read"] },
  { who: "\u200b", companies: [{ cnpj: shop }], rights: ["read"] },
  { who: "ana", companies: [{ cnpj: shop }] },
  { who: "ana", rights: ["read"] },
  { who: "ana", companies: [shop], rights: ["read"] },
  { who: "ana", companies: [{ cnpj: "12345678000100" }], rights: ["read"] },
  { who: "ana", companies: [{ cnpj: shop, name: 7 }], rights: ["read"] },
  { who: "ana", companies: [{ cnpj: shop }], rights: ["read", "everything"] },
  { who: "ana", companies: [{ cnpj: shop }], rights: "read" },
  { redirect: "/sign-in\r\nset-cookie: a=b" },
  { redirect: 7 },
])("doesn't grant access if `authorize` returns an invalid value: %o", async (answer) => {
  const { pix } = portalWorld()
  await using _ = pix
  const app = portal(pix, { authorize: () => answer as never })
  const { status, html } = await makeOperator(await serveApp("express", app), "ana").get(`/${shop}/cobrancas`)
  expect(status).toBe(500)
  expect(html).not.toContain("Cobranças")
})

it("answers the same 404 for a company that wasn't granted and a company that doesn't exist", async () => {
  const { pix, as } = await world()
  await using _ = pix
  const theirs = await pix.issue(stranger, { id: randomUUID(), amountCents: 1_990 })
  const answers = await Promise.all(
    [stranger, "99888777000100", "x", neighbour].map(async (company) => {
      const { status, html } = await as("bia").get(`/${company}/cobrancas/${theirs.id}`)
      return [status, html]
    }),
  )
  expect(answers[0]?.[0]).toBe(404)
  for (const answer of answers) expect(answer).toEqual(answers[0])
  const sent = await as("bia").post(`/${stranger}/cobrancas/${theirs.id}/cancelar`, {})
  expect(sent.status).toBe(404)
})

it("answers the same 404 for a charge of another company and a charge that doesn't exist", async () => {
  const { pix, as } = await world()
  await using _ = pix
  const theirs = await pix.issue(stranger, { id: randomUUID(), amountCents: 1_990 })
  const [foreign, unknown] = [theirs.id, randomUUID()].map((id) => as("bia").get(`/${shop}/cobrancas/${id}`))
  expect((await foreign)?.status).toBe(404)
  expect((await foreign)?.text).toBe((await unknown)?.text)
  expect((await as("bia").get(`/${shop}/cobrancas/no-uuid`)).status).toBe(404)
})

it("refuses pages to operators without the right `read`, and hides actions for which a right is missing", async () => {
  const { pix, id, as } = await world()
  await using _ = pix
  expect((await as("rui").get(`/${shop}/cobrancas`)).status).toBe(403)
  expect((await as("rui").get(`/${shop}/cobrancas/${id}/devolver`)).status).toBe(403)
  const mine = await as("bia").get(`/${shop}/cobrancas/${id}`)
  const theirs = await as("leo").get(`/${shop}/cobrancas/${id}`)
  expect(mine.text).toContain("Cancelar cobrança")
  expect(theirs.text).not.toContain("Cancelar cobrança")
  expect(mine.html).toContain("Conciliação")
  expect(theirs.html).not.toContain("Conciliação")
  expect((await as("leo").get(`/${shop}/cobrancas/${id}/cancelar`)).status).toBe(403)
  expect((await as("leo").get(`/${shop}/cobrancas/${id}/devolver`)).status).toBe(403)
})

it.each(Object.keys(mounts) as ReadonlyArray<MountName>)(
  "gives `authorize` the browser's request with its original address, mounted by %s",
  async (mount) => {
    const { pix } = portalWorld()
    await using _ = pix
    const visits: Array<PortalVisit> = []
    const app = portal(pix, { authorize: (visit) => void visits.push(visit) })
    const base = await serveApp(mount, app)
    await makeOperator(base, "ana").get(`/${shop}/cobrancas?situacao=paid`)
    const [visit] = visits
    expect(visit?.method).toBe("GET")
    expect(visit?.url).toBe(`${new URL(base).pathname}/${shop}/cobrancas?situacao=paid`)
    expect(visit?.header("x-user")).toBe("ana")
    const { frameworkRequest } = visit ?? {}
    const host = mount === "express" ? Reflect.get(Object(frameworkRequest), "originalUrl") : frameworkRequest
    expect(mount === "express" ? host : host instanceof Request).toBe(mount === "express" ? visit?.url : true)
  },
)
