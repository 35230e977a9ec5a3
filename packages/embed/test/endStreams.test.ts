import { createAdaptorServer } from "@hono/node-server"
import { checkout } from "@pixcharge/checkout"
import { consoleFor } from "@pixcharge/console"
import { pixRouter } from "@pixcharge/express"
import { pixPlugin } from "@pixcharge/fastify"
import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import { portal } from "@pixcharge/portal"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import express from "express"
import Fastify from "fastify"
import { Hono } from "hono"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { Agent, createServer, get, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { createPix, type SandboxPix } from "../src/index.ts"

const cnpj = "12345678000195"
const company = { cnpj, name: "Minha Loja", city: "Recife", pixKey: "loja@example.com", integratorKey: "chave-da-loja" }

/** Mounts each app below its prefix. Returns the origin, and a function that closes the host. */
type Host = (apps: Readonly<Record<string, Responder>>) => Promise<{
  readonly origin: string
  readonly close: (pix: SandboxPix) => Promise<unknown>
}>

const onNode = async (server: Server) => {
  server.listen(0, "127.0.0.1")
  onTestFinished(() => server.closeAllConnections())
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: (pix: SandboxPix) => {
      pix.endStreams()
      const closed = once(server, "close")
      server.close()
      return closed
    },
  }
}

const hosts: Readonly<Record<string, Host>> = {
  Express: (apps) => {
    const app = express()
    for (const [prefix, responder] of Object.entries(apps)) app.use(prefix, pixRouter(responder))
    return onNode(createServer(app))
  },
  Hono: (apps) => {
    const app = new Hono()
    for (const [prefix, responder] of Object.entries(apps)) app.route(prefix, pixRoutes(responder))
    return onNode(createAdaptorServer({ fetch: app.fetch }) as Server)
  },
  Fastify: async (apps) => {
    const app = Fastify()
    for (const [prefix, responder] of Object.entries(apps)) app.register(pixPlugin(responder), { prefix })
    let ending: SandboxPix | undefined
    app.addHook("preClose", async () => ending?.endStreams())
    const origin = await app.listen({ port: 0, host: "127.0.0.1" })
    return {
      origin,
      close: (pix) => {
        ending = pix
        return app.close()
      },
    }
  },
}

/**
 * Reads a page's stream and requests it again whenever it ends, over kept connections, until the server can't be reached.
 * Resolves once the first answer has begun; `statuses` collects the status of each answer.
 */
const followPage = async (url: string): Promise<{ readonly statuses: Array<number>; readonly lost: Promise<void> }> => {
  const agent = new Agent({ keepAlive: true })
  const statuses: Array<number> = []
  const ask = async (): Promise<IncomingMessage> => {
    const [response] = await once(get(url, { agent, headers: { accept: "text/event-stream" } }), "response")
    statuses.push((response as IncomingMessage).statusCode ?? 0)
    return (response as IncomingMessage).resume()
  }
  const first = await ask()
  const follow = async (): Promise<void> => {
    for (let response = first; ; response = await ask()) {
      await once(response, "end")
      await setTimeout(20)
    }
  }
  return { statuses, lost: follow().catch(() => undefined) }
}

const openShop = async (host: Host) => {
  const given: { pix?: SandboxPix; operators?: Responder; sandbox?: Responder } = {}
  const later = (name: keyof typeof given): Responder => ({ respond: (exchange) => given[name]?.respond(exchange) })
  const { origin, close } = await host({
    "/payments": later("pix"),
    "/portal": later("operators"),
    "/sandbox": later("sandbox"),
  })
  const pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    companies: [company],
    processor: sandboxProcessor(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    checkout: checkout({ url: `${origin}/payments` }),
  })
  const operators = portal(pix, { authorize: () => ({ who: "ana", companies: [{ cnpj }], rights: ["read"] }) })
  const sandbox = consoleFor(pix, { company, integratorKey: company.integratorKey })
  Object.assign(given, { pix, operators, sandbox })
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990 })
  const link = await pix.checkout.link(cnpj, id)
  const pages = [
    `${link}/estado`,
    `${origin}/portal/${cnpj}/cobrancas/${id}?versao=1`,
    `${origin}/sandbox/console/live`,
  ]
  return { pix, id, link, pages, close: () => close(pix) }
}

describe.each(Object.entries(hosts))("a server of %s with open pages", (_, host) => {
  it("closes after endStreams, even if pages keep reconnecting", async () => {
    const { pix, id, pages, close } = await openShop(host)
    await using _instance = pix
    const readers = await Promise.all(pages.map(followPage))
    expect(readers.map(({ statuses }) => statuses)).toEqual([[200], [200], [200]])
    await close()
    await Promise.all(readers.map(({ lost }) => lost))
    // Calls of pix still work, because the server's last answers can need them.
    expect(await pix.find(cnpj, id)).toMatchObject({ status: "pending" })
  })
})

it("answers pages after endStreams, and opens no stream", async () => {
  const { pix, link, pages, close } = await openShop(hosts["Express"]!)
  await using _ = pix
  expect(pix.streamsEnd.aborted).toBe(false)
  pix.endStreams()
  expect(pix.streamsEnd.aborted).toBe(true)
  const ask = async (url: string, accept: string) => (await fetch(url, { headers: { accept } })).status
  expect(await Promise.all(pages.map((url) => ask(url, "text/event-stream")))).toEqual([503, 503, 503])
  expect(await ask(link, "text/html")).toBe(200)
  await close()
})

it("ends the streams with dispose, too", async () => {
  const { pix, pages } = await openShop(hosts["Express"]!)
  const readers = await Promise.all(pages.map((url) => fetch(url, { headers: { accept: "text/event-stream" } })))
  await pix.dispose()
  expect(await Promise.all(readers.map(async (page) => (await page.text()) !== ""))).toEqual([true, true, true])
})
