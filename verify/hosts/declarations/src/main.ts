/**
 * Exports the result of each public function, as a host's module can: the compiler must be able to name each type in
 * the declaration.
 */
import { callbackFetch, guardedFetch } from "@pixcharge/callback-fetch"
import { memorySeenEvents, pixReceiver, verifyEvent } from "@pixcharge/callback-fetch/receiver"
import { checkout, qrPng, qrSvg } from "@pixcharge/checkout"
import { createClient } from "@pixcharge/client"
import { consoleFor } from "@pixcharge/console"
import { createPix, pixLayer, type SandboxOptions } from "@pixcharge/embed"
import { pixRouter } from "@pixcharge/express"
import { pixPlugin, pixRewriteUrl } from "@pixcharge/fastify"
import { pixRoutes } from "@pixcharge/hono"
import { portal } from "@pixcharge/portal"
import { apiPix, pspProfiles } from "@pixcharge/processor-api-pix"
import { sandboxBank, sandboxProcessor } from "@pixcharge/processor-sandbox"
import { startSimulatedBank } from "@pixcharge/simulated-bank"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import {
  checkSchema,
  maintenance,
  migrate,
  neonConnection,
  pgliteConnection,
  postgresDirectory,
  postgresStore,
  printMigrations,
} from "@pixcharge/store-postgres"
import { citusStore, distribute } from "@pixcharge/store-citus"
import { embeddedDatabase } from "@pixcharge/store-postgres/pglite"
import { testPix, testReceiver } from "@pixcharge/testing"
import pg from "pg"

const cnpj = "12345678000195"
const company = { cnpj, name: "Minha Loja", city: "Recife", pixKey: "loja@example.com" }
const db = new pg.Pool()

export const callbacks = callbackFetch()
export const pages = checkout({ url: "https://shop.example/payments" })
export const store = memoryStore()
export const directory = memoryDirectory({ companies: [company] })
export const onPostgres = postgresStore({ db })
export const directoryOnPostgres = postgresDirectory({
  db,
  pepper: [{ kid: "1", secret: "a pepper of at least 32 bytes, kept safe" }],
})
export const processor = sandboxProcessor()
export const sandbox = sandboxBank()
export const bank = apiPix({ companies: {} })
export const options: SandboxOptions = {
  environment: "sandbox",
  store,
  companies: [company],
  processor,
  tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
}
export const layer = pixLayer(options)
export const pix = createPix({ ...options, environment: "sandbox" })
export const operators = portal(pix, { authorize: () => undefined })
export const developers = consoleFor(pix, { company, integratorKey: "chave" })
export const router = pixRouter(pix)
export const plugin = pixPlugin(pix)
export const rewriteUrl = pixRewriteUrl()
export const routes = pixRoutes(pix)
export const handle = pix.fetchAt("/payments")
export const client = createClient({ baseUrl: "https://shop.example", cnpj, key: "chave" })
export const seen = memorySeenEvents()
export const receiver = pixReceiver({ secrets: ["whsec_"], confirm: false, onEvent: () => undefined })

// These calls are wrapped in functions, because only their return types matter and they must not run.
export const inTests = () => testPix()
export const receiverInTests = () => testReceiver()
export const simulated = () => startSimulatedBank({} as never)
export const embedded = () => embeddedDatabase("data")
export const onCitus = () => citusStore({ db })
export const distributing = () => distribute(db)
export const schema = () => checkSchema(db)
export const migrating = () => migrate(db)
export const printed = () => printMigrations()
export const upkeep = () => maintenance(db, {} as never)
export const onNeon = neonConnection
export const onPglite = pgliteConnection
export const fetching = guardedFetch
export const verifying = verifyEvent
export const drawing = { qrPng, qrSvg }
export const profiles = pspProfiles
export const issue = () => pix.issue(cnpj, { id: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c", amountCents: 1_990 })
export const find = () => pix.find(cnpj, "x")
export const charges = () => pix.charges(cnpj, { from: 0, until: 1 })
export const payments = () => pix.payments(cnpj, { from: 0, until: 1 })
export const story = () => pix.story(cnpj, "x")
export const figures = () => pix.figures(cnpj, { from: 0, until: 1 })
export const comparison = () => pix.comparison(cnpj, { from: 0, until: 1 })
export const findings = () => pix.diagnose()
export const { directory: registrations, events, exceptions, payers, recurrences, audit, tokens, clock } = pix
