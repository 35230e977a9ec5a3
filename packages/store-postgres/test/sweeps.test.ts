import { anotherCnpj, aPendingCharge, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"

const pool = await realPostgres()
const day = 86_400_000
const leaseMs = 300_000
const now = fixtureNow + 10 * day
const at = (millis: number) => `to_timestamp(${millis / 1_000})`

it("checks that only wake a company don't count against a claim's limit", async () => {
  const { checks, store } = await openStore({ db: pool, schema: "many" })
  const first = Array.from({ length: 40 }, () => aPendingCharge({ checkAt: now - 9, lookUpAt: now + day }))
  const due = aPendingCharge({ issuer: anotherCnpj, checkAt: now })
  await run(Effect.forEach([...first, due], store.insert))
  expect(await run(checks.claimCharges({ now, limit: 1, leaseMs }))).toMatchObject([{ id: due.id }])
  const putOff = `SELECT 1 FROM many.charges WHERE look_up_at IS NULL AND check_at = ${at(now + day)}`
  expect((await pool.query(putOff)).rows).toHaveLength(40)
})
