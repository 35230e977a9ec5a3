import { pixRouter } from "@pixcharge/express"
import { fetchHandler, type Responder } from "@pixcharge/http"
import { createAdaptorServer } from "@hono/node-server"
import express from "express"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** The ways to mount the portal, each under a different prefix. */
export const mounts = {
  express: (app: Responder) => ({
    prefix: "/portal",
    server: createServer(
      express()
        .use(express.urlencoded({ extended: false }))
        .use("/portal", pixRouter(app)),
    ),
  }),
  fetch: (app: Responder) => ({
    prefix: "/admin/pix",
    server: createAdaptorServer({ fetch: fetchHandler(app, "/admin/pix") }) as Server,
  }),
}

export type MountName = keyof typeof mounts

/** Serves the portal, and returns the address of its root without a trailing slash. */
export const serveApp = async (name: MountName, app: Responder): Promise<string> => {
  const { prefix, server } = mounts[name](app)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`
}
