import { serve } from "@hono/node-server"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import express from "express"
import { Hono } from "hono"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"

export interface Mounted {
  readonly baseUrl: string
  readonly close: () => Promise<void>
}

const prefix = "/v1/cobrancas"

const listening = async (server: Server): Promise<Mounted> => {
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${prefix}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Express mounts the routes after the host's own body parser. */
export const mounts = {
  Express: (pix: Responder) =>
    listening(createServer(express().use(express.json()).use(prefix, pixRouter(pix))).listen(0, "127.0.0.1")),
  Hono: (pix: Responder) =>
    listening(
      serve({ fetch: new Hono().route(prefix, pixRoutes(pix)).fetch, port: 0, hostname: "127.0.0.1" }) as Server,
    ),
}
