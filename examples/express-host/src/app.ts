import { callbackFetch } from "@pixcharge/callback-fetch"
import { checkout } from "@pixcharge/checkout"
import { type CompanyInput, createPix, type SandboxPix } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { postgresStore } from "@pixcharge/store-postgres"
import express, { type Express } from "express"
import { answerError } from "./answerError.ts"
import { buyerRoutes } from "./buyerRoutes.ts"
import { clubRoutes } from "./clubRoutes.ts"
import { type Database, openDatabase } from "./database.ts"
import { operatorRoutes } from "./operatorRoutes.ts"
import { sandboxRoutes } from "./sandboxRoutes.ts"
import { takenKinds, takeEvent } from "./takeEvent.ts"
import { createTables } from "./tables.ts"
import { warehouse } from "./warehouse.ts"

/** The settings of one environment. All its processes share the secrets. */
export interface Settings {
  /** The shop's address for buyers, such as `https://shop.example`. */
  readonly url: string
  /** A Postgres URL, or empty for the embedded database. */
  readonly databaseUrl: string
  /** Signs tokens and the links of payers' pages: 32 bytes or more. */
  readonly tokenSecret: string
  /** Signs events: `whsec_` and 24 to 64 bytes in Base64. */
  readonly callbackSecret: string
  /** The key of the company's apps for token requests. */
  readonly integratorKey: string
  /** The operator's key for refunds. */
  readonly operatorKey: string
}

/** The selling company. Its warehouse, another app, gets its events. */
export const describeCompany = ({ url, integratorKey, callbackSecret }: Settings): CompanyInput => ({
  cnpj: "12345678000195",
  name: "Minha Loja",
  city: "Recife",
  pixKey: "loja@example.com",
  integratorKey,
  callback: { url: `${url}/warehouse/events`, secrets: [callbackSecret], kinds: ["paid", "refunded"] },
})

/** Opens the shop: its database, its tables, its pixcharge, its routes. Call `close` after the last use. */
export const openShop = async (settings: Settings) => {
  const database = await openDatabase(settings.databaseUrl)
  await createTables(database)

  const pix: SandboxPix = createPix({
    environment: "sandbox",
    store: postgresStore({ db: database.db }),
    companies: [describeCompany(settings)],
    // Moves no money. In production: `apiPix`, with the bank's credentials.
    processor: sandboxProcessor(),
    checkout: checkout({ url: `${settings.url}/payments` }),
    // The warehouse is on this machine. In production: `callbackFetch()`, which only calls public addresses by https.
    callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" }),
    tokens: { keys: [{ kid: "1", secret: settings.tokenSecret }] },
    // More than the default: the shop hears how each charge ends.
    events: takenKinds,
    recurrences: true,
    // Called at least once for each event, and again if it throws.
    onEvent: (event) => takeEvent(database, pix, event),
  })
  await pix.ready()

  const close = async (): Promise<void> => {
    await pix.dispose()
    await database.close()
  }
  return { app: mountShop(settings, database, pix), pix, close }
}

/** The shop's routes. Tests pass the `pix` of `@pixcharge/testing`. */
export const mountShop = (settings: Settings, database: Database, pix: SandboxPix): Express => {
  const { integratorKey, callbackSecret, operatorKey } = settings
  const { cnpj } = describeCompany(settings)
  const pixUrl = `${settings.url}/payments`
  const app = express()
  app.disable("x-powered-by")
  // This route precedes the body parsers, because a signature covers the bytes that were sent.
  app.post("/warehouse/events", warehouse(database, { pixUrl, integratorKey, callbackSecret }))
  app.use(express.json(), express.urlencoded())
  // The contract's routes, and payers' pages.
  app.use("/payments", pixRouter(pix))
  app.use("/operator", operatorRoutes(pix, database.query, cnpj, operatorKey))
  app.use(buyerRoutes(pix, database, cnpj), clubRoutes(pix, cnpj))
  app.use(sandboxRoutes(pix, database.query, cnpj))
  // Express's default 404 repeats the path, which can contain a secret.
  app.use((_request, response) => void response.status(404).json({ error: "no such page" }))
  app.use(answerError)
  return app
}
