import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { portal } from "../src/index.ts"
import { makeOperator } from "./support/Operator.ts"
import { type MountName, mounts, serveApp } from "./support/mounts.ts"
import { authorize, neighbour, payer, portalWorld, shop } from "./support/portalWorld.ts"

const world = async (mount: MountName = "express") => {
  const { pix, app } = portalWorld()
  const base = await serveApp(mount, app)
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990, payer })
  await pix.pay(id)
  const as = (user: string) => makeOperator(base, user)
  const page = `/${shop}/cobrancas/${id}/devolver?valor=5,00`
  const returned = async () => (await pix.find(shop, id)).returns.map(({ amountCents }) => amountCents)
  return { pix, base, id, as, page, returned }
}

it.each(Object.keys(mounts) as ReadonlyArray<MountName>)(
  "runs an action once even if its form is sent several times, mounted by %s",
  async (mount) => {
    const { pix, id, as, page, returned } = await world(mount)
    await using _ = pix
    const bia = as("bia")
    const form = (await bia.open(page)).form("/devolver")
    const answers = await Promise.all([bia.send(form), bia.send(form), bia.send(form)])
    answers.push(await bia.send(form))
    for (const { status, location } of answers) {
      expect(status).toBe(303)
      expect(new URL(location ?? "").pathname).toMatch(`/${shop}/cobrancas/${id}`)
    }
    expect(await returned()).toEqual([500])
    const { items } = await pix.audit.list(shop, { kind: "partialRefundRequested" })
    expect(items.map(({ by }) => by)).toEqual(["bia"])
    await bia.send((await bia.open(page)).form("/devolver"))
    expect(await returned()).toEqual([500, 500])
  },
)

it("refunds once even if the form is also sent to another process", async () => {
  const { pix, as, page, returned } = await world()
  await using _ = pix
  const other = makeOperator(await serveApp("express", portal(pix, { authorize })), "bia")
  const form = (await as("bia").open(page)).form("/devolver")
  expect((await as("bia").send(form)).status).toBe(303)
  const elsewhere = new URL(form.url).pathname.replace("/portal", "")
  expect((await other.post(elsewhere, form.fields)).status).toBe(303)
  expect(await returned()).toEqual([500])
})

it("requires a form token of the same operator, company and portal", async () => {
  const { pix, as, page, returned } = await world()
  await using _ = pix
  const form = (await as("bia").open(page)).form("/devolver")
  const { token: __, ...without } = form.fields
  const foreign = portalWorld({ tokens: { keys: [{ kid: "test", secret: "another secret of tests, known to all" }] } })
  await using ___ = foreign.pix
  const strangers = makeOperator(await serveApp("express", foreign.app), "bia")
  const tokens = {
    none: "",
    nonsense: "1.2.3",
    ofAnother: (await as("ana").open(page)).form("/devolver").fields["token"] ?? "",
    ofAnotherCompany: (await as("ana").get(`/${neighbour}/cobrancas`)).form("/cobrancas").fields["token"] ?? "",
    ofAnotherPortal: (await strangers.get(`/${shop}/cobrancas`)).form("/cobrancas").fields["token"] ?? "",
  }
  for (const [name, token] of Object.entries(tokens)) {
    const { status, text } = await as("bia").post(form.url, { ...form.fields, token })
    expect([name, status]).toEqual([name, 403])
    expect(text).toContain("O formulário não veio desta página")
  }
  expect((await as("bia").post(form.url, without)).status).toBe(403)
  const ofAnas = (await as("ana").open(page)).form("/devolver")
  expect((await as("ana").send(ofAnas, { token: tokens.ofAnotherCompany })).status).toBe(403)
  const search = await as("bia").post(`/${shop}/cobrancas`, { busca: "joao" })
  expect(search.status).toBe(403)
  expect(await returned()).toEqual([])
})

it.each([
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { origin: "https://evil.test" },
  { origin: "http://127.0.0.1:1" },
])("rejects a form from another site's page: %o", async (headers) => {
  const { pix, as, page, returned } = await world()
  await using _ = pix
  const { url, fields } = (await as("bia").open(page)).form("/devolver")
  expect((await as("bia").post(url, fields, headers as Record<string, string>)).status).toBe(403)
  expect(await returned()).toEqual([])
  expect((await as("bia").post(url, fields, { origin: new URL(url).origin })).status).toBe(303)
  expect(await returned()).toEqual([500])
})

it("checks the operator's right again when the form is sent", async () => {
  const { pix, as, page, returned, id } = await world()
  await using _ = pix
  const { fields } = (await as("bia").open(page)).form("/devolver")
  for (const path of ["devolver", "cancelar", "pagador"]) {
    expect((await as("leo").post(`/${shop}/cobrancas/${id}/${path}`, fields)).status).toBe(403)
  }
  expect((await as("rui").post(`/${shop}/cobrancas/${id}/devolver`, fields)).status).toBe(403)
  expect(await returned()).toEqual([])
})

it("doesn't run an action by GET or with an invalid key", async () => {
  const { pix, as, page, returned, id } = await world()
  await using _ = pix
  const { fields } = (await as("bia").open(page)).form("/devolver")
  const search = new URLSearchParams(fields).toString()
  expect((await as("bia").get(`/${shop}/cobrancas/${id}/devolver?${search}`)).status).toBe(200)
  const { html } = await as("bia").open(`/${shop}/cobrancas/${id}/pagador?${search}`)
  expect(html).not.toContain("João")
  for (const key of ["", "1", `${fields["key"]}0`]) {
    expect((await as("bia").post(`/${shop}/cobrancas/${id}/devolver`, { ...fields, key })).status).toBe(403)
  }
  expect(await returned()).toEqual([])
  expect((await pix.audit.list(shop)).items).toEqual([])
})

it.each([
  ["/cobrancas/7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c/pagador", "/cobrancas/7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"],
  ["/excecoes/E1/manter", "/excecoes/E1"],
  ["/eventos/e/a%20b/reenviar?em=1", "/eventos/e/a%20b?em=1"],
  ["/pontos/a%2Fb/pausar", "/pontos"],
  ["/pontos/a/retomar", "/pontos"],
  ["/pontos/a/testar", "/pontos"],
  ["/pagadores/exportar", "/pagadores"],
  ["/pagadores/apagar", "/pagadores"],
  ["/pagadores/apagados", "/pagadores"],
])("redirects a GET of a form's address to the page above it: %s", async (address, above) => {
  const { pix, as, base } = await world()
  await using _ = pix
  const { status, location } = await as("bia").get(`/${shop}${address}`)
  expect([status, location]).toEqual([303, `${base}/${shop}${above}`])
})

it("rejects a form that was already sent with other data", async () => {
  const { pix, as, page, returned } = await world()
  await using _ = pix
  const form = (await as("bia").open(page)).form("/devolver")
  await as("bia").send(form)
  const again = await as("bia").send(form, { cents: "600" })
  expect(again.status).toBe(409)
  expect(again.text).toContain("já foi enviado com outros dados")
  expect(await returned()).toEqual([500])
})

it("rejects a form that was open for twelve hours", async () => {
  const { pix, as, page, returned } = await world()
  await using _ = pix
  const form = (await as("bia").open(page)).form("/devolver")
  await pix.clock.advance("12 hours")
  expect((await as("bia").send(form)).status).toBe(403)
  expect(await returned()).toEqual([])
})

it("repeats a refusal if the same form is sent again", async () => {
  const { pix, as, id } = await world()
  await using _ = pix
  const pending = await pix.issue(shop, { id: randomUUID(), amountCents: 1_000 })
  const form = (await as("bia").get(`/${shop}/cobrancas/${pending.id}/cancelar`)).form("/cancelar")
  await pix.pay(pending.id)
  for (const _time of [1, 2]) {
    const { status, text } = await as("bia").send(form)
    expect(status).toBe(409)
    expect(text).toContain("A cobrança já foi paga, por isso não pode ser cancelada nem alterada.")
  }
  expect((await pix.find(shop, id)).status).toBe("paid")
})

it("shows the notice of an action to its operator for a minute, and doesn't show a forged notice", async () => {
  const { pix, as, page, id } = await world()
  await using _ = pix
  const { location = "" } = await as("bia").send((await as("bia").open(page)).form("/devolver"))
  const done = "Devolução concluída"
  expect((await as("bia").get(location)).text).toContain(done)
  expect((await as("ana").get(location)).text).not.toContain(done)
  for (const notice of ["refundDone", "refundDone.9999999999999.x", `<b>${done}</b>`, "toString.9999999999999.x"]) {
    const { text, status } = await as("bia").get(`/${shop}/cobrancas/${id}?aviso=${encodeURIComponent(notice)}`)
    expect(status).toBe(200)
    expect(text).not.toContain(done)
  }
  const other = location.replace("refundDone", "chargeCancelled")
  expect((await as("bia").get(other)).text).not.toContain("Cobrança cancelada")
  await pix.clock.advance("1 minute")
  expect((await as("bia").get(location)).text).not.toContain(done)
})

it("runs an action again if its key is sent to the page of another charge", async () => {
  const { pix, id, as } = await world()
  await using _ = pix
  const other = (await pix.issue(shop, { id: randomUUID(), amountCents: 2_500, payer })).id
  const { url, fields } = (await as("bia").open(`/${shop}/cobrancas/${id}`)).form("/pagador")
  await as("bia").post(url, fields)
  await as("bia").post(url.replace(id, other), fields)
  const { items } = await pix.audit.list(shop, { kind: "payerShown" })
  expect(items).toHaveLength(2)
})

it("runs an action again, under the other operator's name, if another operator sends its key", async () => {
  const { pix, id, as, returned } = await world()
  await using _ = pix
  const at = `/${shop}/cobrancas/${id}`
  const { fields } = (await as("bia").open(at)).form("/pagador")
  const own = (await as("ana").open(at)).form("/pagador")
  for (const [user, token] of [
    ["bia", fields["token"]],
    ["ana", own.fields["token"]],
  ] as const) {
    const { text } = await as(user).post(own.url, { ...fields, token: token ?? "" })
    expect(text).toContain("João da Silva")
  }
  const { items } = await pix.audit.list(shop, { kind: "payerShown" })
  expect(items.map(({ by }) => by).toSorted()).toEqual(["ana", "bia"])
  expect(await returned()).toEqual([])
})
