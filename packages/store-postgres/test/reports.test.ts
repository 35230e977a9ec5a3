import type { Outbox } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { migrate } from "@pixcharge/store-postgres"
import { aCnpj, anotherCnpj, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import pg from "pg"
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { realPostgres, until } from "@pixcharge/verify/postgres"
import { makeDatabase } from "../src/sql/Database.ts"
import { reportTurns } from "../src/sql/ReportTurns.ts"
import { makeOutbox } from "../src/outbox/PostgresOutbox.ts"
import { schemaName } from "../src/sql/SchemaName.ts"
import { openStore, run } from "./openStore.ts"
import { otherSession } from "./otherSession.ts"

const direct = await realPostgres()

beforeAll(() => migrate(direct))

const hostPool = (max: number) => {
  const name = `host_${crypto.randomUUID().slice(0, 8)}`
  const pool = new pg.Pool({ ...direct.options, max, application_name: name })
  onTestFinished(() => pool.end())
  const countBlocked = async (): Promise<number> => {
    const { rows } = await direct.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
      [name],
    )
    return rows[0].n
  }
  return { pool, countBlocked }
}

const holdReports = () =>
  otherSession(direct, (client) => client.query("LOCK TABLE pixcharge.settled_deliveries IN ACCESS EXCLUSIVE MODE"))

const report = (outbox: Outbox["Service"], company: Cnpj) => outbox.list(company, {}, { limit: 10 })

/** Requests reports, and records in `ended` how each report ended. */
const requestMany = (outbox: Outbox["Service"], company: Cnpj, count: number, ended: Array<string> = []) =>
  Array.from({ length: count }, async () => {
    const tag = await run(
      Effect.match(report(outbox, company), { onFailure: ({ _tag }) => _tag, onSuccess: () => "Page" }),
    )
    ended.push(`${company} ${tag}`)
    return tag
  })

const countTag = (tags: ReadonlyArray<string>, tag: string) => tags.filter((one) => one === tag).length

describe("reports of a company", () => {
  it("use a quarter of the pool, and don't block another company's charge", async () => {
    const { pool, countBlocked } = hostPool(10)
    const { outbox, store } = await openStore({ db: pool })
    const lock = await holdReports()
    const requested = requestMany(outbox, aCnpj, 300)
    await until(async () => (await countBlocked()) === 2)
    for (let charges = 0; charges < 20; charges++) {
      expect(await run(store.insert(aPendingCharge({ issuer: anotherCnpj })))).toEqual({ _tag: "Inserted" })
    }
    expect(await countBlocked()).toBe(2)
    expect(pool.waitingCount).toBe(0)
    await lock.end()
    const tags = await Promise.all(requested)
    expect([countTag(tags, "Page"), countTag(tags, "TooManyReports")]).toEqual([52, 248])
  })

  it("are refused when fifty reports wait, but another company's reports aren't", async () => {
    const { pool, countBlocked } = hostPool(4)
    const { outbox } = await openStore({ db: pool })
    const lock = await holdReports()
    const requested = requestMany(outbox, aCnpj, 51)
    await until(async () => (await countBlocked()) === 1)
    expect(await run(Effect.flip(report(outbox, aCnpj)))).toMatchObject({
      _tag: "TooManyReports",
      issuer: aCnpj,
      retryAfterMs: expect.any(Number),
    })
    const others = requestMany(outbox, anotherCnpj, 1)
    await lock.end()
    expect(await Promise.all([...others, ...requested])).toEqual(Array(52).fill("Page"))
  })

  it("take turns with other companies' reports", async () => {
    const { pool, countBlocked } = hostPool(4)
    const { outbox } = await openStore({ db: pool })
    const lock = await holdReports()
    const ended: Array<string> = []
    const first = requestMany(outbox, aCnpj, 1, ended)
    await until(async () => (await countBlocked()) === 1)
    const requested = [...first, ...requestMany(outbox, aCnpj, 4, ended), ...requestMany(outbox, anotherCnpj, 3, ended)]
    await lock.end()
    await Promise.all(requested)
    const [one, other] = [`${aCnpj} Page`, `${anotherCnpj} Page`]
    expect(ended).toEqual([one, one, other, one, other, one, other, one])
  })

  it("free their place when they are abandoned, and take no connection", async () => {
    const { pool, countBlocked } = hostPool(4)
    const { outbox } = await openStore({ db: pool })
    const lock = await holdReports()
    const fibers = Array.from({ length: 51 }, () => Effect.runFork(report(outbox, aCnpj)))
    await until(async () => (await countBlocked()) === 1)
    await run(Fiber.interruptAll(fibers.slice(1)))
    const requested = requestMany(outbox, aCnpj, 50)
    expect(await run(Effect.flip(report(outbox, aCnpj)))).toMatchObject({ _tag: "TooManyReports" })
    await run(Fiber.interruptAll(fibers))
    await until(async () => (await countBlocked()) === 1)
    await lock.end()
    expect(await Promise.all(requested)).toEqual(Array(50).fill("Page"))
    expect([pool.idleCount, pool.waitingCount]).toEqual([pool.totalCount, 0])
  })

  it("wait at most ten seconds for a turn, and can run on a single connection", async () => {
    const turns = reportTurns({ query: () => new Promise(() => {}), options: { max: 1 } })
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const end = await turns.take(aCnpj)
    const waiting = turns.take(anotherCnpj)
    const refusal = expect(waiting).rejects.toMatchObject({ _tag: "TooManyReports", issuer: anotherCnpj })
    vi.advanceTimersByTime(10_000)
    await refusal
    const next = turns.take(aCnpj)
    end()
    expect(await next).toEqual(expect.any(Function))
  })

  it("don't delay the look-up of a payment or an exception", async () => {
    const { pool, countBlocked } = hostPool(4)
    const { outbox, lists, exceptions } = await openStore({ db: pool })
    const lock = await holdReports()
    const requested = requestMany(outbox, aCnpj, 20)
    await until(async () => (await countBlocked()) === 1)
    expect(await run(lists.payment(aCnpj, "E1"))).toBeUndefined()
    expect(await run(exceptions.find(aCnpj, "E1"))).toBeUndefined()
    await lock.end()
    await Promise.all(requested)
  })
})

describe("an abandoned statement", () => {
  it("is cancelled on the server after its time limit, and its connection is used again", async () => {
    const { pool, countBlocked } = hostPool(1)
    const outbox = makeOutbox(makeDatabase(pool, schemaName(), { answerMs: 300 }))
    const { rows: before } = await pool.query("SELECT pg_backend_pid() AS pid")
    const lock = await holdReports()
    await expect(run(report(outbox, aCnpj))).rejects.toMatchObject({
      _tag: "StoreUnavailable",
      cause: { kind: "lost", message: "no answer from the database for 0.3 s" },
    })
    expect(await countBlocked()).toBe(0)
    expect((await pool.query("SELECT pg_backend_pid() AS pid")).rows).toEqual(before)
    await lock.end()
  })

  it("is cancelled on the server when its caller gives up, and isn't retried", async () => {
    const { pool, countBlocked } = hostPool(4)
    const { outbox, exceptions } = await openStore({ db: pool })
    const lock = await otherSession(direct, (client) =>
      client.query("LOCK TABLE pixcharge.settled_deliveries, pixcharge.payments IN ACCESS EXCLUSIVE MODE"),
    )
    const fibers = [Effect.runFork(report(outbox, aCnpj)), Effect.runFork(exceptions.find(aCnpj, "E1"))]
    await until(async () => (await countBlocked()) === 2)
    await run(Fiber.interruptAll(fibers))
    await until(async () => (await countBlocked()) === 0)
    await expect.poll(() => pool.idleCount).toBe(pool.totalCount)
    await lock.end()
  })

  it("is executed if it writes", async () => {
    const { pool, countBlocked } = hostPool(4)
    const { outbox } = await openStore({ db: pool })
    const lock = await holdReports()
    const fiber = Effect.runFork(outbox.purge(0))
    await until(async () => (await countBlocked()) === 1)
    await run(Fiber.interrupt(fiber))
    expect(await countBlocked()).toBe(1)
    await lock.end()
    await expect.poll(() => pool.idleCount).toBe(pool.totalCount)
  })

  it("makes its connection leave the pool if the cancellation can't be sent", async () => {
    const { pool } = hostPool(1)
    const outbox = makeOutbox(makeDatabase(pool, schemaName(), { answerMs: 300 }))
    const { rows: before } = await pool.query("SELECT pg_backend_pid() AS pid")
    const lock = await holdReports()
    // Sends the cancellation to a port without a listener.
    pool.on("acquire", (client) => Object.assign(client, { port: 1 }))
    await expect(run(report(outbox, aCnpj))).rejects.toMatchObject({
      _tag: "StoreUnavailable",
      cause: { kind: "lost" },
    })
    await lock.end()
    expect((await pool.query("SELECT pg_backend_pid() AS pid")).rows).not.toEqual(before)
  })
})
