import type { Change } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import { type Connection, neonConnection, type Statement } from "@pixcharge/store-postgres"
import { aPaidCharge, aPayment, aPendingCharge, aRefundingCharge } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import pg from "pg"
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { startPostgres } from "@pixcharge/verify/world"
import { realPostgres, until } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"

const pool = await realPostgres({ max: 20 })

const failure = (code: string, message = "it failed"): Error => Object.assign(new Error(message), { code })

/** Decides whether a statement is executed, and whether it is answered. */
type Mishap = (statement: Statement, execute: () => Promise<{ rows: ReadonlyArray<unknown> }>) => Promise<unknown>

/** Opens a store. The mishap happens only after the store is built. */
const withMishap = async (mishap: Mishap) => {
  let isArmed = false
  const connection: Connection = {
    query: async (statement) => {
      const execute = () => pool.query(statement)
      return (isArmed ? await mishap(statement, execute) : await execute()) as { rows: ReadonlyArray<unknown> }
    },
  }
  const opened = await openStore({ db: connection })
  isArmed = true
  return opened
}

const failFirst = (times: number, error: Error, when: "before" | "after"): Mishap => {
  let remaining = times
  return async (_, execute) => {
    if (remaining === 0) return execute()
    remaining--
    if (when === "after") await execute()
    throw error
  }
}

const makePayment = (charge: PendingCharge, payment = aPayment(charge)): Change => ({
  issuer: charge.issuer,
  id: charge.id,
  expectedVersion: charge.version,
  next: aPaidCharge(charge, payment),
  payments: [payment],
  returns: [],
  deliveries: [],
})

const storeCharge = async () => {
  const { store } = await openStore({ db: pool })
  const charge = aPendingCharge()
  await run(store.insert(charge))
  return { charge, find: () => run(store.find(charge.issuer, charge.id)), commit: store.commit }
}

beforeEach(async () => {
  await openStore({ db: pool })
})

const reset = failure("ECONNRESET", "read ECONNRESET")

describe("a rolled-back statement", () => {
  it.each(["40001", "40P01"])("is retried after the code %s", async (code) => {
    const { store } = await withMishap(failFirst(3, failure(code), "before"))
    expect(await run(store.insert(aPendingCharge()))).toEqual({ _tag: "Inserted" })
  })

  it("fails with its cause after the last retry", async () => {
    const { store } = await withMishap(failFirst(99, failure("40001"), "before"))
    await expect(run(store.insert(aPendingCharge()))).rejects.toMatchObject({
      _tag: "StoreUnavailable",
      operation: "insert",
      cause: { _tag: "SqlFailure", kind: "undone", sqlState: "40001" },
    })
  })
})

it("an outage names its operation", async () => {
  const { checks } = await withMishap(failFirst(99, failure("42P01"), "before"))
  const request = { now: 0, limit: 1, leaseMs: 1 }
  const operations = {
    claimCharges: checks.claimCharges(request),
    claimExceptions: checks.claimExceptions(request),
    scheduleCharge: checks.scheduleCharge(aPendingCharge(), 1),
  }
  for (const [operation, attempt] of Object.entries<Effect.Effect<unknown, unknown>>(operations)) {
    await expect(run(attempt)).rejects.toMatchObject({ _tag: "StoreUnavailable", operation })
  }
})

describe("after a lost answer", () => {
  it("an insertion is made once, and reported as made", async () => {
    const { store } = await withMishap(failFirst(2, reset, "after"))
    const charge = aPendingCharge()
    expect(await run(store.insert(charge))).toEqual({ _tag: "Inserted" })
    expect(await run(store.find(charge.issuer, charge.id))).toEqual(charge)
  })

  it("an insertion of a taken id returns the existing charge", async () => {
    const { charge } = await storeCharge()
    const { store } = await withMishap(failFirst(1, reset, "after"))
    const answer = await run(store.insert(aPendingCharge({ id: charge.id })))
    expect(answer).toEqual({ _tag: "Exists", charge })
  })

  it("a blocked repetition of an insertion fails, because its outcome is unknown", async () => {
    const failures = [reset, failure("55P03")]
    const { store } = await withMishap(async (_, execute) => {
      const next = failures.shift()
      if (next === undefined || next === reset) await execute()
      if (next !== undefined) throw next
      return execute()
    })
    await expect(run(store.insert(aPendingCharge()))).rejects.toMatchObject({
      _tag: "StoreUnavailable",
      cause: { kind: "lost", sqlState: "55P03" },
    })
  })

  it("a move is reported as made, with its payment", async () => {
    const { charge, find } = await storeCharge()
    const { store } = await withMishap(failFirst(1, failure("57P01"), "after"))
    const change = makePayment(charge)
    expect(await run(store.commit(change))).toEqual({
      moved: true,
      freshPayments: change.payments.map(({ endToEndId }) => endToEndId),
      foreignPayments: [],
    })
    expect(await find()).toEqual(change.next)
  })

  it("another process's move isn't reported as ours", async () => {
    const { charge, find, commit } = await storeCharge()
    const theirs = aPayment(charge)
    let isFirst = true
    const { store } = await withMishap(async (_, execute) => {
      if (!isFirst) return execute()
      isFirst = false
      await run(commit(makePayment(charge, theirs)))
      throw reset
    })
    // Both moves have the same time, so only the payment distinguishes them.
    const ours = aPayment(charge, { recordedAt: theirs.recordedAt })
    const answer = await run(store.commit(makePayment(charge, ours)))
    expect(answer).toMatchObject({ moved: false, freshPayments: [ours.endToEndId] })
    expect(await find()).toMatchObject({ payment: theirs })
  })

  it("another process's refund with the same time isn't reported as ours", async () => {
    const { charge, commit } = await storeCharge()
    const settling = makePayment(charge)
    await run(commit(settling))
    if (settling.next?._tag !== "Paid") throw new Error("expected the payment to settle the charge")
    const next = aRefundingCharge(settling.next)
    const requesting: Change = { ...settling, payments: [], expectedVersion: settling.next.version, next }
    let isFirst = true
    const { store } = await withMishap(async (_, execute) => {
      if (!isFirst) return execute()
      isFirst = false
      expect(await run(commit(requesting))).toMatchObject({ moved: true })
      throw reset
    })
    // A process whose move succeeds calls the processor, so the second process must fail.
    expect(await run(store.commit(requesting))).toMatchObject({ moved: false })
  })

  it("a lasting outage is an error with its cause, and no row is partly written", async () => {
    const { charge, find } = await storeCharge()
    const { store, outbox } = await withMishap(failFirst(99, reset, "before"))
    const failed = { _tag: "StoreUnavailable", cause: { kind: "lost", sqlState: "ECONNRESET" } }
    await expect(run(store.commit(makePayment(charge)))).rejects.toMatchObject(failed)
    await expect(run(store.find(charge.issuer, charge.id))).rejects.toMatchObject(failed)
    await expect(run(outbox.depth)).rejects.toMatchObject(failed)
    expect(await find()).toEqual(charge)
  })

  it("a claim isn't sent again", async () => {
    let claims = 0
    const { outbox } = await withMishap(async (_, execute) => {
      claims++
      await execute()
      throw reset
    })
    await expect(
      run(outbox.claim({ now: Date.now(), limit: 10, deliveries: 10, leaseMs: 1_000 })),
    ).rejects.toMatchObject({
      _tag: "StoreUnavailable",
    })
    expect(claims).toBe(1)
  })

  it("a statement fails if the database never answers", async () => {
    let send = (): void => {}
    const sent = new Promise<void>((resume) => {
      send = resume
    })
    const { store } = await withMishap(() => {
      send()
      return new Promise(() => {})
    })
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    onTestFinished(() => void vi.useRealTimers())
    const answer = expect(run(store.insert(aPendingCharge()))).rejects.toMatchObject({
      _tag: "StoreUnavailable",
      cause: { kind: "lost", message: expect.stringContaining("no answer") },
    })
    await sent
    await vi.advanceTimersByTimeAsync(16_000)
    await answer
  })
})

it("a session plans each named statement once", async () => {
  const singlePool = new pg.Pool({ connectionString: pool.options.connectionString, max: 1 })
  onTestFinished(() => singlePool.end())
  const { store } = await openStore({ db: singlePool })
  for (let n = 0; n < 2; n++) expect(await run(store.insert(aPendingCharge()))).toEqual({ _tag: "Inserted" })
  const { rows } = await singlePool.query("SELECT name FROM pg_prepared_statements WHERE statement LIKE '%INSERT%'")
  expect(rows).toHaveLength(1)
})

it("a statement that is refused for lack of rights keeps its name", async () => {
  const names: Array<string | undefined> = []
  const { store } = await withMishap(async (statement, execute) => {
    names.push(statement.name)
    if (names.length === 1) throw failure("42501")
    return execute()
  })
  for (let n = 0; n < 2; n++) await run(Effect.exit(store.insert(aPendingCharge())))
  expect(names).toEqual([expect.any(String), names[0]])
})

describe("a connection without named statements", () => {
  it("isn't assumed when a statement fails with another code", async () => {
    const names: Array<string | undefined> = []
    const fail = failFirst(1, failure("23502"), "before")
    const { store } = await withMishap((statement, execute) => {
      names.push(statement.name)
      return fail(statement, execute)
    })
    const charge = aPendingCharge()
    await expect(run(store.insert(charge))).rejects.toMatchObject({ _tag: "StoreUnavailable" })
    expect(await run(store.find(charge.issuer, charge.id))).toBeUndefined()
    expect(names).toEqual([expect.any(String), expect.any(String)])
  })

  it.each(["26000", "42P05"])("is detected (%s), and statements continue without names", async (code) => {
    const names: Array<string | undefined> = []
    const { store } = await withMishap(async (statement, execute) => {
      names.push(statement.name)
      if (statement.name !== undefined) throw failure(code)
      return execute()
    })
    const charges = Array.from({ length: 60 }, () => aPendingCharge())
    const answers = await run(Effect.all(charges.map(store.insert), { concurrency: "unbounded" }))
    expect(new Set(answers.map(({ _tag }) => _tag))).toEqual(new Set(["Inserted"]))
    names.length = 0
    expect(await run(store.find(charges[0]!.issuer, charges[0]!.id))).toEqual(charges[0])
    expect(names).toEqual([undefined])
  })
})

describe("other connections", () => {
  it("Neon's function over HTTP works as a connection", async () => {
    const { store } = await openStore({
      db: neonConnection({ query: async (text, values) => (await pool.query(text, values)).rows }),
    })
    const charge = aPendingCharge()
    await run(store.insert(charge))
    expect(await run(store.find(charge.issuer, charge.id))).toEqual(charge)
  })

  it("the store uses a pool's query that the host replaced", async () => {
    let statements = 0
    const host = new pg.Pool(pool.options)
    onTestFinished(() => host.end())
    const db = Object.assign(host, {
      query: (statement: Statement) => {
        statements++
        return pool.query(statement)
      },
    })
    const { store } = await openStore({ db })
    const before = statements
    await run(store.insert(aPendingCharge()))
    expect(statements).toBe(before + 1)
  })

  it("a single client works as a connection", async () => {
    const client = new pg.Client(pool.options)
    await client.connect()
    onTestFinished(() => client.end())
    const { store } = await openStore({ db: client })
    const charges = Array.from({ length: 20 }, () => aPendingCharge())
    await run(Effect.all(charges.map(store.insert), { concurrency: "unbounded" }))
    expect(await run(store.find(charges[7]!.issuer, charges[7]!.id))).toEqual(charges[7])
  })

  it("a host's changes to its driver's types don't matter", async () => {
    const asText = { getTypeParser: () => (text: string) => text }
    const texts = new pg.Pool({ ...pool.options, types: asText as unknown as pg.CustomTypesConfig })
    onTestFinished(() => texts.end())
    const { store } = await openStore({ db: texts })
    const charge = aPendingCharge({ dueDate: "2026-07-01" as never, checkAt: Date.now() })
    await run(store.insert(charge))
    const { next = charge, ...change } = makePayment(charge, aPayment(charge, { late: true }))
    expect(await run(store.commit({ ...change, next }))).toMatchObject({
      moved: true,
      freshPayments: [expect.any(String)],
    })
    expect(await run(store.find(charge.issuer, charge.id))).toEqual(next)
  })

  it("a database with serializable transactions by default gives the same answers", async () => {
    const strict = new pg.Pool({ ...pool.options, options: "-c default_transaction_isolation=serializable" })
    onTestFinished(() => strict.end())
    const stores = [(await openStore({ db: strict })).store, (await openStore({ db: strict })).store] as const
    const { charge, find } = await storeCharge()
    const payments = Array.from({ length: 12 }, () => aPayment(charge))
    const answers = await run(
      Effect.all(
        payments.map((payment, index) => stores[index % 2]!.commit(makePayment(charge, payment))),
        { concurrency: "unbounded" },
      ),
    )
    expect(answers.filter(({ moved }) => moved)).toHaveLength(1)
    expect(answers.flatMap(({ freshPayments }) => freshPayments)).toHaveLength(12)
    expect(await find()).toMatchObject({ _tag: "Paid" })
  })
})

describe("a real server", () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  const openServerPool = async () => {
    server ??= await startPostgres()
    const db = new pg.Pool({ connectionString: `${server.url}/postgres`, max: 8 })
    // A pool's `end` can resolve before its connections close, so the server's stop can still break one of them.
    db.on("error", () => {})
    onTestFinished(() => db.end())
    return db
  }
  afterAll(() => server?.remove())

  it("neither loses nor repeats an acknowledged write when connections are killed under load", async () => {
    const db = await openServerPool()
    const { store } = await openStore({ db })
    const killer = new pg.Client({ connectionString: `${server.url}/postgres`, application_name: "killer" })
    await killer.connect()
    const acknowledged: Array<PendingCharge> = []
    let isOver = false
    let kills = 0
    const killing = (async () => {
      for (; !isOver; kills++) {
        const before = acknowledged.length
        await until(() => isOver || acknowledged.length >= before + 30)
        await killer.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name <> 'killer'")
      }
    })()
    const paid: Array<PendingCharge> = []
    const failures: Array<unknown> = []
    const caller = async () => {
      for (let round = 0; round < 60; round++) {
        const charge = aPendingCharge()
        try {
          const insertion = await run(store.insert(charge))
          expect(insertion._tag).toBe("Inserted")
          acknowledged.push(charge)
          if ((await run(store.commit(makePayment(charge)))).moved) paid.push(charge)
        } catch (error) {
          failures.push(error)
        }
      }
    }
    await Promise.all(Array.from({ length: 12 }, caller))
    isOver = true
    await killing
    await killer.end()
    expect(acknowledged.length).toBeGreaterThan(300)
    expect(kills).toBeGreaterThanOrEqual(10)
    for (const error of failures) expect(error).toMatchObject({ _tag: "StoreUnavailable" })
    const found = await run(
      Effect.all(
        acknowledged.map(({ issuer, id }) => store.find(issuer, id)),
        { concurrency: 64 },
      ),
    )
    expect(found.every((charge) => charge !== undefined)).toBe(true)
    const settled = new Set(found.flatMap((charge) => (charge?._tag === "Paid" ? [charge.id] : [])))
    for (const { id } of paid) expect(settled.has(id)).toBe(true)
    const { rows } = await db.query(
      "SELECT count(*)::int AS payments, count(DISTINCT charge_id)::int AS charges FROM pixcharge.payments WHERE settles",
    )
    expect(rows[0].payments).toBe(rows[0].charges)
  })

  it("serves the same store after a restart of the server", async () => {
    const db = await openServerPool()
    const { store, outbox } = await openStore({ db })
    const charge = aPendingCharge()
    await run(
      Effect.all(
        Array.from({ length: 20 }, () => store.insert(aPendingCharge())),
        { concurrency: "unbounded" },
      ),
    )
    await run(store.insert(charge))
    await server.stop()
    await expect(run(store.find(charge.issuer, charge.id))).rejects.toMatchObject({
      _tag: "StoreUnavailable",
      operation: "find",
    })
    await expect(run(store.insert(aPendingCharge()))).rejects.toMatchObject({ _tag: "StoreUnavailable" })
    await server.start()
    expect(await run(store.find(charge.issuer, charge.id))).toEqual(charge)
    const paid = aPaidCharge(charge)
    expect((await run(store.commit(makePayment(charge, paid.payment)))).moved).toBe(true)
    const change = { ...makePayment(charge), expectedVersion: 2, next: aRefundingCharge(paid), payments: [] }
    expect((await run(store.commit(change))).moved).toBe(true)
    expect((await run(outbox.depth)).waiting).toBe(0)
  })
})
