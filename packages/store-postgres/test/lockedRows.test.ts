import type { Change } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import type { Connection } from "@pixcharge/store-postgres"
import {
  anUnmatchedPayment,
  aPaidCharge,
  aPayment,
  aPendingCharge,
  startStopwatch,
} from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import pg from "pg"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { realPostgres, until } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"
import { otherSession } from "./otherSession.ts"

const pool = await realPostgres({ max: 30 })
const lockedRows = 40
/** Retries a test, because on a busy machine a call's 2 s can end before the test continues. */
const onBusyMachines = { retry: 2 }
const withinMs = 5_000

type Opened = Awaited<ReturnType<typeof openStore>>

const paying = (charge: PendingCharge, payment = aPayment(charge)): Change => ({
  issuer: charge.issuer,
  id: charge.id,
  expectedVersion: charge.version,
  next: aPaidCharge(charge, payment),
  payments: [payment],
  returns: [],
  deliveries: [],
})

/** Counts the connections in use at once, and the connections made. */
const countConnections = () => {
  const host = new pg.Pool({ ...pool.options, max: 20 })
  const seen = { inUse: 0, made: 0 }
  host.on("acquire", () => {
    seen.inUse = Math.max(seen.inUse, host.totalCount - host.idleCount)
  })
  host.on("connect", () => {
    seen.made++
  })
  onTestFinished(() => host.end())
  return { host, seen }
}

const lockCharges = (charges: ReadonlyArray<PendingCharge>) =>
  otherSession(pool, (client) =>
    client.query("SELECT 1 FROM pixcharge.charges WHERE id = ANY ($1::uuid[]) FOR UPDATE", [
      charges.map(({ id }) => id),
    ]),
  )

const insertUncommitted = (charges: ReadonlyArray<PendingCharge>) =>
  otherSession(pool, (client) =>
    client.query(
      `INSERT INTO pixcharge.charges (
        issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, state, version, updated_at
      )
      SELECT '${charges[0]?.issuer}', id, gen_random_uuid(), 1990, now(), now(), now(), 'pending', 1, now()
      FROM unnest($1::uuid[]) AS id`,
      [charges.map(({ id }) => id)],
    ),
  )

interface Way {
  readonly prepare: (opened: Opened, charges: ReadonlyArray<PendingCharge>) => Promise<unknown>
  readonly lock: (charges: ReadonlyArray<PendingCharge>) => Promise<{ readonly end: () => Promise<void> }>
  readonly call: (opened: Opened, charge: PendingCharge) => Promise<unknown>
  readonly answerWhenFree: unknown
  readonly answerAfterLock: unknown
}

const moved = expect.objectContaining({ moved: true })

const insertAll = ({ store }: Opened, charges: ReadonlyArray<PendingCharge>) =>
  run(Effect.all(charges.map(store.insert), { concurrency: "unbounded" }))

const ways: Readonly<Record<string, Way>> = {
  commit: {
    prepare: insertAll,
    lock: lockCharges,
    call: ({ store }, charge) => run(store.commit(paying(charge))),
    answerWhenFree: moved,
    answerAfterLock: moved,
  },
  scheduleCharge: {
    prepare: insertAll,
    lock: lockCharges,
    call: ({ checks }, charge) => run(checks.scheduleCharge(charge, charge.createdAt)),
    answerWhenFree: undefined,
    answerAfterLock: undefined,
  },
  insert: {
    prepare: async () => {},
    lock: insertUncommitted,
    call: ({ store }, charge) => run(store.insert(charge)),
    answerWhenFree: { _tag: "Inserted" },
    answerAfterLock: expect.objectContaining({ _tag: "Exists" }),
  },
}

const makeCharges = (count: number) => Array.from({ length: count }, () => aPendingCharge())

const blockedSessions = async (): Promise<number> => {
  const { rows } = await pool.query(
    "SELECT count(DISTINCT pid)::int AS blocked FROM pg_locks l JOIN pg_database d ON d.oid = l.database OR l.database IS NULL WHERE NOT granted AND d.datname = current_database()",
  )
  return rows[0].blocked
}

const failed = {
  status: "rejected",
  reason: { _tag: "StoreUnavailable", cause: { kind: "blocked", sqlState: "55P03" } },
}

beforeEach(async () => {
  await openStore({ db: pool })
  await pool.query("TRUNCATE pixcharge.charges, pixcharge.payments")
})

const setUp = async ({ prepare, lock }: Way, free: number) => {
  const { host, seen } = countConnections()
  const opened = await openStore({ db: host })
  const [blocked, unblocked] = [makeCharges(lockedRows), makeCharges(free)]
  await prepare(opened, [...blocked, ...unblocked])
  const session = await lock(blocked)
  return { opened, blocked, unblocked, session, seen }
}

describe.each(Object.entries(ways))("%s, on rows that another session has locked", onBusyMachines, (_, way) => {
  const { call, answerWhenFree, answerAfterLock } = way

  it("limits the time of each blocked call, and answers the unblocked calls of its batch first", async () => {
    const { opened, blocked, unblocked, seen } = await setUp(way, 5)
    const stop = startStopwatch()
    const order: Array<string> = []
    const callOn = (charge: PendingCharge, name: string) => call(opened, charge).finally(() => order.push(name))
    const locked = Promise.allSettled(blocked.map((charge) => callOn(charge, "locked")))
    const free = unblocked.map((charge) => callOn(charge, "free"))
    for (const answer of await Promise.all(free)) expect(answer).toEqual(answerWhenFree)
    expect(order).toEqual(Array(5).fill("free"))
    for (const answer of await locked) expect(answer).toMatchObject(failed)
    expect(stop()).toBeLessThan(withinMs)
    // At most three shared statements and four single calls run at once, and a locked row doesn't close a connection.
    expect(seen.inUse).toBeLessThanOrEqual(7)
    expect(seen.made).toBeLessThanOrEqual(7)
  })

  it("a locked row doesn't delay a later call on other rows", async () => {
    const { opened, blocked, unblocked, session } = await setUp(way, 3)
    const order: Array<string> = []
    const locked = Promise.allSettled(
      blocked.slice(1).map((charge) => call(opened, charge).finally(() => order.push("locked"))),
    )
    await until(async () => (await blockedSessions()) > 0)
    // Sends one call by itself, then two calls in a batch with another locked row.
    expect(await call(opened, unblocked[0]!)).toEqual(answerWhenFree)
    const last = call(opened, blocked[0]!)
    expect(await Promise.all(unblocked.slice(1).map((charge) => call(opened, charge)))).toEqual([
      answerWhenFree,
      answerWhenFree,
    ])
    expect(order).toEqual([])
    await session.end()
    expect(await last).toEqual(answerAfterLock)
    await locked
  })

  it("a call isn't delayed while all permitted statements wait for a locked row", async () => {
    const { blocked, unblocked, session } = await setUp(way, 1)
    let shared = 0
    const db: Connection = {
      query: (statement) => {
        if (statement.values.includes("200ms")) shared++
        return pool.query(statement)
      },
    }
    const opened = await openStore({ db })
    const locked: Array<Promise<unknown>> = []
    for (const charge of blocked.slice(0, 3)) {
      locked.push(call(opened, charge))
      await until(() => shared === locked.length)
    }
    const stop = startStopwatch()
    expect(await call(opened, unblocked[0]!)).toEqual(answerWhenFree)
    expect(stop()).toBeLessThan(1_000)
    await session.end()
    for (const answer of locked) expect(await answer).toEqual(answerAfterLock)
  })

  it("finishes each call after its lock is released", async () => {
    const { opened, blocked, session } = await setUp(way, 0)
    const locked = Promise.all(blocked.map((charge) => call(opened, charge)))
    await until(async () => (await blockedSessions()) > 0)
    await session.end()
    for (const answer of await locked) expect(answer).toEqual(answerAfterLock)
  })
})

describe("many calls on one locked charge", onBusyMachines, () => {
  it("time out, and don't delay another call", async () => {
    const { store } = await openStore({ db: pool })
    const [blocked, ...others] = makeCharges(4) as [PendingCharge, ...Array<PendingCharge>]
    await run(Effect.all([blocked, ...others].map(store.insert), { concurrency: "unbounded" }))
    await lockCharges([blocked])
    const stop = startStopwatch()
    const order: Array<string> = []
    const locked = Promise.allSettled(
      Array.from({ length: lockedRows }, () => run(store.commit(paying(blocked))).finally(() => order.push("locked"))),
    )
    // Commits each charge twice, because the second call comes in the round after the locked call.
    const free = await Promise.all(
      [...others, ...others].map((charge) => run(store.commit(paying(charge))).finally(() => order.push("free"))),
    )
    expect(free.filter(({ moved: hasMoved }) => hasMoved)).toHaveLength(others.length)
    expect(order).toEqual(Array(2 * others.length).fill("free"))
    for (const answer of await locked) expect(answer).toMatchObject(failed)
    expect(stop()).toBeLessThan(withinMs)
  })
})

describe("recording a payment that another session is recording", () => {
  it("waits for the other session for at most 2 s", async () => {
    const { store } = await openStore({ db: pool })
    const payment = anUnmatchedPayment()
    await otherSession(pool, (client) =>
      client.query(
        `INSERT INTO pixcharge.payments (issuer, end_to_end_id, amount_cents, paid_at, recorded_at, late, other_amount, settles)
        VALUES ($1, $2, 1990, now(), now(), false, false, false)`,
        [payment.issuer, payment.endToEndId],
      ),
    )
    const stop = startStopwatch()
    await expect(run(store.recordUnmatched(payment))).rejects.toMatchObject(failed.reason)
    expect(stop()).toBeLessThan(withinMs)
  })
})
