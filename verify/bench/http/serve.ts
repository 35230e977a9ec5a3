// A measured server. It runs in its own process.
import { createAdaptorServer } from "@hono/node-server"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory } from "@pixcharge/store-memory"
import { postgresStore } from "@pixcharge/store-postgres"
import express, { type Express } from "express"
import { Hono } from "hono"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import pg from "pg"
import { serveOrders } from "../../world/Worker.ts"
import { expressByHand, honoByHand, makeBare, makeByHand, tokenByHand } from "./byHand.ts"
import { makeTunedByHand } from "./tunedByHand.ts"

const cnpj = "12345678000195"
const integratorKey = "chave do banco de provas"

const makePix = (connectionString: string) =>
  createPix({
    environment: "sandbox",
    store: postgresStore({ db: new pg.Pool({ connectionString, max: 10 }) }),
    directory: memoryDirectory({
      companies: [{ cnpj, name: "Empresa", city: "Brasília", pixKey: "a@example.com", integratorKey, graceDays: 5 }],
    }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    // Checks of unpaid charges would fall into the turns of others.
    background: false,
  })

const requestToken = async (pix: ReturnType<typeof makePix>): Promise<string> => {
  const secret = Buffer.from(`${cnpj}|${integratorKey}`).toString("base64url")
  const answer = await pix.fetch(new Request(`http://localhost/api/token/${secret}`))
  return ((await answer.json()) as { data: string }).data
}

interface Made {
  readonly app: Express | Hono
  readonly token: string
}

const withPix = async (databaseUrl: string, makeApp: (pix: ReturnType<typeof makePix>) => Made["app"]) => {
  const pix = makePix(databaseUrl)
  return { app: makeApp(pix), token: await requestToken(pix) }
}

const byHand = async (app: Made["app"]): Promise<Made> => ({ app, token: await tokenByHand(cnpj) })

const variants = {
  express: (databaseUrl) => withPix(databaseUrl, (pix) => express().use(pixRouter(pix))),
  expressByHand: async (databaseUrl) => byHand(expressByHand(await makeByHand(databaseUrl))),
  expressTuned: async (databaseUrl) => byHand(expressByHand(await makeTunedByHand(databaseUrl))),
  expressBare: async (databaseUrl) => byHand(expressByHand(await makeBare(databaseUrl, cnpj))),
  hono: (databaseUrl) => withPix(databaseUrl, (pix) => new Hono().route("/", pixRoutes(pix))),
  honoByHand: async (databaseUrl) => byHand(honoByHand(await makeByHand(databaseUrl))),
  honoTuned: async (databaseUrl) => byHand(honoByHand(await makeTunedByHand(databaseUrl))),
  honoBare: async (databaseUrl) => byHand(honoByHand(await makeBare(databaseUrl, cnpj))),
} as const satisfies Readonly<Record<string, (databaseUrl: string) => Promise<Made>>>

export type Variant = keyof typeof variants

const orders = {
  start: async (variant: Variant, databaseUrl: string) => {
    const { app, token } = await variants[variant](databaseUrl)
    const server = app instanceof Hono ? (createAdaptorServer({ fetch: app.fetch }) as Server) : createServer(app)
    await once(server.listen(0, "127.0.0.1"), "listening")
    return { port: (server.address() as AddressInfo).port, token }
  },
}

export type ServerOrders = typeof orders

serveOrders(orders)
