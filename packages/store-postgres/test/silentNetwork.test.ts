import { migrate, neonConnection } from "@pixcharge/store-postgres"
import { aPendingCharge, startStopwatch } from "@pixcharge/adapter-tests/fixtures"
import { TcpProxy } from "@pixcharge/verify/world"
import * as Effect from "effect/Effect"
import pg from "pg"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { makeChargeStore } from "../src/charges/PostgresChargeStore.ts"
import { makeReadCharges } from "../src/charges/readCharges.ts"
import { makeDatabase } from "../src/sql/Database.ts"
import { makeOutbox } from "../src/outbox/PostgresOutbox.ts"
import { schemaName } from "../src/sql/SchemaName.ts"
import { run } from "./openStore.ts"

const direct = await realPostgres()
const callers = 40
const limitMs = 1_000

beforeAll(() => migrate(direct))

/** Opens a host's pool of ten connections behind a proxy that can go silent, and a store that waits for one second. */
const behindProxy = async () => {
  const { hostname, port, pathname, username, password } = new URL(direct.options.connectionString ?? "")
  const proxy = await TcpProxy.start(Number(port))
  const url = `postgres://${username}:${password}@${hostname}:${proxy.port}${pathname}`
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  pool.on("error", () => {})
  onTestFinished(async () => {
    await pool.end()
    proxy.close()
  })
  const database = makeDatabase(pool, schemaName(), { answerMs: limitMs, connectMs: limitMs })
  const outbox = makeOutbox(database)
  const store = makeChargeStore(database, makeReadCharges(database))
  /** Sends a statement for each caller; returns the number of answers. */
  const countServed = async () => {
    const answers = await Promise.allSettled(Array.from({ length: callers }, () => run(outbox.depth)))
    return answers.filter(({ status }) => status === "fulfilled").length
  }
  /** Repeats the calls, because a busy machine can need longer for a connection than the store waits. */
  const expectAllServed = () => expect.poll(countServed).toBe(callers)
  return { proxy, pool, store, countServed, expectAllServed }
}

describe("a network that goes silent", () => {
  it("blocks connections only for a statement's time limit, and then new connections serve all callers", async () => {
    const { proxy, pool, store, countServed, expectAllServed } = await behindProxy()
    await expectAllServed()
    expect(pool.totalCount).toBe(10)
    proxy.silence()
    expect(await countServed()).toBe(0)
    proxy.forward()
    await expectAllServed()
    expect(pool.waitingCount).toBe(0)
    const stores = () => run(Effect.isSuccess(store.insert(aPendingCharge())))
    await expect.poll(stores).toBe(true)
  })

  it("doesn't keep a connection that is still being made", async () => {
    const { proxy, pool, countServed, expectAllServed } = await behindProxy()
    proxy.silence()
    expect(await countServed()).toBe(0)
    expect(await countServed()).toBe(0)
    proxy.forward()
    // Connections that were begun during the silence end within the limit. Then all callers get an answer.
    await expectAllServed()
    expect(pool.waitingCount).toBe(0)
  })

  it("makes each call fail within the time limit, including calls that share statements", async () => {
    const { proxy, store, expectAllServed } = await behindProxy()
    await expectAllServed()
    proxy.silence()
    const stop = startStopwatch()
    const charges = Array.from({ length: callers }, () => aPendingCharge())
    const answers = await run(
      Effect.all(
        charges.map((charge) => Effect.exit(store.find(charge.issuer, charge.id))),
        { concurrency: "unbounded" },
      ),
    )
    expect(answers.every(({ _tag }) => _tag === "Failure")).toBe(true)
    expect(stop()).toBeLessThan(4 * limitMs)
    proxy.forward()
    await expectAllServed()
  })
})

it("a connection that becomes free too late returns to its pool", async () => {
  const pool = new pg.Pool({ ...direct.options, max: 1 })
  onTestFinished(() => pool.end())
  const outbox = makeOutbox(makeDatabase(pool, schemaName(), { answerMs: 100 }))
  const held = await pool.connect()
  await expect(run(outbox.depth)).rejects.toMatchObject({ _tag: "StoreUnavailable" })
  held.release()
  await expect.poll(() => pool.idleCount).toBe(1)
})

describe("Neon over HTTP", () => {
  it("aborts the request of an abandoned statement", async () => {
    const proxy = await TcpProxy.start(Number(new URL(direct.options.connectionString ?? "").port))
    onTestFinished(() => proxy.close())
    proxy.silence()
    const requests: Array<Promise<unknown>> = []
    const neon = neonConnection({
      query: (_text, _values, options) => {
        const request = fetch(`http://127.0.0.1:${proxy.port}`, options?.fetchOptions ?? {})
        requests.push(request)
        return request.then(() => [])
      },
    })
    const outbox = makeOutbox(makeDatabase(neon, schemaName(), { answerMs: 300 }))
    await expect(run(outbox.depth)).rejects.toMatchObject({ _tag: "StoreUnavailable", cause: { kind: "lost" } })
    expect((await Promise.allSettled(requests)).map(({ status }) => status)).toEqual(["rejected"])
  })
})

describe("a pool's own limit on connecting", () => {
  it("is the host's limit if set, and our default otherwise", () => {
    for (const [own, expected] of [
      [undefined, 15_000],
      [0, 0],
      [3_000, 3_000],
    ] as const) {
      const pool = new pg.Pool(own === undefined ? {} : { connectionTimeoutMillis: own })
      makeDatabase(pool, schemaName())
      expect(pool.options.connectionTimeoutMillis).toBe(expected)
    }
  })
})
