import { createAdaptorServer } from "@hono/node-server"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { createPix, type HostOptions, type Pix } from "@pixcharge/embed"
import { pixRoutes } from "@pixcharge/hono"
import { type ApiPix, apiPix } from "@pixcharge/processor-api-pix"
import { postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import { Hono } from "hono"
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import pg from "pg"
import { companies } from "./companies.ts"
import { EventReceiver } from "./EventReceiver.ts"
import type { Identity } from "./makeAuthority.ts"
import type { Certificates } from "./makeCertificates.ts"

export interface HostSetting {
  readonly databaseUrl: string
  readonly bankUrl: string
  readonly receiverUrl: string
  readonly certificates: Certificates
  /** If false, the host does due work only when told by `tick`. By default it does so by itself. */
  readonly background?: false
  readonly log?: (message: string) => void
  readonly onRequest?: () => void
}

export interface StartedHost {
  readonly baseUrl: string
  readonly pix: Pix
}

/** The name of the host's connections in the database. */
export const applicationName = "pixcharge-host"

const ring = (secret: string) => [{ kid: "1", secret: `${secret} of the run, 32 bytes or more` }] as const
const linkMs = 86_400_000

const listen = async (app: Hono): Promise<string> => {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  // Longer than the pauses of clients, so no connection closes while a client reuses it.
  server.keepAliveTimeout = 60_000
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const makeLogger = (log: (message: string) => void): NonNullable<HostOptions["logger"]> => {
  const tell = (_facts: unknown, message: string): void => log(message)
  return { debug: () => undefined, info: () => undefined, warn: tell, error: tell }
}

const bankFor = ({ bankUrl: baseUrl, certificates: { ca, clients } }: HostSetting): ApiPix =>
  apiPix({
    companies: Object.fromEntries(
      companies.map(({ cnpj, clientId, clientSecret }) => [
        cnpj,
        { baseUrl, ca, clientId, clientSecret, ...(clients[clientId] as Identity) },
      ]),
    ),
    noticeSecrets: ["the secret of the run's notices, 32 bytes or more"],
  })

const openPix = (setting: HostSetting, bank: ApiPix, baseUrl: string): Pix => {
  const { databaseUrl: connectionString, certificates, background, log = () => undefined } = setting
  const db = new pg.Pool({ connectionString, max: 10, application_name: applicationName })
  // The pool replaces a broken idle connection at its next use.
  db.on("error", () => undefined)
  return createPix({
    environment: "production",
    store: postgresStore({ db }),
    directory: postgresDirectory({ db, pepper: ring("the pepper"), sealingKey: ring("the sealing key") }),
    processor: bank.processor,
    notices: bank.notices,
    callbacks: callbackFetch({ ca: certificates.ca, allowPrivateNetworks: true, ports: "any" }),
    checkout: checkout({ url: baseUrl }),
    tokens: { keys: ring("the key of tokens") },
    logger: makeLogger(log),
    ...(background === false && { background }),
  })
}

/** Starts a host as in production: Hono, Postgres, API Pix over mutual TLS, signed events and payers' pages. */
export const startHost = async (setting: HostSetting): Promise<StartedHost> => {
  const app = new Hono()
  const baseUrl = await listen(app)
  const bank = bankFor(setting)
  const pix = openPix(setting, bank, baseUrl)
  await pix.ready()
  const { onRequest, receiverUrl } = setting
  if (onRequest !== undefined) app.use((_, next) => (onRequest(), next()))
  app.get("/loja/:cnpj/:id", async (context) => {
    const { cnpj, id } = context.req.param()
    return context.text(await pix.checkout.link(cnpj, id, { expiresAt: pix.clock.now() + linkMs }))
  })
  app.onError((_, context) => context.text("", 503))
  app.route("/", pixRoutes(pix))
  for (const { cnpj, name, pixKey, integratorKey } of companies) {
    const callback = { url: receiverUrl, secrets: [EventReceiver.secret], kinds: ["paid", "refunded"] as const }
    await pix.directory.putCompany({ cnpj, name, city: "Recife", pixKey, integratorKey, graceDays: 5, callback })
    await bank.registerWebhook(cnpj, { pixKey, mountedAt: baseUrl, reconcile: pix.reconcile })
  }
  return { baseUrl, pix }
}
