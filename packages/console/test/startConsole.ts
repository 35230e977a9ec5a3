import { createAdaptorServer } from "@hono/node-server"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix, type SandboxOptions, type SandboxPix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import express from "express"
import { Hono } from "hono"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type Console, consoleFor, type ConsoleOptions } from "../src/index.ts"

const integratorKey = "chave-da-loja"

export const company = {
  cnpj: "12345678000195",
  name: "Padaria Aurora",
  city: "Recife",
  pixKey: "loja@example.com",
  integratorKey,
  graceDays: 5,
}

export const startSandbox = (options: Partial<SandboxOptions> = {}): SandboxPix =>
  createPix({
    store: memoryStore(),
    directory: memoryDirectory({ companies: [company] }),
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    ...options,
    environment: "sandbox",
    processor: sandboxProcessor(),
  })

const servers: Readonly<Record<"hono" | "express", (app: Console, prefix: string) => Server>> = {
  hono: (app, prefix) => {
    const host = new Hono()
    host.route(prefix || "/", pixRoutes(app))
    return createAdaptorServer({ fetch: host.fetch }) as Server
  },
  express: (app, prefix) => {
    const host = express()
    host.use(express.json())
    host.use(prefix || "/", pixRouter(app))
    return createServer(host)
  },
}

export interface ConsoleSetup {
  readonly binding?: keyof typeof servers
  readonly prefix?: string
  readonly options?: Partial<ConsoleOptions>
  readonly sandbox?: Partial<SandboxOptions>
}

export const startConsole = async ({ binding = "hono", prefix = "", options, sandbox }: ConsoleSetup = {}) => {
  const pix = startSandbox(sandbox)
  const app = consoleFor(pix, { company, integratorKey, ...options })
  const server = servers[binding](app, prefix)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}${prefix}`
  await app.register(url)

  const page = async (path: string): Promise<string> => (await fetch(`${url}/${path}`)).text()

  /** Sends a form with the page's hidden fields, as a browser does. */
  const send = async (path: string, fields: Record<string, string> = {}, back = "") => {
    const [, csrf = ""] = /name="csrf" value="([^"]+)"/.exec(await page("")) ?? []
    return fetch(`${url}/${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: new URL(url).origin },
      body: new URLSearchParams({ csrf, back, ...fields }),
    })
  }

  /** Sends a form, and returns the page after the redirect. */
  const act = async (path: string, fields: Record<string, string> = {}, back = ""): Promise<string> => {
    const answer = await send(path, fields, back)
    const location = answer.headers.get("location")
    if (location === null) throw new Error(`${answer.status}: ${await answer.text()}`)
    return (await fetch(new URL(location, `${url}/${path}`))).text()
  }

  return {
    pix,
    app,
    url,
    port,
    page,
    send,
    act,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await pix.dispose()
    },
  }
}

export type RunningConsole = Awaited<ReturnType<typeof startConsole>>

/** Waits until the condition is true, or until the test's time-out. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}
