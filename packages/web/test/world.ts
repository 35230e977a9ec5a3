import { createAdaptorServer } from "@hono/node-server"
import type { Exchange } from "@pixcharge/core"
import { pixRouter } from "@pixcharge/express"
import { pixPlugin } from "@pixcharge/fastify"
import { pixRoutes } from "@pixcharge/hono"
import { fetchHandler, type Responder } from "@pixcharge/http"
import { get, html, type PageFailure, pageReply, post, type WebApp, webApp } from "@pixcharge/web"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** Starts the server until the test ends. Returns its origin. */
export const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const expressServer = (app: Responder, prefix: string): Server =>
  createServer(express().use(prefix || "/", pixRouter(app)) as RequestListener)

/** Makes a server with an app below a prefix, which can be empty, by the name of its framework. */
export const mounts: Readonly<Record<string, (app: Responder, prefix: string) => Promise<Server> | Server>> = {
  express: expressServer,
  "express after its own parser of forms": (app, prefix) =>
    createServer(
      express()
        .use(express.urlencoded({ extended: true, limit: "60kb" }))
        .use(prefix || "/", pixRouter(app)) as RequestListener,
    ),
  fastify: async (app, prefix) => {
    const host = fastify()
    await host.register(pixPlugin(app), { prefix })
    await host.ready()
    return host.server
  },
  hono: (app, prefix) =>
    createAdaptorServer({ fetch: new Hono().route(prefix || "/", pixRoutes(app)).fetch }) as Server,
  fetch: (app, prefix) => createAdaptorServer({ fetch: fetchHandler(app, prefix || "/") }) as Server,
}

const body = (root: string, text: string) =>
  html`<main>
    <p id="root">${root}</p>
    <p id="text">${text}</p>
  </main>`

export const failurePage = ({ status }: PageFailure, { root }: { readonly root: string }) =>
  pageReply({ title: "Failure", lang: "en", root, status, body: body(root, `failed with ${status}`) })

export const canary = "the payer's name"

/** An app whose pages show the arguments of their handlers. */
export const testApp = (over: Partial<WebApp> = {}): Responder => {
  const page = (root: string, text: string) => pageReply({ title: text, lang: "en", root, body: body(root, text) })
  return webApp({
    failurePage,
    routes: [
      get("/", ({ root }) => page(root, "home")),
      get("/charges", ({ root, query }) => page(root, `charges of ${query.get("of") ?? "all"}`)),
      get("/charges/new", ({ root }) => page(root, "new")),
      get("/charges/:id", ({ root, params }) => page(root, `charge ${params.id}`)),
      get("/charges/:id/parts/:part", ({ root, params }) => page(root, `${params.id} ${params.part}`)),
      post("/charges/:id", async ({ root, params, form }) =>
        page(root, `${params.id} ${JSON.stringify(await form())}`),
      ),
      post("/done", ({ root }) => page(root, "done")),
      get("/broken", () => {
        throw new TypeError(canary)
      }),
      get("/later", () => Promise.reject(new TypeError(canary))),
      get("/open", () => ({ status: 200, headers: { "cross-origin-resource-policy": "cross-origin" }, body: "" })),
    ],
    ...over,
  })
}

export const serve = async (
  app: Responder,
  prefix = "",
  mount: (typeof mounts)[string] = expressServer,
): Promise<(path: string, init?: RequestInit) => Promise<Response>> => {
  const origin = await listen(await mount(app, prefix))
  return (path, init) => fetch(`${origin}${prefix}${path}`, { redirect: "manual", ...init })
}

export const shown = async (response: Response) => {
  const text = await response.text()
  const [, root, value] = /<p id="root">(.*?)<\/p>\s*<p id="text">(.*?)<\/p>/s.exec(text) ?? []
  return { status: response.status, root, text: value }
}

export const makeExchange = (
  method: string,
  url: string,
  fullUrl = url,
  headers: Readonly<Record<string, string>> = {},
): Exchange => ({
  method,
  url,
  fullUrl,
  header: (name) => headers[name],
  body: () => Promise.resolve({ _tag: "Unreadable" }),
  signal: new AbortController().signal,
})
