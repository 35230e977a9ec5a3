// The host whose processor time is counted, as a process of its own.
import { createAdaptorServer } from "@hono/node-server"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { createPix } from "@pixcharge/embed"
import { pixRoutes } from "@pixcharge/hono"
import { apiPix } from "@pixcharge/processor-api-pix"
import { memoryDirectory } from "@pixcharge/store-memory"
import { postgresStore } from "@pixcharge/store-postgres"
import { trustedCertificate } from "@pixcharge/testkit/fixtures"
import { Hono } from "hono"
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import pg from "pg"
import { benchSecret } from "../deliveries/Contender.ts"
import { client, companies } from "./companies.ts"
import type { Order, Report, Setting } from "./Setting.ts"

const { databaseUrl, bankUrl, receiverUrl } = JSON.parse(process.argv[2] ?? "") as Setting
const { cert: ca } = trustedCertificate

const bank = apiPix({
  companies: Object.fromEntries(
    companies.map(({ cnpj }) => [cnpj, { baseUrl: bankUrl, ...client, ...trustedCertificate, ca, timeoutMs: 60_000 }]),
  ),
  noticeSecrets: ["the secret of the notices, 32 bytes or more"],
})
const db = new pg.Pool({ connectionString: databaseUrl, max: 10, idleTimeoutMillis: 0 })
// Connections that are still ending when the server stops.
db.on("error", () => {})
const pix = createPix({
  environment: "production",
  store: postgresStore({ db }),
  directory: memoryDirectory({
    companies: companies.map((company) => ({
      ...company,
      name: "Loja",
      city: "Recife",
      graceDays: 5,
      callback: { url: `${receiverUrl}/${company.cnpj}`, secrets: [benchSecret], kinds: ["paid"] },
    })),
  }),
  processor: bank.processor,
  notices: bank.notices,
  callbacks: callbackFetch({ allowPrivateNetworks: true, ports: "any" }),
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  // Each step is asked for, so that none is counted with another.
  background: false,
})

const report = (message: Report): void => void process.send?.(message)

const tick = async (): Promise<void> => {
  while ((await pix.tick({ deadlineMs: 60_000 })).more);
}

process.on("message", (_: Order) => {
  tick().then(
    () => report({ _tag: "Done" }),
    (error: unknown) => report({ _tag: "Failed", reason: String(error) }),
  )
})
process.on("disconnect", () => process.exit())

await pix.ready()
const server = createAdaptorServer({ fetch: new Hono().route("/", pixRoutes(pix)).fetch }) as Server
// So that none closes while a client begins to use it again.
server.keepAliveTimeout = 60_000
await once(server.listen(0, "127.0.0.1"), "listening")
const { port } = server.address() as AddressInfo
for (const { cnpj, pixKey } of companies) {
  const { reconcile } = pix
  await bank.registerWebhook(cnpj, { pixKey, mountedAt: `http://127.0.0.1:${port}`, reconcile })
}
report({ _tag: "Ready", port })
