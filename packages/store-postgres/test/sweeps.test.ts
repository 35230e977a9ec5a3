import { migrate, printMigrations } from "@pixcharge/store-postgres"
import { aCnpj, anotherCnpj, aPendingCharge, fixtureNow } from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { openStore, run } from "./openStore.ts"
import { realPostgres } from "./realPostgres.ts"

const pool = await realPostgres()
const day = 86_400_000
const leaseMs = 300_000
const now = fixtureNow + 10 * day
const at = (millis: number) => `to_timestamp(${millis / 1_000})`

/** What the release before leaves: a company whose payments it lists, and a charge that it checks. */
const olderSchema = async (schema: string) => {
  const script = printMigrations({ schema })
  await pool.query(`${script.slice(0, script.indexOf("-- 14: "))}COMMIT`)
  const charge = aPendingCharge({ createdAt: fixtureNow, watchUntil: now + day })
  await pool.query(
    `INSERT INTO ${schema}.charges (
      issuer, id, transaction_id, amount_cents, br_code, created_at, payable_until, watch_until, state, version, updated_at,
      check_at, checked_until
    ) VALUES ($1, $2, $3, $4, $5, ${at(charge.createdAt)}, ${at(now)}, ${at(charge.watchUntil)}, 'pending', 1,
      ${at(charge.createdAt)}, ${at(now + 9)}, ${at(now - 9)})`,
    [charge.issuer, charge.id, charge.transactionId, charge.amountCents, charge.brCode],
  )
  await pool.query(`
    INSERT INTO ${schema}.reconciliations (issuer, since, reconciled_until, next_at, run_until, run_list, run_cursor)
    VALUES ('${aCnpj}', ${at(fixtureNow)}, ${at(now - day)}, ${at(now)}, ${at(now)}, 'received', 'p2')`)
  return charge
}

/** As the release before claims a company's turn, and as it goes on to the list of what was returned. */
const olderTurn = (schema: string) => `
  WITH due AS MATERIALIZED (
    SELECT r.issuer FROM ${schema}.reconciliations r
    WHERE r.next_at <= ${at(now)} AND (r.lease_until IS NULL OR r.lease_until <= ${at(now)})
    ORDER BY r.next_at LIMIT 1 FOR UPDATE SKIP LOCKED
  )
  UPDATE ${schema}.reconciliations r SET lease_token = gen_random_uuid(), lease_until = ${at(now + leaseMs)}
  FROM due d WHERE r.issuer = d.issuer RETURNING r.issuer, r.run_list, r.run_cursor`
const olderSave = (schema: string) => `
  UPDATE ${schema}.reconciliations SET
    reconciled_until = ${at(now)}, run_until = ${at(now)}, run_list = 'returned', run_cursor = 'r2', run_has_failed = false,
    failing_since = NULL, lease_token = NULL, lease_until = NULL, next_at = ${at(now + 1)}`

it("a company is swept where the release before left it, and the other way round", async () => {
  const schema = "beside"
  const charge = await olderSchema(schema)
  await migrate(pool, { schema })
  const { reconciliations } = await openStore({ db: pool, schema })
  const first = await run(reconciliations.claim({ now, leaseMs }))
  const known = { issuer: aCnpj, since: fixtureNow, returnsDueAt: fixtureNow + day, youngestAt: charge.createdAt }
  expect(first).toMatchObject({ ...known, reconciledUntil: now - day, run: { until: now, cursor: "p2" } })
  const run3 = { ...first!, run: { until: now, cursor: "p3" } }
  expect(await run(reconciliations.save(run3, { _tag: "Release", nextAt: now }))).toBe(true)

  const { rows } = await pool.query(olderTurn(schema))
  expect(rows).toEqual([{ issuer: aCnpj, run_list: "received", run_cursor: "p3" }])
  await run(reconciliations.wake(aCnpj, now))
  await pool.query(olderSave(schema))
  const { run: list, ...next } = (await run(reconciliations.claim({ now: now + 30_000, leaseMs })))!
  expect(list).toBeUndefined()
  expect(next).toMatchObject({ ...known, reconciledUntil: now })
  await run(reconciliations.save({ ...next, run: { until: now } }, { _tag: "Release", nextAt: now + 30_000 }))
  expect(await run(reconciliations.claim({ now: now + 30_000, leaseMs }))).toMatchObject({ run: { until: now } })
})

it("a charge that the release before checks is looked up when that is due, and found by its company until then", async () => {
  const schema = "checked"
  const charge = await olderSchema(schema)
  await migrate(pool, { schema })
  const { checks, reconciliations, store } = await openStore({ db: pool, schema })
  expect(await run(reconciliations.waiting(aCnpj, { limit: 9 }))).toMatchObject([{ id: charge.id, checkAt: now + 9 }])
  const [taken] = await run(checks.claimCharges({ now: now + 9, limit: 9, leaseMs }))
  expect(taken).toEqual({ ...charge, payableUntil: now, checkAt: now + 9 + leaseMs })
  await run(checks.scheduleCharge(taken!, now + day, {}))
  expect(await run(store.find(charge.issuer, charge.id))).toMatchObject({ checkAt: now + day })
  // So that a process of that release asks about the charge itself, and not for a list.
  expect((await pool.query(`SELECT checked_until FROM ${schema}.charges`)).rows).toEqual([{ checked_until: null }])
})

it("checks that only wake a company take no place of those that are made", async () => {
  const { checks, store } = await openStore({ db: pool, schema: "many" })
  const first = Array.from({ length: 40 }, () => aPendingCharge({ checkAt: now - 9, lookUpAt: now + day }))
  const due = aPendingCharge({ issuer: anotherCnpj, checkAt: now })
  await run(Effect.forEach([...first, due], store.insert))
  expect(await run(checks.claimCharges({ now, limit: 1, leaseMs }))).toMatchObject([{ id: due.id }])
  const putOff = `SELECT 1 FROM many.charges WHERE look_up_at IS NULL AND check_at = ${at(now + day)}`
  expect((await pool.query(putOff)).rows).toHaveLength(40)
})
