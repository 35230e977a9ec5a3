import { PGlite } from "@electric-sql/pglite"
import { checkSchema, pgliteConnection, postgresStore, printMigrations } from "@pixcharge/store-postgres"
import { testPix } from "@pixcharge/testing"
import { storedValuesSuite } from "@pixcharge/adapter-tests/suites"
import { randomUUID } from "node:crypto"
import { afterAll, describe, expect, it } from "vitest"
import { storeHooks } from "@pixcharge/verify/postgres"
import { directorySuites } from "./directorySuites.ts"
import { eventDeliveryOn } from "./eventDeliveryOn.ts"
import { exceptionCases } from "./exceptionCases.ts"
import { storeSuites } from "./storeSuites.ts"

// All tests on PGlite are in this file, because making a PGlite takes seconds.
const pglite = await PGlite.create()
afterAll(() => pglite.close())
const db = pgliteConnection(pglite)

// All suites run on a real Postgres with the same statements. On PGlite, the gate tests only what the connection can change:
// values, failures and concurrent calls.
storedValuesSuite("PGlite", postgresStore({ db }), storeHooks(db))
directorySuites("PGlite", db)
describe("PGlite in every suite", { tags: ["long"] }, () => {
  storeSuites("PGlite", db)
  eventDeliveryOn("PGlite", db)
})
describe("payment exceptions on PGlite", () => exceptionCases(db))

it("runs the printed migrations on PGlite", async () => {
  await pglite.exec(printMigrations({ schema: "printed" }))
  await expect(checkSchema(db, { schema: "printed" })).resolves.toBeUndefined()
})

it("dates a sandbox's audit records by the sandbox's clock, in the order of the charge's story", async () => {
  await using pix = testPix({ store: postgresStore({ db }) })
  const { cnpj } = pix.company
  const ana = pix.by("ana")
  const begin = pix.clock.now()
  const minute = 60_000
  const payer = { name: "Maria das Dores", taxId: "52998224725" }
  const { id } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1_990, payer })
  await pix.simulatePayment(cnpj, id)
  for (const [key, by] of Object.entries({ a: "1 minute", b: "40 days" } as const)) {
    await pix.clock.advance(by)
    await ana.refundPart(cnpj, id, { key, amountCents: 90 })
  }
  await pix.clock.advance("1 minute")
  await ana.payers.export(cnpj, payer.taxId)
  await pix.clock.advance("1 minute")
  await ana.payers.erase(cnpj, payer.taxId)
  const { items, cursor } = await pix.audit.list(cnpj, {}, { limit: 2 })
  expect(items.map(({ at, change }) => [change, at - begin])).toEqual([
    [{ kind: "payerErased", charges: 1, oldestChargeId: id }, 40 * 1_440 * minute + 3 * minute],
    [{ kind: "payerExported", charges: 1 }, 40 * 1_440 * minute + 2 * minute],
  ])
  const rest = await pix.audit.list(cnpj, {}, { limit: 2, ...(cursor !== undefined && { cursor }) })
  expect(rest.items.map(({ at }) => at - begin)).toEqual([40 * 1_440 * minute + minute, minute])
  const period = { from: begin, until: begin + 1_440 * minute }
  const early = await pix.audit.list(cnpj, { period })
  expect(early.items.map(({ at, change }) => [change.kind, at - begin])).toEqual([["partialRefundRequested", minute]])
  const { entries } = await pix.story(cnpj, id)
  const when = (wanted: string) => entries.flatMap(({ kind, at }) => (kind === wanted ? [at - begin] : []))
  expect(when("audit")).toEqual(when("partialRefund"))
})
