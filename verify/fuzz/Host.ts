import { createAdaptorServer } from "@hono/node-server"
import { CallbackDelivery, type StorePorts } from "@pixcharge/core"
import { pixLayer } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import { PixHttp, type Responder } from "@pixcharge/http"
import { apiPix } from "@pixcharge/processor-api-pix"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import express, { type ErrorRequestHandler, type Express } from "express"
import { Hono } from "hono"
import { createServer, type Server } from "node:http"
import { mountServer } from "@pixcharge/adapter-tests/conformance"
import type { Evidence } from "./Evidence.ts"
import { makeBank } from "./Bank.ts"
import { type MountName, type mountNames, production } from "./FuzzRequest.ts"
import { noticeSecret, signingSecret, tenants } from "./tenants.ts"

export const hostHeader = "x-host"

export interface Host {
  readonly urls: Readonly<Record<MountName, string>>
  readonly noticesPath: string
  readonly readMetrics: () => void
  readonly close: () => Promise<void>
}

const directory = () =>
  memoryDirectory({
    companies: tenants.map(({ cnpj, key, company }) => ({ ...company, cnpj, integratorKey: key, graceDays: 3 })),
  })

const common = (store: Layer.Layer<StorePorts, unknown>) => ({
  store,
  directory: directory(),
  callbacks: Layer.succeed(CallbackDelivery, { deliver: () => Effect.die("no endpoint has a URL") }),
  onEvent: () => Promise.resolve(),
  tokens: { keys: [{ kid: "1", secret: signingSecret }] as const },
})

const open = async (pix: Layer.Layer<PixHttp, unknown>, scope: Scope.Scope, { logger, tracer }: Evidence) => {
  const watched = Layer.provideMerge(pix, Layer.merge(Logger.layer([logger]), Layer.succeed(Tracer.Tracer, tracer)))
  const context = await Effect.runPromise(Layer.buildWithScope(watched, scope))
  const http = Context.get(context, PixHttp)
  const run = Effect.runPromiseWith(context)
  const responder: Responder = {
    respond: (exchange) => {
      const reply = http.respond(exchange)
      return reply && run(reply)
    },
  }
  return { context, responder }
}

const openBank = async () => {
  const bank = makeBank()
  const [{ cnpj, company }] = tenants
  const connection = { baseUrl: "https://bank.invalid", clientId: "c", clientSecret: "s", fetch: bank.fetch }
  const { processor, notices, registerWebhook } = apiPix({
    companies: { [cnpj]: connection },
    noticeSecrets: [noticeSecret],
  })
  const mountedAt = "https://shop.invalid"
  await registerWebhook(cnpj, { pixKey: company.pixKey, mountedAt, reconcile: () => Promise.resolve() })
  return { pix: { processor, notices }, noticesPath: bank.webhookPaths[0] ?? "" }
}

const reportError: ErrorRequestHandler = (error, _request, response, _next) => {
  response
    .status(error.status ?? 500)
    .set(hostHeader, "1")
    .send("host")
}

const expressServer = (app: Express): Server =>
  createServer(app.use((_, response) => void response.status(404).set(hostHeader, "1").send("host")).use(reportError))

const honoServer = (app: Hono): Server => {
  app.notFound((context) => context.text("host", 404, { [hostHeader]: "1" }))
  return createAdaptorServer({ fetch: app.fetch }) as Server
}

const prefix = "/v1/cobrancas"

const servers: Readonly<Record<(typeof mountNames)[number], (pix: Responder) => readonly [Server, prefix: string]>> = {
  express: (pix) => [expressServer(express().use(pixRouter(pix))), ""],
  expressAfterJson: (pix) => [expressServer(express().use(express.json()).use(pixRouter(pix))), ""],
  hono: (pix) => [honoServer(new Hono().route("/", pixRoutes(pix))), ""],
  honoUnderPrefix: (pix) => [honoServer(new Hono().route(prefix, pixRoutes(pix))), prefix],
}

export const startHost = async (store: Layer.Layer<StorePorts, unknown>, evidence: Evidence): Promise<Host> => {
  const scope = Scope.makeUnsafe()
  const sandbox = pixLayer({ environment: "sandbox", processor: sandboxProcessor(), ...common(store) })
  const { context, responder } = await open(sandbox, scope, evidence)
  const { pix, noticesPath } = await openBank()
  const real = await open(
    pixLayer({ environment: "production", ...pix, ...common(memoryStore({ inProduction: true })) }),
    scope,
    evidence,
  )
  const started = await Promise.all([
    ...Object.entries(servers).map(
      async ([name, make]) => [name, await mountServer(...make(responder), false)] as const,
    ),
    mountServer(...servers.express(real.responder), false).then((one) => [production, one] as const),
  ])
  return {
    urls: Object.fromEntries(started.map(([name, { baseUrl }]) => [name, baseUrl])) as Host["urls"],
    noticesPath,
    readMetrics: () => evidence.readMetrics(context),
    close: async () => {
      await Promise.all(started.map(([, { close }]) => close()))
      await Effect.runPromise(Scope.close(scope, Exit.void))
    },
  }
}
