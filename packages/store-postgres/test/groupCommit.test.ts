import { ChargeStore } from "@pixcharge/core"
import { type Connection, postgresStore } from "@pixcharge/store-postgres"
import { aChargeId, aCnpj, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import type { PendingCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { setImmediate } from "node:timers/promises"
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { realPostgres, until, waitMs } from "@pixcharge/verify/postgres"
import { openStore, run } from "./openStore.ts"

const pool = await realPostgres()

/** Counts the rows of each statement, and holds statements back while its gate is shut. */
const countStatements = () => {
  const sent: Array<number> = []
  let gate = Promise.resolve()
  let open = (): void => {}
  const connection: Connection = {
    query: async (statement) => {
      const [first] = statement.values
      sent.push(typeof first === "string" && first.startsWith("[") ? (JSON.parse(first) as Array<unknown>).length : 0)
      await gate
      return pool.query(statement)
    },
  }
  return {
    connection,
    sent,
    shut: () => {
      gate = new Promise((resume) => {
        open = resume
      })
    },
    open: () => open(),
  }
}

const openCounted = async () => {
  const counter = countStatements()
  const { store, checks } = await openStore({ db: counter.connection })
  counter.sent.length = 0
  return { ...counter, store, checks }
}

const charges = (count: number) => Array.from({ length: count }, () => aPendingCharge())

beforeEach(async () => {
  await openStore({ db: pool })
  await pool.query("TRUNCATE pixcharge.charges")
})

describe("concurrent calls", () => {
  it("sends a lone call immediately, by itself", async () => {
    const { store, sent, shut, open } = await openCounted()
    shut()
    const answer = run(store.insert(aPendingCharge()))
    await until(() => sent.length > 0)
    expect(sent).toEqual([1])
    open()
    expect(await answer).toEqual({ _tag: "Inserted" })
  })

  it("sends the calls of one turn in a few statements, and gives each call its own answer", async () => {
    const { store, sent } = await openCounted()
    const made = charges(200)
    await run(Effect.all(made.map(store.insert), { concurrency: "unbounded" }))
    expect(sent.length).toBeLessThanOrEqual(3)
    expect(sent.reduce((sum, rows) => sum + rows, 0)).toBe(200)
    sent.length = 0
    const ids = [...made.map(({ id }) => id), aChargeId()]
    const found = await run(
      Effect.all(
        ids.map((id) => store.find(aCnpj, id)),
        { concurrency: "unbounded" },
      ),
    )
    expect(found).toEqual([...made, undefined])
    expect(sent.length).toBeLessThanOrEqual(3)
  })

  it("schedules many checks in a few statements, and keeps the last check of a charge", async () => {
    const { store, checks, sent } = await openCounted()
    const made = charges(100)
    await run(Effect.all(made.map(store.insert), { concurrency: "unbounded" }))
    sent.length = 0
    const [first] = made as [PendingCharge]
    const at = first.createdAt
    const scheduled = [
      [first, at + 1] as const,
      [first, at + 2] as const,
      ...made.map((charge) => [charge, at] as const),
    ]
    await run(
      Effect.forEach(scheduled, ([charge, to]) => checks.scheduleCharge(charge, to), { concurrency: "unbounded" }),
    )
    // Three statements, and one more round for each repetition of a charge.
    expect(sent.length).toBeLessThanOrEqual(5)
    for (const charge of made) {
      const found = await run(store.find(charge.issuer, charge.id))
      expect(found?.checkAt).toBe(at)
    }
  })

  it("gathers calls while the database is busy, and sends them when a statement ends", async () => {
    const { store, sent, shut, open } = await openCounted()
    shut()
    const answers: Array<Promise<unknown>> = []
    for (const charge of charges(3)) {
      answers.push(run(store.insert(charge)))
      await until(() => sent.length === answers.length)
    }
    expect(sent).toEqual([1, 1, 1])
    const before = sent.length
    const gathered = charges(50).map((charge) => run(store.insert(charge)))
    await waitMs(30)
    expect(sent).toHaveLength(before)
    open()
    await Promise.all([...answers, ...gathered])
    expect(sent.length).toBeLessThanOrEqual(before + 4)
    expect(sent.reduce((sum, rows) => sum + rows, 0)).toBe(53)
  })

  it("gathers calls for 5 ms while a statement is under way, and then sends them beside it", async () => {
    const { store, sent, shut, open } = await openCounted()
    shut()
    const answers = [run(store.insert(aPendingCharge()))]
    await until(() => sent.length > 0)
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    for (const charge of charges(20)) {
      answers.push(run(store.insert(charge)))
      await setImmediate()
      await setImmediate()
    }
    vi.advanceTimersByTime(4)
    expect(sent).toEqual([1])
    vi.advanceTimersByTime(1)
    expect(sent).toEqual([1, 20])
    vi.useRealTimers()
    open()
    await Promise.all(answers)
  })

  it("puts at most 256 rows into a statement", async () => {
    const { store, sent } = await openCounted()
    await run(Effect.all(charges(1_500).map(store.insert), { concurrency: "unbounded" }))
    expect(Math.max(...sent)).toBeLessThanOrEqual(256)
  })

  it("runs at most three statements at a time", async () => {
    const { store, sent, shut, open } = await openCounted()
    shut()
    const answers = charges(1_500).map((charge) => run(store.insert(charge)))
    await until(() => sent.length > 0)
    await waitMs(30)
    expect(sent).toEqual([256, 256, 256])
    open()
    await Promise.all(answers)
  })

  it("skips a call that is abandoned before it is sent, and executes a call that is abandoned later", async () => {
    const { store, sent: statements, shut, open } = await openCounted()
    const [unsent, sent] = charges(2) as [ReturnType<typeof aPendingCharge>, ReturnType<typeof aPendingCharge>]
    await run(
      Effect.gen(function* () {
        const early = yield* Effect.forkChild(store.insert(unsent), { startImmediately: true })
        yield* Fiber.interrupt(early)
        shut()
        const late = yield* Effect.forkChild(store.insert(sent), { startImmediately: true })
        yield* Effect.promise(() => until(() => statements.length > 0))
        yield* Fiber.interrupt(late)
        open()
        const found = () => run(store.find(sent.issuer, sent.id))
        yield* Effect.promise(() => until(async () => (await found()) !== undefined))
        expect(yield* store.find(unsent.issuer, unsent.id)).toBeUndefined()
        expect(yield* store.find(sent.issuer, sent.id)).toEqual(sent)
      }),
    )
  })

  it("answers the other calls when one caller gives up", async () => {
    const { store } = await openCounted()
    const made = charges(40)
    const found = await run(
      Effect.gen(function* () {
        const fibers = []
        for (const charge of made)
          fibers.push(yield* Effect.forkChild(store.insert(charge), { startImmediately: true }))
        yield* Fiber.interrupt(fibers[0] as (typeof fibers)[number])
        for (const fiber of fibers.slice(1)) expect(yield* Fiber.join(fiber)).toEqual({ _tag: "Inserted" })
        return yield* store.find(made[0]!.issuer, made[0]!.id)
      }),
    )
    expect(found).toBeUndefined()
  })

  it("isn't affected by a moved Effect clock", async () => {
    const found = await run(
      Effect.gen(function* () {
        const store = yield* ChargeStore
        const charge = aPendingCharge()
        const insertion = yield* Effect.forkChild(store.insert(charge), { startImmediately: true })
        yield* TestClock.adjust("365 days")
        expect(yield* Fiber.join(insertion)).toEqual({ _tag: "Inserted" })
        return yield* store.find(charge.issuer, charge.id)
      }).pipe(Effect.provide(postgresStore({ db: pool })), Effect.provide(TestClock.layer())),
    )
    expect(found).toBeDefined()
  })
})
