import { createAdaptorServer } from "@hono/node-server"
import { pixRouter } from "@pixcharge/express"
import { pixPlugin } from "@pixcharge/fastify"
import { pixRoutes } from "@pixcharge/hono"
import { fetchHandler, type Responder } from "@pixcharge/http"
import express from "express"
import Fastify from "fastify"
import { Hono } from "hono"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** Mounts the routes at `/pay`, and returns the mount's address. */
export type Binding = (responder: Responder) => Promise<string>

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`
}

const byExpress: Binding = (responder) => listening(createServer(express().use("/pay", pixRouter(responder))))

const byFastify: Binding = async (responder) => {
  const app = Fastify({ forceCloseConnections: true })
  app.register(pixPlugin(responder), { prefix: "/pay" })
  onTestFinished(() => app.close())
  return `${await app.listen({ port: 0, host: "127.0.0.1" })}/pay`
}

const byHono: Binding = (responder) => {
  const app = new Hono().route("/pay", pixRoutes(responder))
  return listening(createAdaptorServer({ fetch: app.fetch }) as Server)
}

const byFetch: Binding = (responder) =>
  listening(createAdaptorServer({ fetch: fetchHandler(responder, "/pay") }) as Server)

export const bindings: ReadonlyArray<readonly [string, Binding]> = [
  ["Express", byExpress],
  ["Fastify", byFastify],
  ["Hono", byHono],
  ["fetch", byFetch],
]

export { byExpress }
