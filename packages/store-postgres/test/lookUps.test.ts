import { migrate } from "@pixcharge/store-postgres"
import { chargeEvent } from "@pixcharge/core/charges"
import {
  aChange,
  aPaidCharge,
  aPendingCharge,
  aRefundedCharge,
  aRefundingCharge,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import type * as Effect from "effect/Effect"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"
import { lookUpCondition, lookUpStatements } from "./lookUpStatements.ts"
import { type PlanNode, planNodes, planOptions } from "./plannedPostgres.ts"

const { options } = await realPostgres()
/**
 * One session that plans each statement once, like sessions after a statement's fifth run. The test uses only this session,
 * because statistics of other sessions arrive up to a second late.
 */
const session = new pg.Pool({ ...options, max: 1, options: `${planOptions} -c plan_cache_mode=force_generic_plan` })
afterAll(() => session.end())

const manyRows = 20_000
const later = fixtureNow + 60_000
const leaseMs = 60_000
const filledTables = ["charges", "charge_texts", "payments", "deliveries", "queue_leases", "reconciliations"]

beforeAll(() => migrate(session))

/** Stores paid charges of twenty companies, with events, leases and reconciliations that are due later. */
const fill = async (first: number, last: number) => {
  const rows = `generate_series(${first}, ${last}) n, LATERAL (
    SELECT to_timestamp(1780000000 + n) AS t, (20000000000000 + n % 20)::text AS issuer, md5(n::text)::uuid AS id
  ) m`
  await session.query(`
    INSERT INTO pixcharge.charges (
      issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, state, version, updated_at, settled_by
    )
    SELECT issuer, id, id, n, t, t, t, 'paid', 2, t, 'E' || n FROM ${rows}`)
  await session.query(`
    INSERT INTO pixcharge.charge_texts (issuer, id, br_code, created_at)
    SELECT issuer, id, repeat('x', 180), t FROM ${rows}`)
  await session.query(`
    INSERT INTO pixcharge.payments (issuer, end_to_end_id, charge_id, amount_cents, paid_at, recorded_at, late, other_amount, settles)
    SELECT issuer, 'E' || n, id, n, t, t, false, false, true FROM ${rows}`)
  await session.query(`
    INSERT INTO pixcharge.deliveries (
      issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, queued_at, next_at
    )
    SELECT issuer, 'evt_' || n, 'parada', '{}', 'paid', t, id, 2, t, 'infinity' FROM ${rows}`)
  await session.query(`
    INSERT INTO pixcharge.queue_leases (issuer, endpoint_id, token, lease_until)
    SELECT issuer, 'loja' || n, id, t FROM ${rows}`)
  await session.query(`
    INSERT INTO pixcharge.reconciliations (issuer, since, reconciled_until, returns_due_at, next_at)
    SELECT (30000000000000 + n)::text, t, t, t, to_timestamp(${later / 1_000} + 3600) FROM ${rows}`)
}

const readUntilNow = async (): Promise<number> => {
  await session.query("SELECT pg_stat_force_next_flush()")
  const { rows } = await session.query(`
    SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS read
    FROM pg_stat_user_tables WHERE schemaname = 'pixcharge'`)
  return Number(rows[0].read)
}

/** Runs the operations in the life of a charge; returns the number of rows that each operation read. */
const runLife = async (): Promise<Readonly<Record<string, number>>> => {
  const { store, outbox, checks, reconciliations } = await openStore({ db: session, migrations: "check" })
  const read: Record<string, number> = {}
  const countReads = async <A, E>(name: string, work: Effect.Effect<A, E>): Promise<A> => {
    const before = await readUntilNow()
    const answer = await run(work)
    read[name] = (await readUntilNow()) - before
    return answer
  }
  const pending = aPendingCharge({ checkAt: fixtureNow })
  await countReads("insert", store.insert(pending))
  await countReads("claim for a check", checks.claimCharges({ now: later, limit: 20, leaseMs }))
  await countReads("schedule", checks.scheduleCharge(pending, later))
  await countReads("wake", reconciliations.wake(pending.issuer, later))
  const turn = await countReads("claim a company", reconciliations.claim({ now: later, leaseMs }))
  expect(turn).toMatchObject({ issuer: pending.issuer, youngestAt: pending.createdAt })
  await countReads("save a company", reconciliations.save(turn!, { _tag: "Release", nextAt: later + leaseMs }))
  await countReads("waiting", reconciliations.waiting(pending.issuer, { limit: 20 }))
  const paid = aPaidCharge(pending)
  const delivery = { event: chargeEvent(paid, "Padaria"), endpointId: "loja" }
  const payment = { next: paid, payments: [paid.payment], deliveries: [delivery] }
  expect((await countReads("pay", store.commit(aChange(pending, payment)))).moved).toBe(true)
  await countReads("find", store.find(paid.issuer, paid.id))
  await countReads("changed", store.changed([{ issuer: paid.issuer, id: paid.id, version: pending.version }]))
  const { queues } = await countReads(
    "claim queues",
    outbox.claim({ now: later * 2, limit: 10, deliveries: 10, leaseMs }),
  )
  const leases = queues.map(({ lease }) => lease)
  expect(leases.length).toBe(1)
  await countReads(
    "read queues",
    outbox.read(
      leases.map((lease) => ({ lease, limit: 10 })),
      later * 2,
    ),
  )
  await countReads("renew", outbox.renew(leases, leaseMs))
  const retried = leases.map((lease) => ({
    lease,
    eventId: delivery.event.id,
    number: 1,
    fate: { _tag: "Retry", at: later } as const,
    attempt: { startedAt: later, latencyMs: 1, status: 500 },
  }))
  expect((await countReads("settle", outbox.settle(retried, later))).length).toBe(1)
  const refunding = aRefundingCharge(paid)
  const move = { next: refunding, unsent: "supersede" } as const
  expect((await countReads("refund", store.commit(aChange(paid, move)))).moved).toBe(true)
  const refunded = aRefundedCharge(refunding)
  const { returns } = refunded
  expect((await countReads("return", store.commit(aChange(refunding, { next: refunded, returns })))).moved).toBe(true)
  for (const table of ["deliveries", "queue_leases"])
    await session.query(`DELETE FROM pixcharge.${table} WHERE endpoint_id = 'loja'`)
  return read
}

/** The maximum number of rows that an operation reads, independent of the number of stored charges. */
const maxRows = 40

const expectFew = (read: Readonly<Record<string, number>>) => {
  expect(Object.entries(read).filter(([, rows]) => rows > maxRows)).toEqual([])
}

/** Makes the tables take ten times the pages that their rows need. */
const makeSparse = async () => {
  for (const table of filledTables) await session.query(`ALTER TABLE pixcharge.${table} SET (fillfactor = 10)`)
}

const truncate = () => session.query(`TRUNCATE ${filledTables.map((table) => `pixcharge.${table}`).join()}`)
const forgetPlans = () => session.query("DISCARD PLANS")

/** Finds look-ups whose generic plan filters rows by a condition that an index should check. */
const findUnindexed = async (text: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await session.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`)
  return planNodes(rows[0]["QUERY PLAN"][0].Plan as PlanNode).flatMap((node) => {
    const filter = [node.Filter, node["Join Filter"]].find((condition) => lookUpCondition.test(condition ?? ""))
    return filter === undefined ? [] : [`${node["Node Type"]} ${node["Index Name"] ?? ""}: ${filter}`]
  })
}

/** Fills the tables with look-ups that `fill` leaves empty. */
const fillOthers = (last: number) =>
  session.query(`
    WITH n AS (
      SELECT n, to_timestamp(1780000000 + n) AS t, (20000000000000 + n % 20)::text AS issuer, md5(n::text)::uuid AS id
      FROM generate_series(1, ${last}) n
    ),
    recurrence AS (
      INSERT INTO pixcharge.recurrences (
        issuer, id, contract, terms, created_at, state, version, updated_at, next_cycle, bank_id
      )
      SELECT issuer, id, 'contract ' || n, '{}', t, 'approved', 1, t, 1, 'RR' || n FROM n
    ),
    part AS (
      INSERT INTO pixcharge.partial_refunds (
        issuer, charge_id, key, amount_cents, requested_at, refund_id, refund_attempt, refund_requested_at
      )
      SELECT issuer, id, 'part', 1, t, 'D' || n, 1, t FROM n
    )
    INSERT INTO pixcharge.settled_deliveries (
      issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, attempts, recorded, status, settled_at
    )
    SELECT issuer, 'evt_' || n, 'loja', '{}', 'paid', t, id, 2, 1, 1, 'delivered', t FROM n`)

// Runs first, before any statistics exist.
it("each look-up uses the whole key in tables without statistics", async () => {
  const statements = [...(await lookUpStatements())]
  expect(statements.filter(([, made]) => made.length === 0)).toEqual([])
  await fill(1, manyRows / 4)
  await fillOthers(manyRows / 4)
  const unindexed = []
  for (const [file, made] of statements) {
    for (const { text } of made) unindexed.push(...(await findUnindexed(text)).map((found) => `${file}, ${found}`))
  }
  expect(unindexed).toEqual([])
})

it("each operation reads only its own rows in a small table", async () => {
  await truncate()
  await fill(1, 1_000)
  await session.query("VACUUM ANALYZE")
  expectFew(await runLife())
})

it("each operation reads only its own rows with the small table's plan after the table has grown", async () => {
  await truncate()
  await fill(1, 1_000)
  await session.query("VACUUM ANALYZE")
  await forgetPlans()
  await runLife()
  await fill(1_001, manyRows)
  expectFew(await runLife())
})

it("each operation reads only its own rows with the empty table's plan", async () => {
  await truncate()
  await forgetPlans()
  await runLife()
  await fill(1, manyRows)
  // Excludes the claim of checks: until the first ANALYZE, it is planned for a nearly empty table.
  const { "claim for a check": _, ...read } = await runLife()
  expectFew(read)
})

it("each operation reads only its own rows with a plan from statistics of an empty table", async () => {
  await truncate()
  await makeSparse()
  await fill(1, manyRows)
  await session.query(
    "UPDATE pg_class SET reltuples = 0, relpages = 1 WHERE relnamespace = 'pixcharge'::regnamespace AND relkind IN ('r', 'i')",
  )
  await forgetPlans()
  // Excludes the claim of queues: it reads ranges of due rows, and the planner can take any index for them.
  const { "claim queues": _, ...read } = await runLife()
  expectFew(read)
})
