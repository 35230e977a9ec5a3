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
import { applicationName, callbackSecret, clientOf, companies } from "../companies.ts"
import type { Identity } from "../../world/makeAuthority.ts"
import type { Certificates } from "../makeCertificates.ts"
import { type Leak, plantLeaks } from "./plantLeak.ts"

/** What a host is started with. */
export interface HostSetting {
  readonly databaseUrl: string
  readonly bankUrl: string
  readonly receiverUrl: string
  readonly certificates: Certificates
  readonly planted: ReadonlyArray<Leak>
}

/** A host that serves. */
export interface StartedHost {
  readonly baseUrl: string
  /** How often each warning and error was logged. */
  readonly logged: Readonly<Record<string, number>>
}

const ring = (secret: string) => [{ kid: "1", secret: `${secret} of the run, 32 bytes or more` }] as const
const linkMs = 86_400_000

const listen = async (app: Hono): Promise<string> => {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const makeLogger = (logged: Record<string, number>): NonNullable<HostOptions["logger"]> => {
  const count = (_facts: unknown, message: string): void => {
    logged[message] = (logged[message] ?? 0) + 1
  }
  return { debug: () => undefined, info: () => undefined, warn: count, error: count }
}

const bankFor = ({ bankUrl: baseUrl, certificates: { ca, clients } }: HostSetting): ApiPix =>
  apiPix({
    companies: Object.fromEntries(
      companies.map((one) => {
        const client = clientOf(one)
        return [one.cnpj, { baseUrl, ca, ...client, ...(clients[client.clientId] as Identity) }]
      }),
    ),
    noticeSecrets: ["the secret of the run's notices, 32 bytes or more"],
  })

const openPix = (
  { databaseUrl: connectionString }: HostSetting,
  bank: ApiPix,
  baseUrl: string,
  logger: ReturnType<typeof makeLogger>,
): Pix => {
  const db = new pg.Pool({ connectionString, max: 10, application_name: applicationName })
  // An idle connection that breaks is replaced at the next use.
  db.on("error", () => undefined)
  const pepper = ring("the pepper")
  return createPix({
    environment: "production",
    store: postgresStore({ db }),
    directory: postgresDirectory({ db, pepper, sealingKey: ring("the sealing key") }),
    processor: bank.processor,
    notices: bank.notices,
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    checkout: checkout({ url: baseUrl }),
    tokens: { keys: ring("the key of tokens") },
    logger,
  })
}

/** A host in production as its maker would write it: Hono, Postgres, API Pix over mutual TLS, and payers' pages. */
export const startHost = async (setting: HostSetting): Promise<StartedHost> => {
  const app = new Hono()
  const baseUrl = await listen(app)
  const logged: Record<string, number> = {}
  const bank = bankFor(setting)
  const pix = openPix(setting, bank, baseUrl, makeLogger(logged))
  await pix.ready()
  const leak = plantLeaks(setting.planted, setting.databaseUrl)
  if (setting.planted.length > 0) app.use((_, next) => (leak(), next()))
  app.get("/loja/:cnpj/:id", async (context) => {
    const { cnpj, id } = context.req.param()
    return context.text(await pix.checkout.link(cnpj, id, { expiresAt: pix.clock.now() + linkMs }))
  })
  app.onError((_, context) => context.text("", 503))
  app.route("/", pixRoutes(pix))
  for (const { cnpj, name, pixKey, integratorKey } of companies) {
    const callback = { url: setting.receiverUrl, secrets: [callbackSecret], kinds: ["paid", "refunded"] as const }
    await pix.directory.putCompany({ cnpj, name, city: "Recife", pixKey, integratorKey, graceDays: 5, callback })
    await bank.registerWebhook(cnpj, { pixKey, mountedAt: baseUrl, reconcile: pix.reconcile })
  }
  return { baseUrl, logged }
}
