import type { Exchange } from "@pixcharge/core"
import { createPix, type Pix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { pixPlugin } from "@pixcharge/fastify"
import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import { apiPix, type ApiPixOptions } from "@pixcharge/processor-api-pix"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { it } from "@pixcharge/adapter-tests/suites"
import { serve } from "@hono/node-server"
import express from "express"
import Fastify from "fastify"
import { Hono } from "hono"
import * as Effect from "effect/Effect"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { once } from "node:events"
import { randomUUID } from "node:crypto"
import { describe, expect, it as test } from "vitest"
import { noticeAddress, readNoticeAddress } from "../src/notices/noticeAddress.ts"
import { company, noticeSecrets, otherCompany } from "./bank/openBank.ts"
import { noCallbacks, noticeUrl, openShop, type ShopOptions } from "./bank/openShop.ts"

const path = "/webhooks/api-pix"
const [, cnpj = "", mac = ""] = noticeAddress(noticeSecrets, company.cnpj).split("/")

const flip = (digit: string): string => (digit === "0" ? "1" : "0")

describe("the address of a company's notices", () => {
  test("is accepted with each of our secrets, and with no other secret", () => {
    const [old, current] = ["an older secret of 32 bytes at least", "a newer secret of 32 bytes at least"]
    const address = noticeAddress([old], company.cnpj)
    expect(readNoticeAddress([old], address)).toBe(company.cnpj)
    expect(readNoticeAddress([current, old], address)).toBe(company.cnpj)
    expect(readNoticeAddress([current, old], noticeAddress([current], company.cnpj))).toBe(company.cnpj)
    expect(readNoticeAddress([current], address)).toBeUndefined()
  })

  test("is read in upper and in lower case", () => {
    const { cnpj: lettered } = otherCompany
    const address = noticeAddress(noticeSecrets, lettered)
    for (const changed of [address.toUpperCase(), address.toLowerCase(), `${address}/pix`.toUpperCase()]) {
      expect(readNoticeAddress(noticeSecrets, changed), changed).toBe(lettered)
    }
    expect(address.toUpperCase()).not.toBe(address)
    expect(address.toLowerCase()).not.toBe(address)
  })

  test("has a code of 128 bits, which differs by company and by secret", () => {
    const macs = [
      noticeAddress(["secret a"], company.cnpj),
      noticeAddress(["secret b"], company.cnpj),
      noticeAddress(["secret a"], otherCompany.cnpj),
    ].map((address) => address.split("/")[2])
    expect(new Set(macs).size).toBe(3)
    for (const one of macs) expect(one).toMatch(/^[0-9a-f]{32}$/)
  })
})

const post = (pix: Pix, at: string, init: RequestInit = {}) =>
  pix.fetch(new Request(`https://shop.invalid${at}`, { method: "POST", body: '{"pix":[]}', ...init }))

const shop = (title: string, body: (pix: Pix) => Promise<void>, options: ShopOptions = {}) =>
  it.live(title, () => Effect.flatMap(openShop(options), ({ pix }) => Effect.promise(() => body(pix))))

describe("the route of notices", () => {
  shop("answers a call of a wrong address like a call of an unknown path", async (pix) => {
    const unknown = await post(pix, "/no/such/path")
    const expected = [unknown.status, await unknown.text(), Object.fromEntries(unknown.headers)]
    const otherMac = noticeAddress(noticeSecrets, otherCompany.cnpj).split("/")[2] ?? ""
    for (const below of [
      "",
      "/pix",
      `/${cnpj}`,
      `/${cnpj}/pix`,
      `/${cnpj}/${otherMac}`,
      `/${otherCompany.cnpj}/${mac}`,
      `/${cnpj}/${mac.slice(0, -1)}${flip(mac.slice(-1))}`,
      `/${cnpj}/${flip(mac)}${mac.slice(1)}`,
      `/${cnpj}/${mac.slice(0, -1)}`,
      `/${cnpj}/${mac}0`,
      `/${cnpj}/${mac.toUpperCase()}x`,
      `/${cnpj}/`,
      `/${cnpj}/${mac}/pix/pix/pix`,
      `/${cnpj}/${mac}/pix/x`,
      `/a/b/c`,
      `/${"a".repeat(8_000)}/${mac}`,
    ]) {
      const answer = await post(pix, path + below)
      expect([answer.status, await answer.text(), Object.fromEntries(answer.headers)], below).toEqual(expected)
    }
    expect((await pix.fetch(new Request(`https://shop.invalid${path}/pix`))).status).toBe(404)
  })

  shop(
    "rejects a caller that the host's `noticeCaller` doesn't accept",
    async (pix) => {
      const at = `${noticeUrl(company)}/pix`
      expect((await post(pix, at)).status).toBe(404)
      expect((await post(pix, at, { headers: { "x-bank-certificate": "FAILED" } })).status).toBe(404)
      expect((await post(pix, at, { headers: { "x-bank-certificate": "SUCCESS" } })).status).toBe(200)
    },
    { apiPix: { noticeCaller: (exchange: Exchange) => exchange.header("x-bank-certificate") === "SUCCESS" } },
  )

  shop(
    "rejects a caller if the host's `noticeCaller` returns a promise",
    async (pix) => expect((await post(pix, `${noticeUrl(company)}/pix`)).status).toBe(404),
    { apiPix: { noticeCaller: (async () => true) as unknown as () => boolean } },
  )
})

const listening = async (server: Server): Promise<Server> => {
  if (!server.listening) await once(server, "listening")
  return server
}

const hosts: Readonly<Record<string, (pix: Responder) => Promise<Server>>> = {
  Express: (pix) => listening(createServer(express().use(pixRouter(pix))).listen(0, "127.0.0.1")),
  Fastify: async (pix) => {
    const app = Fastify({ forceCloseConnections: true })
    app.register(pixPlugin(pix))
    await app.listen({ port: 0, host: "127.0.0.1" })
    return app.server
  },
  Hono: (pix) =>
    listening(serve({ fetch: new Hono().route("/", pixRoutes(pix)).fetch, port: 0, hostname: "127.0.0.1" }) as Server),
}

/** Sends a POST whose body never ends. Returns the status of the answer. */
const postEndlessly = async (port: number, at: string): Promise<string> => {
  const socket = connect(port, "127.0.0.1")
  socket.write(`POST ${at} HTTP/1.1\r\nhost: shop\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"pix\r\n`)
  const [answer] = (await once(socket, "data")) as [Buffer]
  socket.destroy()
  return answer.toString().split(" ")[1] ?? ""
}

describe.each(Object.entries(hosts))("the route of notices in %s", (_, host) => {
  it.live("answers a forged call without reading its endless body", () =>
    Effect.gen(function* () {
      const { pix } = yield* openShop()
      const bodiesRead: Array<string> = []
      const watched: Responder = {
        ...pix,
        respond: (exchange) =>
          pix.respond({
            method: exchange.method,
            url: exchange.url,
            fullUrl: exchange.fullUrl,
            header: (name) => exchange.header(name),
            signal: exchange.signal,
            body: (maxBytes) => {
              bodiesRead.push(exchange.url)
              return exchange.body(maxBytes)
            },
          }),
      }
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => host(watched)),
        (open) => Effect.sync(() => (open.closeAllConnections(), open.close())),
      )
      const { port } = server.address() as AddressInfo
      const forged = `${path}/${cnpj}/${"0".repeat(32)}/pix`
      expect(yield* Effect.promise(() => postEndlessly(port, forged))).toBe("404")
      expect(bodiesRead).toEqual([])
      const right = `http://127.0.0.1:${port}${noticeUrl(company)}`
      const taken = yield* Effect.promise(() => fetch(right, { method: "POST", body: "{}" }))
      expect(taken.status).toBe(200)
      expect(bodiesRead).toEqual([noticeUrl(company)])
    }),
  )
})

describe.each(Object.entries(hosts))("the route of notices in %s", (_, host) => {
  it.live("accepts the calls of a bank that appends /pix to a URL that already ends in /pix", () =>
    Effect.gen(function* () {
      const { pix, psp } = yield* openShop()
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => host(pix)),
        (open) => Effect.sync(() => (open.closeAllConnections(), open.close())),
      )
      const { port } = server.address() as AddressInfo
      for (const added of ["/pix/pix", "/pix//pix", "/pix/rec"]) {
        const charge = yield* Effect.promise(() => pix.issue(company.cnpj, { id: randomUUID(), amountCents: 1990 }))
        const { endToEndId, txid } = psp.pay(company.cnpj, charge.txid)
        const url = `http://127.0.0.1:${port}${noticeUrl(company)}${added}`
        const body = JSON.stringify({ pix: [{ endToEndId, txid }] })
        expect((yield* Effect.promise(() => fetch(url, { method: "POST", body }))).status, added).toBe(200)
        expect((yield* Effect.promise(() => pix.find(company.cnpj, charge.id)))._tag).toBe("Paid")
      }
    }),
  )
})

const start = async (options: Omit<ApiPixOptions, "companies">) => {
  const bank = apiPix({ companies: {}, ...options })
  const pix = createPix({
    environment: "production",
    store: memoryStore({ inProduction: true }),
    directory: memoryDirectory({ companies: [] }),
    processor: bank.processor,
    notices: bank.notices,
    callbacks: noCallbacks,
    tokens: { keys: [{ kid: "1", secret: "a secret of at least thirty-two bytes" }] },
  })
  await pix.ready()
  return pix
}

describe("a host with an unsafe webhook", () => {
  test.each([
    ["no secret", {}, "noticeSecrets"],
    ["an empty secret", { noticeSecrets: [""] }, "32 bytes"],
    ["a secret of 31 bytes", { noticeSecrets: ["a".repeat(31)] }, "32 bytes"],
    ["a short previous secret", { noticeSecrets: ["a".repeat(32), "short"] }, "32 bytes"],
  ] as const)("is rejected at its start and at a registration if it has %s", async (_, options, message) => {
    await expect(start(options)).rejects.toMatchObject({
      _tag: "BootFailure",
      message: expect.stringContaining(message),
    })
    const order = { pixKey: company.pixKey, mountedAt: "https://shop.invalid", reconcile: async () => undefined }
    const registered = apiPix({ companies: {}, ...options }).registerWebhook(company.cnpj, order)
    await expect(registered).rejects.toMatchObject({ _tag: "ApiPixMisconfigured" })
  })

  test.each(["", "/", "//", "/api", "/api/", "//api//pix", "/api/pix", "/api/pix/bank", "/api/token", "/api/token/x"])(
    "is rejected at its start because its path %o belongs to our own routes",
    async (noticesPath) => {
      await expect(start({ noticeSecrets, noticesPath })).rejects.toMatchObject({
        _tag: "BootFailure",
        message: expect.stringContaining("the path of the notices must lie neither below /api/"),
      })
    },
  )

  test.each(["webhooks", "/a b", "/a?b", "/a#b", "/%61pi/pix", "/x/../api/pix", "/./api", "/é"])(
    "is rejected at its start because its path %o isn't plain",
    async (noticesPath) => {
      await expect(start({ noticeSecrets, noticesPath })).rejects.toMatchObject({
        message: expect.stringContaining("must be a plain path: choose one like /webhooks/pix"),
      })
    },
  )
})

describe("a host with a safe webhook", () => {
  shop("answers the webhook below the base path of its web handler", async (pix) => {
    const handle = pix.fetchAt("/api/payments")
    const call = async (at: string) =>
      (await handle(new Request(`https://shop.invalid${at}`, { method: "POST", body: '{"pix":[]}' }))).status
    expect(await call(`/api/payments${noticeUrl(company)}`)).toBe(200)
    expect(await call(noticeUrl(company))).toBe(404)
  })

  test.each(["/webhooks/api-pix", "/bank/", "//bank//pix", "/apis/pix", "/api/pixel", "/.well-known/pix~1"])(
    "starts with a secret of 32 bytes and the path %o",
    async (noticesPath) => {
      const pix = await start({ noticeSecrets: ["a".repeat(32)], noticesPath })
      expect((await post(pix, `${noticesPath}/pix`)).status).toBe(404)
      await pix.dispose()
    },
  )
})
