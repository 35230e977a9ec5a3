import { migrate } from "@pixcharge/store-postgres"
import { aCycleCharge, anApprovedRecurrence, aRecurrence, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"
import { otherSession } from "./otherSession.ts"

const pool = await realPostgres()
await migrate(pool)

const insertCharged = async () => {
  const { recurrences } = await openStore({ db: pool })
  const requested = aRecurrence()
  await run(recurrences.insert(requested, fixtureNow))
  const next = anApprovedRecurrence(requested)
  const charge = aCycleCharge(next)
  const { issuer, id } = requested
  await run(recurrences.commit({ issuer, id, expectedVersion: 1, next, charge, deliveries: [] }))
  return { charge, recurrence: next }
}

/** Copies a charge's row by plain SQL with changed columns, as faulty code could. */
const copy = (id: string, columns: Readonly<Record<string, string>> = {}) => {
  const changed = { id: "gen_random_uuid()", ...columns }
  const names =
    "issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, state, version, updated_at, recurrence_id, cycle, generation, cycle_terms, debit".split(
      ", ",
    )
  const values = names.map((name) => (Object.hasOwn(changed, name) ? Reflect.get(changed, name) : name))
  return pool.query(
    `INSERT INTO pixcharge.charges (${names.join(", ")}) SELECT ${values.join(", ")} FROM pixcharge.charges WHERE id = $1`,
    [id],
  )
}

it("the database refuses a second charge of a cycle from any statement", async () => {
  const { charge } = await insertCharged()
  const refused = { code: "23505", constraint: "charges_one_by_cycle" }
  await expect(copy(charge.id)).rejects.toMatchObject(refused)
  await expect(copy(charge.id, { generation: "2", state: "'paid'" })).rejects.toMatchObject(refused)
  await expect(copy(charge.id, { debit: `'{"status":"unpaid"}'` })).rejects.toMatchObject(refused)
  await expect(copy(charge.id, { debit: "NULL" })).rejects.toMatchObject(refused)
  await copy(charge.id, { state: "'cancelled'" })
  await copy(charge.id, { debit: `'{"status":"rejected"}'` })
  await copy(charge.id, { cycle: "2" })
  await expect(copy(charge.id, { cycle: "2" })).rejects.toMatchObject(refused)
})

it("the database refuses a second recurrence with the same contract, or with the same id at the bank", async () => {
  const { recurrence } = await insertCharged()
  const names = "issuer, id, contract, terms, created_at, state, version, updated_at, next_cycle, bank_id"
  const insert = (contract: string, bankId: string) =>
    pool.query(
      `INSERT INTO pixcharge.recurrences (${names})
       SELECT issuer, gen_random_uuid(), $2, terms, created_at, state, version, updated_at, next_cycle, $3
       FROM pixcharge.recurrences WHERE id = $1`,
      [recurrence.id, contract, bankId],
    )
  await expect(insert(recurrence.contract, "RR1")).rejects.toMatchObject({ constraint: "recurrences_by_contract" })
  await expect(insert("another", recurrence.bankId)).rejects.toMatchObject({ constraint: "recurrences_by_bank_id" })
  await insert("another", "RR1")
})

it("a claim skips a recurrence that another session is moving", async () => {
  const { recurrences } = await openStore({ db: pool })
  const [moving, other] = [aRecurrence(), aRecurrence()]
  for (const recurrence of [moving, other]) await run(recurrences.insert(recurrence, 1))
  await otherSession(pool, (client) =>
    client.query("SELECT 1 FROM pixcharge.recurrences WHERE id = $1 FOR UPDATE", [moving.id]),
  )
  const claimed = await run(recurrences.claim({ now: 2, limit: 10, leaseMs: 1_000 }))
  expect(claimed).toEqual([{ recurrence: other, dueAt: 1 }])
})

it("a cycle's charge has neither a BR Code nor a check", async () => {
  const { charge } = await insertCharged()
  const { rows } = await pool.query(
    `SELECT t.br_code, c.check_at, c.look_up_at
     FROM pixcharge.charges c JOIN pixcharge.charge_texts t ON t.issuer = c.issuer AND t.id = c.id WHERE c.id = $1`,
    [charge.id],
  )
  expect(rows).toEqual([{ br_code: null, check_at: null, look_up_at: null }])
})
