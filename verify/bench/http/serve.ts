// A measured server, in its own process.
import { createAdaptorServer } from "@hono/node-server"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import { postgresStore } from "@pixcharge/store-postgres"
import express from "express"
import { Hono } from "hono"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import pg from "pg"
import { cnpj, openSandbox, requestToken } from "../../world/sandbox.ts"
import { serveOrders } from "../../world/Worker.ts"
import { expressByHand, honoByHand, makeBare, makeByHand, type MakeService, tokenByHand } from "./byHand.ts"
import { makeTunedByHand } from "./tunedByHand.ts"

const services = { byHand: makeByHand, tuned: makeTunedByHand, bare: makeBare } satisfies Record<string, MakeService>

/** Who wrote the service: this package, or an engineer by hand. */
export type Writer = "ours" | keyof typeof services
export type Framework = "express" | "hono"

const makeApp = async (framework: Framework, writer: Writer, databaseUrl: string) => {
  const isExpress = framework === "express"
  if (writer !== "ours") {
    const service = await services[writer](databaseUrl, cnpj)
    return { app: isExpress ? expressByHand(service) : honoByHand(service), token: await tokenByHand(cnpj) }
  }
  const db = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  // Checks of unpaid charges would fall into the turns of others.
  const pix = openSandbox(postgresStore({ db }), { background: false })
  const app = isExpress ? express().use(pixRouter(pix)) : new Hono().route("/", pixRoutes(pix))
  return { app, token: await requestToken(pix) }
}

const orders = {
  start: async (framework: Framework, writer: Writer, databaseUrl: string) => {
    const { app, token } = await makeApp(framework, writer, databaseUrl)
    const server = app instanceof Hono ? (createAdaptorServer({ fetch: app.fetch }) as Server) : createServer(app)
    await once(server.listen(0, "127.0.0.1"), "listening")
    return { port: (server.address() as AddressInfo).port, token }
  },
}

export type ServerOrders = typeof orders

serveOrders(orders)
