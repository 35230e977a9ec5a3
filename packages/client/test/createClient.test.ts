import { createAdaptorServer, getRequestListener } from "@hono/node-server"
import { pixRouter } from "@pixcharge/express"
import { fetchHandler } from "@pixcharge/http"
import { pixRoutes } from "@pixcharge/hono"
import { actors, makeSandbox, type Mount, mountServer } from "@pixcharge/adapter-tests/conformance"
import express from "express"
import { Hono } from "hono"
import { createServer, type Server } from "node:http"
import { randomUUID } from "node:crypto"
import { inspect } from "node:util"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type ClientOptions, createClient, PixClientError } from "../src/index.ts"
import { answers, breaksOff, type Fault, hangs, openWorld, resets, type World } from "./world.ts"

const mounts: Readonly<Record<string, Mount>> = {
  Express: (pix) => mountServer(createServer(express().use("/payments", pixRouter(pix))), "/payments", false),
  Hono: (pix) =>
    mountServer(
      createAdaptorServer({ fetch: new Hono().route("/payments", pixRoutes(pix)).fetch }) as Server,
      "/payments",
      false,
    ),
  fetch: (pix) => mountServer(createServer(getRequestListener(fetchHandler(pix))), "", false),
}

describe.each(Object.entries(mounts))("a client of a service in %s", (_, mount) => {
  it("issues, queries, simulates a payment, waits for it and refunds it", async () => {
    const pix = await makeSandbox()
    const { baseUrl, close } = await mount(pix)
    const { cnpj, key } = actors.shop
    const client = createClient({ baseUrl: `${baseUrl}//`, cnpj, key })
    const request = {
      id: randomUUID(),
      amountCents: 123_456,
      dueDate: "2027-06-10",
      payer: { name: "Maria da Silva", taxId: "123.456.789-09" },
    }

    const charge = await client.issue(request)
    const stored = await pix.find(cnpj, request.id)
    expect(charge).toEqual({
      id: request.id,
      transactionId: stored.transactionId,
      brCode: stored.brCode,
      payableUntil: stored.payableUntil,
    })
    expect(await client.issue(request)).toEqual(charge)
    expect(stored).toMatchObject({ amountCents: 123_456, dueDate: "2027-06-10", payer: { taxId: "12345678909" } })
    expect(await client.status(charge.id)).toEqual({ state: "pending" })

    await client.simulatePayment(charge.id)
    const { state, ...payment } = (await client.status(charge.id)) as { readonly state: string }
    expect(state).toBe("paid")
    expect(payment).toMatchObject({ transactionId: charge.transactionId, amountCents: 123_456 })
    expect(await client.waitUntilPaid(charge.id, charge)).toEqual(payment)

    const refund = await client.refund(charge.id)
    expect(refund).toEqual({
      state: "refunded",
      transactionId: charge.transactionId,
      amountCents: 123_456,
      refundedAt: expect.any(Number),
    })
    expect(await client.refund(charge.id)).toEqual(refund)
    expect(await client.status(charge.id)).toEqual({ state: "refunded" })
    await close()
    await pix.dispose()
  })
})

const tokenRequest = "POST /api/token"

const tokenIn = (body: unknown): string => (body as { readonly data: string }).data

const catchFailure = async (promise: Promise<unknown>): Promise<PixClientError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof PixClientError)) throw new Error("not a PixClientError", { cause: error })
  return error
}

describe("a client", () => {
  let world: World

  beforeEach(async () => {
    // This makes every random wait as short as possible.
    vi.spyOn(Math, "random").mockReturnValue(0)
    world = await openWorld()
  })

  afterEach(async () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    await world.close()
  })

  const issued = async (amountCents = 1990) => {
    const client = world.client()
    const charge = await client.issue({ id: randomUUID(), amountCents })
    world.requests.length = 0
    return { client, charge, query: `GET /api/pix/${charge.id}` }
  }

  describe("retries", () => {
    it.each([
      ["a 503", answers(503, { "retry-after": "0" })],
      ["a 502 of a proxy", answers(502)],
      ["a 504", answers(504)],
      ["a 429", answers(429)],
      ["a connection that was reset", resets],
      ["an answer that broke off", breaksOff],
    ])("retries a call after %s, and makes the charge once", async (_, fault) => {
      const client = world.client()
      const request = { id: randomUUID(), amountCents: 1990 }
      world.fail(fault, (__, ___, forward) => forward(), fault)
      const charge = await client.issue(request)
      expect(await client.issue(request)).toEqual(charge)
      expect(world.requests).toEqual([tokenRequest, tokenRequest, ...Array(3).fill("POST /api/pix")])
    })

    it("retries a call whose answer doesn't come in time", async () => {
      const begunAt = performance.now()
      const { charge, query } = await issued()
      // This is longer than a call takes on this machine now.
      const client = world.client({ timeoutMs: Math.ceil(500 + 20 * (performance.now() - begunAt)) })
      await client.status(charge.id)
      world.requests.length = 0
      world.fail(hangs)
      const { signal } = new AbortController()
      expect(await client.status(charge.id, { signal })).toEqual({ state: "pending" })
      expect(world.requests.slice(0, 2)).toEqual([query, query])
    })

    it("retries after the time that the service asks for", async () => {
      const { client, charge } = await issued()
      world.fail(answers(503, { "retry-after": "1" }))
      const before = performance.now()
      await client.status(charge.id)
      expect(performance.now() - before).toBeGreaterThan(990)
    })

    it("doesn't retry if the wait is too long, and names the wait in the error", async () => {
      const { client, charge, query } = await issued()
      world.fail(answers(429, { "retry-after": "600" }))
      const error = await catchFailure(client.status(charge.id))
      expect(error).toMatchObject({ status: 429, retryAfterMs: 600_000, isTransient: true })
      expect(world.requests).toEqual([query])
    })

    it("retries three times by default, or as often as configured", async () => {
      const { client, charge } = await issued()
      world.failAlways(answers(503))
      expect(await catchFailure(client.status(charge.id))).toMatchObject({ status: 503, isTransient: true })
      expect(world.requests).toHaveLength(4)
      world.requests.length = 0
      const once = world.client({
        retries: 0,
        token: async () => "x",
        cnpj: undefined,
        key: undefined,
      } as Partial<ClientOptions>)
      await catchFailure(once.status(charge.id))
      expect(world.requests).toHaveLength(1)
    })

    it("doesn't retry after a failure that the service explains", async () => {
      const { client, charge, query } = await issued(1091)
      const unknown = await catchFailure(client.status("00000000-0000-4000-8000-000000000000"))
      expect(unknown).toMatchObject({
        name: "PixClientError",
        status: 404,
        code: "cobranca-nao-encontrada",
        message: "Cobrança não encontrada.",
        isTransient: false,
      })
      expect(await catchFailure(client.refund(charge.id))).toMatchObject({ status: 409, code: "cobranca-nao-paga" })
      expect(await catchFailure(client.simulatePayment(charge.id))).toMatchObject({
        status: 422,
        code: "simulacao-recusada",
      })
      expect(await catchFailure(client.issue({ id: charge.id, amountCents: 1 }))).toMatchObject({
        status: 409,
        code: "cobranca-divergente",
      })
      expect(await catchFailure(client.issue({ id: randomUUID(), amountCents: 0.5 }))).toMatchObject({
        status: 400,
        code: "dados-invalidos",
      })
      world.requests.length = 0
      world.fail(answers(502, { "pix-erro": "processador-recusou" }, '{"sucesso":false,"errors":"Não."}'))
      expect(await catchFailure(client.status(charge.id))).toMatchObject({
        status: 502,
        message: "Não.",
        isTransient: false,
      })
      expect(world.requests).toEqual([query])
    })

    it("doesn't retry after an answer of another server, like a log-in page", async () => {
      const { client, charge } = await issued()
      world.fail(answers(200, {}, "<html>Log in</html>"), answers(200, {}, "<html>Log in</html>"))
      expect(await catchFailure(client.status(charge.id))).toMatchObject({ status: 200, code: undefined })
      expect(await catchFailure(client.waitUntilPaid(charge.id))).toMatchObject({ status: 200, code: undefined })
    })

    it("doesn't follow a redirect, which could get the key and the token", async () => {
      world.failAlways(answers(307, { location: "/elsewhere" }))
      const error = await catchFailure(world.client({ retries: 0 }).status(randomUUID()))
      expect(error).toMatchObject({ status: undefined, isTransient: true })
      expect(world.requests).toEqual([tokenRequest])
    })
  })

  describe("with a token", () => {
    it("shares a token between simultaneous calls", async () => {
      const client = world.client()
      await Promise.all([1, 2, 3].map(() => client.issue({ id: randomUUID(), amountCents: 1 })))
      expect(world.requests.filter((request) => request === tokenRequest)).toHaveLength(1)
    })

    it("renews a token once after the service refuses it", async () => {
      const tokens: Array<string> = []
      const { charge, query } = await issued()
      const client = world.client({
        fetch: async (input, init) => {
          const response = await fetch(input, init)
          if (String(input).endsWith("/api/token")) tokens.push(tokenIn(await response.clone().json()))
          return response
        },
      })
      await client.status(charge.id)
      const { jti } = JSON.parse(Buffer.from(tokens[0]?.split(".")[1] ?? "", "base64url").toString())
      await world.pix.tokens.revoke(jti)
      world.requests.length = 0
      expect(await client.status(charge.id)).toEqual({ state: "pending" })
      expect(world.requests).toEqual([query, tokenRequest, query])
    })

    it("renews a token before its end", async () => {
      const { client, charge, query } = await issued()
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 48 * 3_600_000 - 30_000 })
      expect(await client.status(charge.id)).toEqual({ state: "expired" })
      expect(await client.status(charge.id)).toEqual({ state: "expired" })
      expect(world.requests).toEqual([tokenRequest, query, query])
    })

    it("fetches a token again after a failure", async () => {
      world.fail(
        answers(401, { "pix-erro": "credenciais-invalidas" }, '{"sucesso":false,"errors":"Credenciais inválidas."}'),
      )
      const client = world.client()
      const error = await catchFailure(client.status(randomUUID()))
      expect(error).toMatchObject({ status: 401, code: "credenciais-invalidas", message: "Credenciais inválidas." })
      expect(await catchFailure(client.status(randomUUID()))).toMatchObject({ status: 404 })
      expect(world.requests.filter((request) => request === tokenRequest)).toHaveLength(2)
    })

    it("rejects with the service's failure for a wrong key, without retries", async () => {
      const error = await catchFailure(world.client({ key: "errada" } as Partial<ClientOptions>).status(randomUUID()))
      expect(error).toMatchObject({ status: 401, code: "credenciais-invalidas" })
      expect(world.requests).toEqual([tokenRequest])
    })

    it("calls the host's `token` again after a refusal, and rejects with the errors of `token`", async () => {
      const { charge } = await issued()
      const good = async () => {
        const response = await fetch(`${world.baseUrl}/api/token`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ cnpj: world.cnpj, chave: world.key }),
        })
        return tokenIn(await response.json())
      }
      const tokenError = new Error("log in first")
      const given: Array<() => Promise<string>> = [async () => "old", good]
      const token = vi.fn<() => Promise<string>>(() => given.shift()?.() ?? Promise.reject(tokenError))
      const client = createClient({ baseUrl: world.baseUrl, token })
      expect(await client.status(charge.id)).toEqual({ state: "pending" })
      expect(await client.status(charge.id)).toEqual({ state: "pending" })
      expect(token).toHaveBeenCalledTimes(2)
      await expect(createClient({ baseUrl: world.baseUrl, token }).status(charge.id)).rejects.toBe(tokenError)
    })

    it("rejects with the service's failure if a new token is refused", async () => {
      const token = vi.fn<() => Promise<string>>(async () => "old")
      const error = await catchFailure(createClient({ baseUrl: world.baseUrl, token }).status(randomUUID()))
      expect(error).toMatchObject({ status: 401, code: "token-invalido" })
      expect(token).toHaveBeenCalledTimes(2)
    })
  })

  describe("stops a call when its caller aborts", () => {
    const reason = new Error("the customer left")

    it("stops a call before it begins", async () => {
      const send = vi.fn<typeof fetch>()
      const signal = AbortSignal.abort(reason)
      const { issue } = world.client({ fetch: send })
      await expect(issue({ id: randomUUID(), amountCents: 1 }, { signal })).rejects.toBe(reason)
      expect(send).not.toHaveBeenCalled()
    })

    it("stops a call while it waits for an answer, the next attempt or the payment", async () => {
      const { client, charge } = await issued()
      for (const fault of [hangs, answers(503, { "retry-after": "20" }), answers(410)]) {
        const controller = new AbortController()
        world.fail((...exchange) => {
          fault(...exchange)
          setTimeout(() => controller.abort(reason), 20)
        })
        await expect(client.waitUntilPaid(charge.id, { signal: controller.signal })).rejects.toBe(reason)
      }
      expect(world.requests).toHaveLength(3)
    })

    it("stops a call even if no further attempt would follow", async () => {
      const { charge } = await issued()
      const client = world.client({ retries: 0 })
      await client.status(charge.id)
      const controller = new AbortController()
      world.fail(() => controller.abort(reason))
      await expect(client.status(charge.id, { signal: controller.signal })).rejects.toBe(reason)
    })

    it("stops a call while it waits for a token, which other calls still get", async () => {
      const client = world.client()
      const controller = new AbortController()
      const tokenRequested = new Promise<() => void>((resolve) => {
        world.fail((_, __, forward) => resolve(forward))
      })
      const other = catchFailure(client.status(randomUUID()))
      const ended = expect(client.status(randomUUID(), { signal: controller.signal })).rejects.toBe(reason)
      const giveToken = await tokenRequested
      controller.abort(reason)
      await ended
      giveToken()
      expect(await other).toMatchObject({ status: 404 })
      expect(world.requests.filter((request) => request === tokenRequest)).toHaveLength(1)
    })
  })

  describe("when it waits for a payment", () => {
    it("keeps waiting for a payment after failures", async () => {
      const { charge, query } = await issued()
      const client = world.client({ retries: 0 })
      await client.status(charge.id)
      world.requests.length = 0
      const paidMeanwhile: Fault = (request, response, forward) =>
        void world.pix.simulatePayment(world.cnpj, charge.id).then(() => answers(503)(request, response, forward))
      world.fail((_, __, forward) => forward(), paidMeanwhile)
      expect(await client.waitUntilPaid(charge.id, charge)).toMatchObject({ amountCents: 1990 })
      expect(world.requests).toEqual([query, query, query])
    })

    it("stops waiting when the charge expires", async () => {
      const { client, charge } = await issued()
      await world.pix.clock.advance("11 minutes")
      const error = await catchFailure(client.waitUntilPaid(charge.id, charge))
      expect(error).toMatchObject({ status: 410, code: "cobranca-expirada" })
    })

    it("stops waiting at the expiry by the client's clock if it can't read the failure's code", async () => {
      const { client, charge } = await issued()
      world.failAlways(answers(410, {}, '{"sucesso":false,"errors":"Pagamento pendente."}'))
      const error = await catchFailure(client.waitUntilPaid(charge.id, { payableUntil: Date.now() - 60_000 }))
      expect(error).toMatchObject({ status: 410, code: undefined, message: "Pagamento pendente." })
      const untilSoon = { payableUntil: Date.now() - 9_500 }
      expect(await catchFailure(client.waitUntilPaid(charge.id, untilSoon))).toMatchObject({ status: 410 })
      expect(world.requests.length).toBeGreaterThan(2)
    })

    it("stops waiting when the charge can't be paid, even if a refusal asks for a longer wait", async () => {
      const { client, charge } = await issued()
      const slow = vi.spyOn(globalThis, "setTimeout")
      world.failAlways(answers(429, { "retry-after": "9999999" }))
      const ended = catchFailure(client.waitUntilPaid(charge.id, { payableUntil: Date.now() - 9_500 }))
      expect(await ended).toMatchObject({ status: 429 })
      expect(Math.max(...slow.mock.calls.map(([, ms = 0]) => ms))).toBeLessThan(60_000)
    })

    it("stops waiting for a refunded charge", async () => {
      const { client, charge } = await issued()
      await client.simulatePayment(charge.id)
      await client.refund(charge.id)
      const error = await catchFailure(client.waitUntilPaid(charge.id, charge))
      expect(error).toMatchObject({ status: 409, code: "cobranca-estornada" })
    })
  })

  it("reports a refund under way with the time of its request", async () => {
    const { client, charge } = await issued()
    const data = {
      retTexto: "Estorno solicitado; em andamento.",
      transacaoId: charge.transactionId,
      referencia: charge.id,
      vLanc: 19.9,
      dRetorno: "2026-11-20T14:00:00.000Z",
    }
    world.fail(answers(202, {}, JSON.stringify({ sucesso: true, data })))
    expect(await client.refund(charge.id)).toEqual({
      state: "refunding",
      transactionId: charge.transactionId,
      amountCents: 1990,
      requestedAt: Date.parse(data.dRetorno),
    })
  })

  it.each([
    ["no address", {}],
    ["an address that isn't a string", { baseUrl: new URL("http://127.0.0.1"), token: String }],
    ["an address that ends with /api", { baseUrl: "http://127.0.0.1/payments/api/", token: String }],
    ["an address instead of options", "http://127.0.0.1"],
    ["no identity", { baseUrl: "http://127.0.0.1" }],
    ["a CNPJ without its key", { baseUrl: "http://127.0.0.1", cnpj: "12345678000195" }],
    ["a token that isn't a function", { baseUrl: "http://127.0.0.1", token: "x" }],
  ])("rejects options with %s", (_, options) => {
    expect(() => createClient(options as unknown as ClientOptions)).toThrow(/^createClient: .*"(baseUrl|token|0)"/)
  })

  it.each([
    ["no options", undefined, "baseUrl"],
    ["an address without scheme", { baseUrl: "shop.example.com" }, "baseUrl"],
    ["an address of another protocol", { baseUrl: "ftp://shop.example.com" }, "baseUrl"],
    ["an address with a password", { baseUrl: "https://ana:canary@shop.example.com" }, "baseUrl"],
    ["an address with a query", { baseUrl: "https://shop.example.com?canary" }, "baseUrl"],
    ["an address with a fragment", { baseUrl: "https://shop.example.com#canary" }, "baseUrl"],
    ["infinite retries", { retries: NaN }, "retries"],
    ["a string for retries", { retries: "3" }, "retries"],
    ["a timeout of 0", { timeoutMs: 0 }, "timeoutMs"],
    ["a timeout longer than a timer's maximum", { timeoutMs: 3e9 }, "timeoutMs"],
    ["a fetch that isn't a function", { fetch: null }, "fetch"],
    ["an unknown option", { timeout: 5 }, "timeout"],
  ])("rejects %s and names the option", (_, over, named) => {
    const sound = { baseUrl: "https://shop.example.com", token: async () => "x" }
    const make = () => createClient((over && { ...sound, ...over }) as unknown as ClientOptions)
    expect(make).toThrow(new RegExp(`^createClient: (?!.*canary).*"${named}"`))
  })

  it.each([
    ["a misspelt field", { duedate: "2027-06-10" }, 'there is no "duedate"'],
    [
      "a misspelt field of the payer",
      { payer: { name: "Ana", taxid: "12345678909" } },
      'there is no "taxid": give name, taxId',
    ],
    ["a string for the payer", { payer: "Ana" }, "give name, taxId"],
  ])("rejects a request with %s without calling the service", async (_, over, message) => {
    const fetch = vi.fn<typeof globalThis.fetch>()
    const client = createClient({ baseUrl: "https://shop.example.com", token: async () => "x", fetch })
    await expect(client.issue({ id: randomUUID(), amountCents: 1, ...over } as never)).rejects.toThrow(message)
    expect(fetch).not.toHaveBeenCalled()
  })

  it("ignores an unknown field without a value", async () => {
    const fetch = async () => Response.json({ sucesso: true, data: { retUrl: "code" } })
    const client = createClient({ baseUrl: "https://shop.example.com", token: async () => "x", fetch })
    const order = { id: randomUUID(), amountCents: 1, duedate: undefined }
    expect((await client.issue(order)).brCode).toBe("code")
  })

  it.each(["null", "{}", "[]", "5", '{"sucesso":true}', '{"sucesso":true,"data":null}', '{"data":{"response":{}}}'])(
    "rejects the answer %s in any call",
    async (body) => {
      const { charge } = await issued()
      world.failAlways(answers(200, { "content-type": "application/json" }, body))
      const { id } = charge
      const client = world.client({ token: async () => "x" })
      const calls: Array<Promise<unknown>> = [
        client.issue({ id, amountCents: 1990 }),
        client.status(id),
        client.waitUntilPaid(id),
      ]
      calls.push(client.refund(id), client.simulatePayment(id), world.client().status(id))
      const failures = await Promise.all(calls.map(catchFailure))
      for (const { message, status, isTransient } of failures) {
        expect(message).toBe("HTTP status 200, not an answer of the service.")
        expect({ status, isTransient }).toEqual({ status: 200, isTransient: false })
      }
    },
  )

  it.each([undefined, "", {}, "canary\nx", "canária", "canary €"])(
    "sends no request with the invalid token %j, and doesn't show it",
    async (token) => {
      const client = world.client({ token: async () => token as string })
      const error = await catchFailure(client.status(randomUUID()))
      expect(error.isTransient).toBe(false)
      expect(inspect(error)).toMatch(/token\(\) must resolve with a token/)
      expect(inspect(error)).not.toMatch(/canary|canária/)
      expect(world.requests).toEqual([])
    },
  )
})
