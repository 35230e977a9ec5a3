import { serve as serveHono } from "@hono/node-server"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { postgresStore } from "@pixcharge/store-postgres"
import express, { type Express } from "express"
import { Hono } from "hono"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import pg from "pg"
import { bareExpress, bareHono, expressByHand, honoByHand, makeByHand, tokenByHand } from "./byHand.ts"

/** A server of one kind, in a process of its own: what it costs is its process's time. */
export type Variant = "bareExpress" | "bareHono" | "expressByHand" | "honoByHand" | "express" | "hono"

/** The messages of the process: one once it listens, one each time it is asked. */
export type Report =
  | { readonly _tag: "Ready"; readonly port: number; readonly token: string }
  | { readonly _tag: "Cpu"; readonly microseconds: number }

const cnpj = "12345678000195"
const key = "chave do banco de provas"

const company = { cnpj, name: "Empresa", city: "Brasília", pixKey: "a@example.com", integratorKey: key, graceDays: 5 }

/** Ours: in Postgres as its users run it, or in memory, which shows what everything else costs. */
const makePix = (databaseUrl: string) =>
  createPix({
    environment: "sandbox",
    store:
      databaseUrl === "memory:"
        ? memoryStore()
        : postgresStore({ db: new pg.Pool({ connectionString: databaseUrl, max: 10 }) }),
    directory: memoryDirectory({ companies: [company] }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })

const listenExpress = (app: Express): Server => createServer(app).listen(0, "127.0.0.1")
const listenHono = (app: Hono): Server => serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server

const start = async (variant: Variant, databaseUrl: string): Promise<{ server: Server; token: string }> => {
  switch (variant) {
    case "bareExpress":
      return { server: listenExpress(bareExpress()), token: await tokenByHand(cnpj) }
    case "bareHono":
      return { server: listenHono(bareHono()), token: await tokenByHand(cnpj) }
    case "expressByHand":
      return { server: listenExpress(expressByHand(await makeByHand(databaseUrl))), token: await tokenByHand(cnpj) }
    case "honoByHand":
      return { server: listenHono(honoByHand(await makeByHand(databaseUrl))), token: await tokenByHand(cnpj) }
    case "express": {
      const pix = await makePix(databaseUrl)
      return { server: listenExpress(express().use(pixRouter(pix))), token: await requestToken(pix) }
    }
    case "hono": {
      const pix = await makePix(databaseUrl)
      return { server: listenHono(new Hono().route("/", pixRoutes(pix))), token: await requestToken(pix) }
    }
  }
}

const requestToken = async (pix: Awaited<ReturnType<typeof makePix>>): Promise<string> => {
  const secret = Buffer.from(`${cnpj}|${key}`).toString("base64url")
  const answer = await pix.fetch(new Request(`http://localhost/api/token/${secret}`))
  return ((await answer.json()) as { data: string }).data
}

const report = (message: Report): void => void process.send?.(message)

const [variant, databaseUrl] = process.argv.slice(2)
const { server, token } = await start(variant as Variant, databaseUrl ?? "")
if (!server.listening) await new Promise((resolve) => server.once("listening", resolve))
process.on("message", () => {
  const { user, system } = process.cpuUsage()
  report({ _tag: "Cpu", microseconds: user + system })
})
process.on("disconnect", () => process.exit())
report({ _tag: "Ready", port: (server.address() as AddressInfo).port, token })
