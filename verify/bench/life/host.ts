// The hosts whose processor time is counted: Hono, Postgres, API Pix over mutual TLS, signed events and payers' pages, as in
// production. They run in their own process, and messages set their time.
import { createAdaptorServer } from "@hono/node-server"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { createPix, type Pix } from "@pixcharge/embed"
import { pixRoutes } from "@pixcharge/hono"
import { type ApiPix, apiPix } from "@pixcharge/processor-api-pix"
import { postgresDirectory, postgresStore } from "@pixcharge/store-postgres"
import { Hono } from "hono"
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import pg from "pg"
import { companies } from "../../world/companies.ts"
import { countingClient } from "../../world/countingClient.ts"
import { EventReceiver } from "../../world/EventReceiver.ts"
import type { Identity } from "../../world/makeAuthority.ts"
import type { Certificates } from "../../world/makeCertificates.ts"
import { serveOrders } from "../../world/Worker.ts"

interface HostSetting {
  readonly databaseUrl: string
  readonly bankUrl: string
  readonly receiverUrl: string
  readonly certificates: Certificates
}

const hosts: Array<Pix> = []
let statements = 0
let now = Date.now()
Date.now = () => now

const ring = (secret: string) => [{ kid: "1", secret: `${secret} of the run, 32 bytes or more` }] as const

const listen = async (app: Hono): Promise<string> => {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  // Longer than the pauses of clients, so no connection closes while a client reuses it.
  server.keepAliveTimeout = 60_000
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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

const openPix = ({ databaseUrl, certificates }: HostSetting, bank: ApiPix, baseUrl: string): Pix => {
  const Client = countingClient(() => statements++)
  const db = new pg.Pool({ connectionString: databaseUrl, max: 10, application_name: "pixcharge-host", Client })
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
    background: false,
  })
}

const orders = {
  start: async (setting: HostSetting, startsAt: number): Promise<string> => {
    now = startsAt
    const app = new Hono()
    const baseUrl = await listen(app)
    const bank = bankFor(setting)
    const pix = openPix(setting, bank, baseUrl)
    await pix.ready()
    app.route("/", pixRoutes(pix))
    for (const { cnpj, name, pixKey, integratorKey } of companies) {
      const callback = {
        url: setting.receiverUrl,
        secrets: [EventReceiver.secret],
        kinds: ["paid", "refunded"] as const,
      }
      await pix.directory.putCompany({ cnpj, name, city: "Recife", pixKey, integratorKey, graceDays: 5, callback })
      await bank.registerWebhook(cnpj, { pixKey, mountedAt: baseUrl, reconcile: pix.reconcile })
    }
    hosts.push(pix)
    return baseUrl
  },
  tick: async (at: number, first: number, count: number): Promise<void> => {
    now = at
    for (let which = first; which < first + count; which++)
      while ((await hosts[which % hosts.length]?.tick({ deadlineMs: 60_000 }))?.more);
  },
  statements: () => statements,
}

export type HostOrders = typeof orders

serveOrders(orders)
