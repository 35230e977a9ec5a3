import { InvalidOption } from "@pixcharge/core"
import { isPixError } from "@pixcharge/embed"
import { testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { checkout, type CheckoutOptions } from "../src/checkout.ts"
import { checkoutJs } from "../src/assets.ts"
import type { ExpiredCharge } from "../src/routes/Renewals.ts"
import { checkoutWorld, url } from "./world.ts"

const dayMs = 86_400_000
const json = { accept: "application/json" }

describe("a link", () => {
  it("opens the charge's page until the link expires, without data of the payer", async () => {
    await using pix = checkoutWorld().pix
    const issuer = pix.company.cnpj
    const payer = { name: "Maria Canario", taxId: "52998224725" }
    const { id } = await pix.issue(issuer, {
      id: randomUUID(),
      amountCents: 10_000,
      payer,
    })
    const link = await pix.checkout.link(issuer, id, { expiresAt: pix.clock.now() + dayMs })
    expect(link.startsWith(`${url}/pagar/`)).toBe(true)
    const path = link.slice(url.length)
    const respond = (given: string, headers?: Readonly<Record<string, string>>) =>
      pix.fetch(new Request(`https://x${given}`, { headers: headers ?? {} }))
    for (const [suffix, shown] of [
      ["", 'data-status="pending"'],
      ["/", 'data-status="pending"'],
      ["/estado", '"pendente"'],
    ] as const) {
      const text = await (await respond(path + suffix)).text()
      expect(text).toContain(shown)
      expect(text).not.toMatch(/Maria|52998224725|999\./)
    }
    await pix.clock.advance("1 day")
    const page = await respond(path)
    const state = await respond(`${path}/estado`)
    expect([page.status, state.status]).toEqual([410, 410])
    expect(await page.text()).toContain("<h1>Link expirado</h1>")
    expect(await state.text()).toBe('{"erro":"Este link expirou."}')
  })

  it("shows the charge's description until an erasure", async () => {
    const { pix, issuer, makePath, call } = checkoutWorld()
    await using _ = pix
    const payer = { name: "Maria Canario", taxId: "52998224725" }
    const texts = { messageToPayer: "Pedido 1042", additionalInfo: [{ name: "Nota", value: "A-7" }] }
    const { id } = await pix.issue(issuer, { id: randomUUID(), amountCents: 10_000, payer, ...texts })
    const path = await makePath(id)
    const read = async (below = "") => (await call("GET", path + below, json))?.body
    expect(await read()).toMatch(/Pedido 1042[^]*A-7/)
    expect(JSON.parse((await read("/estado")) ?? "")).toMatchObject({
      descricao: "Pedido 1042",
      informacoes: [{ nome: "Nota", valor: "A-7" }],
    })
    await pix.payers.erase(issuer, payer.taxId)
    await pix.clock.advance("6 minutes")
    await expect.poll(read).not.toContain("Pedido")
    expect(await read("/estado")).not.toMatch(/Pedido|A-7/)
  })

  it("makes links with one slash after the mount even if the option `url` ends in several slashes", async () => {
    for (const given of [`${url}/`, `${url}//`]) {
      const { pix, issuer, issue } = checkoutWorld({ url: given })
      await using _ = pix
      const link = await pix.checkout.link(issuer, await issue(), { expiresAt: pix.clock.now() + dayMs })
      expect(link.startsWith(`${url}/pagar/`)).toBe(true)
    }
  })

  it("refuses a link with an expiry that is invalid, past or too long after the end of the watch", async () => {
    const { pix, issuer, issue } = checkoutWorld()
    const id = await issue()
    const { watchUntil } = await pix.find(issuer, id)
    const latest = watchUntil + 366 * dayMs
    for (const expiresAt of [pix.clock.now(), latest + 1, 1.5, Number.NaN, "tomorrow", null]) {
      const refused = pix.checkout.link(issuer, id, { expiresAt: expiresAt as number })
      await expect(refused).rejects.toMatchObject({ _tag: "InvalidLink", issuer, id, latest })
    }
    expect(await pix.checkout.link(issuer, id, { expiresAt: latest })).toContain("/pagar/")
    const unknown = pix.checkout.link(issuer, randomUUID(), { expiresAt: latest })
    await expect(unknown).rejects.toMatchObject({ _tag: "ChargeNotFound" })
    await pix.dispose()
  })

  it("keeps a link valid for 30 days after the charge's last payable day or the link's creation, whichever is later", async () => {
    const { pix, issuer, issue, call } = checkoutWorld()
    await using _ = pix
    const dueDate = new Date(pix.clock.now() + 40 * dayMs).toISOString().slice(0, 10)
    const id = await issue({ dueDate })
    const path = (await pix.checkout.link(issuer, id)).slice(url.length)
    const { payableUntil } = await pix.find(issuer, id)
    const moveTo = (time: number) => pix.clock.advance(time - pix.clock.now())
    await moveTo(payableUntil + 30 * dayMs - 1)
    expect((await call("GET", path))?.status).toBe(200)
    const later = await pix.checkout.link(issuer, id)
    await moveTo(payableUntil + 30 * dayMs)
    expect((await call("GET", path))?.status).toBe(410)
    expect(await pix.checkout.link(issuer, id, {})).toBe(later)
    await moveTo(payableUntil + 60 * dayMs)
    expect((await call("GET", later.slice(url.length)))?.status).toBe(200)
    await moveTo(payableUntil + 61 * dayMs)
    expect((await call("GET", later.slice(url.length)))?.status).toBe(410)
  })

  it("refuses links and doesn't serve /pagar without the option `checkout`", async () => {
    await using pix = testPix()
    const refused = pix.checkout.link(pix.company.cnpj, randomUUID(), { expiresAt: 1 })
    await expect(refused).rejects.toThrow("pix.checkout.link needs the option checkout of createPix")
    await refused.catch((error: unknown) => expect(isPixError(error, "InvalidOption")).toBe(true))
    expect((await pix.fetch(new Request("https://x/pagar/x"))).headers.get("pix-erro")).not.toBeNull()
  })

  it("answers 404 without a look-up for a link that is invalid or signed with another key ring", async () => {
    const { pix, log, call } = checkoutWorld()
    const stranger = checkoutWorld(
      {},
      { tokens: { keys: [{ kid: "1", secret: "another secret of 32 bytes at least" }] } },
    )
    const foreign = await stranger.makePath(await stranger.issue())
    for (const path of ["/pagar", "/pagar/x", foreign, `/pagar/${"A".repeat(100_000)}`]) {
      const unknown = expect.stringContaining("<h1>Link não encontrado</h1>")
      expect(await call("GET", path)).toMatchObject({ status: 404, body: unknown })
      const state = await call("GET", `${path}/estado`)
      if (path !== "/pagar") expect(state).toMatchObject({ status: 404, body: '{"erro":"Este link não existe."}' })
    }
    expect([log.lookUps, log.finds]).toEqual([[], []])
    await Promise.all([pix.dispose(), stranger.pix.dispose()])
  })
})

describe("the routes below a link", () => {
  it("answers 405 if a route doesn't allow the method", async () => {
    const { pix, issue, makePath, call } = checkoutWorld({ renew: () => undefined })
    const path = await makePath(await issue())
    expect(await call("DELETE", `${path}/estado`)).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } })
    expect(await call("GET", `${path}/novo`)).toMatchObject({ status: 405, headers: { allow: "POST" } })
    expect(JSON.parse((await call("DELETE", `${path}/estado`))?.body ?? "")).toEqual({
      erro: "Este endereço não aceita este método.",
    })
    for (const other of ["/pagar/assets", "/pagar/assets/checkout.js/b"])
      expect(await call("GET", other)).toMatchObject({ status: 404 })
    const noPost = {
      status: 405,
      headers: { allow: "GET, HEAD" },
      body: expect.stringContaining("<h1>Não foi possível abrir a página"),
    }
    for (const page of [path, "/pagar/assets/checkout.js"]) expect(await call("POST", page)).toMatchObject(noPost)
    const script = { status: 200, body: checkoutJs.text }
    for (const method of ["GET", "HEAD"]) expect(await call(method, "/pagar/assets/checkout.js")).toMatchObject(script)
    expect(await call("GET", "/pagar/assets/b.js")).toMatchObject({ status: 404 })
    expect(await call("GET", `${path}/other`)).toMatchObject({ status: 404 })
    expect(await call("HEAD", path)).toMatchObject({ status: 200 })
    await pix.dispose()
  })

  it("lets pages of other origins read only the state", async () => {
    const { pix, issue, makePath, call } = checkoutWorld()
    const path = await makePath(await issue())
    const open = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }
    expect(await call("GET", `${path}/estado`, json)).toMatchObject({ status: 200, headers: open })
    expect(await call("GET", `${path}x/estado`, json)).toMatchObject({ status: 404, headers: open })
    const preflight = await call("OPTIONS", `${path}/estado`)
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        ...open,
        "access-control-expose-headers": "Retry-After",
        "access-control-allow-methods": "GET, HEAD",
        "access-control-allow-headers": "Accept, Cache-Control, Last-Event-ID",
        "access-control-max-age": "86400",
      },
      body: "",
    })
    expect((await call("GET", path))?.headers).not.toHaveProperty("access-control-allow-origin")
    for (const other of ["", "/novo", "/qr.svg"]) expect(await call("OPTIONS", path + other)).toBeUndefined()
    await pix.dispose()
  })

  it("returns the state as JSON, with Retry-After until the state is final", async () => {
    const { pix, issue, makePath, call } = checkoutWorld()
    const id = await issue()
    const path = `${await makePath(id)}/estado`
    const pending = await call("GET", path, json)
    expect(pending).toMatchObject({
      status: 200,
      headers: {
        "retry-after": "5",
        "cache-control": "no-store",
        "content-type": "application/json; charset=utf-8",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        vary: "Accept",
      },
    })
    expect(JSON.parse(pending?.body ?? "")).toMatchObject({ status: "pendente", final: false, agora: pix.clock.now() })
    await pix.pay(id)
    // A watched state is at most a second old.
    await expect.poll(async () => (await call("GET", path, json))?.body).not.toContain('"pendente"')
    const paid = await call("GET", path, json)
    expect(paid?.headers).not.toHaveProperty("retry-after")
    const body = JSON.parse(paid?.body ?? "")
    expect(body).toMatchObject({ status: "pago", final: true, pagamento: { valor: 10_000 } })
    // A 204 stops the reconnects of a page that has the final state.
    const stream = { accept: "TEXT/Event-Stream" }
    expect(await call("GET", path, { ...stream, "last-event-id": body.id })).toMatchObject({ status: 204, body: "" })
    for (const headers of [{ ...stream, "last-event-id": "other" }, stream])
      expect(await call("GET", path, headers)).toMatchObject({ status: 200 })
    await pix.dispose()
  })

  it("reads a final state from the store, so a refund appears immediately", async () => {
    const { pix, issuer, issue, makePath, call } = checkoutWorld()
    await using _ = pix
    const id = await issue()
    const path = `${await makePath(id)}/estado`
    await pix.pay(id)
    const readStatus = async () => JSON.parse((await call("GET", path, json))?.body ?? "").status as string
    expect(await readStatus()).toBe("pago")
    const { id: paid } = JSON.parse((await call("GET", path, json))?.body ?? "")
    await pix.refund(issuer, id)
    expect(await readStatus()).toBe("devolvido")
    const stream = { accept: "text/event-stream", "last-event-id": paid }
    expect(await call("GET", path, stream)).toMatchObject({ status: 200 })
  })

  it("answers 503 while the store is down, and 200 afterwards", async () => {
    const { pix, log, issue, makePath, call } = checkoutWorld()
    const path = await makePath(await issue())
    log.isDown = true
    const refused = { status: 503, headers: { "retry-after": "5" } }
    expect(await call("GET", path)).toMatchObject({
      ...refused,
      body: expect.stringContaining("<h1>Não foi possível abrir a cobrança</h1>"),
    })
    expect(await call("GET", `${path}/estado`)).toMatchObject({
      ...refused,
      body: '{"erro":"Não foi possível consultar agora. Tente de novo em alguns segundos."}',
    })
    log.isDown = false
    expect(await call("GET", path)).toMatchObject({ status: 200 })
    await pix.dispose()
  })
})

describe("a new code", () => {
  const renewing = () => {
    const renewCalls: Array<ExpiredCharge> = []
    const world = checkoutWorld({
      renew: async (expired) => {
        renewCalls.push(expired)
        await world.pix.issue(expired.issuer, { id: expired.newId, amountCents: expired.amountCents })
      },
    })
    return { ...world, renewCalls }
  }

  it("lets the host replace an expired charge once, and redirects to the new charge's page", async () => {
    const { pix, issuer, issue, makePath, call, renewCalls } = renewing()
    const id = await issue()
    const path = await makePath(id)
    await pix.expire(id)
    expect((await call("GET", path))?.body).toContain("Gerar novo código")
    const answers = await Promise.all([1, 2, 3].map(() => call("POST", `${path}/novo`)))
    expect(renewCalls).toEqual([{ issuer, id, newId: renewCalls[0]?.newId, amountCents: 10_000 }])
    const { location = "" } = answers[0]?.headers ?? {}
    const unkept = { "cache-control": "no-store", "referrer-policy": "no-referrer" }
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 303, headers: { location, ...unkept }, body: "" })
    for (const [below, way] of [
      ["/novo/", "../"],
      ["/novo/?from=mail", "../"],
      ["/novo?from=mail", ""],
      ["/novo?from=mail/", ""],
    ] as const)
      expect((await call("POST", path + below))?.headers["location"]).toBe(way + location)
    const jsonAnswer = await call("POST", `${path}/novo`, json)
    expect(jsonAnswer).toMatchObject({ status: 200, headers: { "access-control-allow-origin": "*" } })
    expect(JSON.parse(jsonAnswer?.body ?? "")).toEqual({ link: location })
    const page = new URL(location, `https://x${path}/novo`).pathname
    expect((await call("GET", page))?.body).toContain('data-status="pending"')
    expect((await pix.find(issuer, renewCalls[0]?.newId ?? "")).status).toBe("pending")
    await pix.dispose()
  })

  it("doesn't replace a payable or paid charge, and redirects to its page", async () => {
    const { pix, issue, makePath, call, renewCalls } = renewing()
    const id = await issue()
    const path = await makePath(id)
    const answer = await call("POST", `${path}/novo`)
    expect(answer?.status).toBe(303)
    expect(new URL(answer?.headers["location"] ?? "", `https://x${path}/novo`).pathname).toBe(path)
    await pix.payLate(id, { days: 1 })
    expect((await call("POST", `${path}/novo`))?.status).toBe(303)
    expect(renewCalls).toEqual([])
    await pix.dispose()
  })

  it("answers 503 if the host issues no charge, and calls the host again at the next request", async () => {
    const failures: Array<() => unknown> = [() => Promise.reject(new Error("no")), () => undefined]
    let renewCalls = 0
    const world = checkoutWorld({ renew: () => failures[renewCalls++ % 2]?.() })
    const { pix, issue, makePath, call } = world
    const id = await issue()
    const path = await makePath(id)
    await pix.expire(id)
    for (let attempt = 1; attempt <= 2; attempt++) {
      const answer = await call("POST", `${path}/novo`)
      const headers = { "retry-after": "5" }
      expect(answer).toMatchObject({
        status: 503,
        headers,
        body: expect.stringContaining("<h1>Não foi possível gerar um novo código</h1>"),
      })
      expect(renewCalls).toBe(attempt)
    }
    const problem = { erro: "Não foi possível gerar um novo código agora. Tente de novo em alguns segundos." }
    expect(await call("POST", `${path}/novo`, json)).toMatchObject({ status: 503, body: JSON.stringify(problem) })
    await pix.dispose()
  })

  it("answers 404 to a request for a new code without the option `renew`", async () => {
    const { pix, issue, makePath, call } = checkoutWorld()
    const id = await issue()
    const path = await makePath(id)
    await pix.expire(id)
    expect((await call("GET", path))?.body).not.toContain("Gerar novo código")
    expect(await call("POST", `${path}/novo`)).toMatchObject({ status: 404 })
    await pix.dispose()
  })
})

it.each<[string, unknown]>([
  ["url", {}],
  ["url", { url: "/payments" }],
  ["url", { url: "ftp://shop.example" }],
  ["url", { url: "https://shop.example/?a=b" }],
  ["url", { url: "https://shop.example/?" }],
  ["url", { url: "https://shop.example/#a" }],
  ["url", { url: "https://ana@shop.example" }],
  ["url", { url: "https://:secret@shop.example" }],
  ["url", { url: "xhttps://shop.example" }],
  ["url", { url: "httpsx://shop.example" }],
  ["url", { url: new URL("https://shop.example") }],
  ["renew", { url, renew: "yes" }],
  ["maxStreams", { url, maxStreams: 0 }],
  ["maxStreams", { url, maxStreams: 1.5 }],
  ["maxStreams", { url, maxStreams: 100_001 }],
  ["Url", { Url: url }],
])("throws for an invalid option %s: %j", (name, options) => {
  const make = () => checkout(options as CheckoutOptions)
  expect(make).toThrow(InvalidOption)
  expect(make).toThrow(name)
  expect(make).toThrow("checkout")
})

it("accepts a mount without TLS and 100 000 streams, and describes the required address", () => {
  expect(checkout({ url: "http://127.0.0.1:3000/pay", maxStreams: 100_000 }).path).toBe("/pagar")
  expect(() => checkout({ url: "" })).toThrow(
    "the address at which payers reach your mount, like https://shop.example/payments",
  )
})
