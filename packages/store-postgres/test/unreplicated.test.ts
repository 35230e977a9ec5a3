import { startPostgres } from "@pixcharge/verify/world"
import { migrate } from "@pixcharge/store-postgres"
import { anUnmatchedPayment, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { until } from "@pixcharge/verify/postgres"
import { makeChargeStore } from "../src/charges/PostgresChargeStore.ts"
import type { Connection } from "../src/sql/Connection.ts"
import { makeReadCharges } from "../src/charges/readCharges.ts"
import { makeDatabase } from "../src/sql/Database.ts"
import { schemaName } from "../src/sql/SchemaName.ts"
import { run } from "./openStore.ts"

// A primary whose synchronous standby is away: every commit waits for it.

const server = await startPostgres(["-c", "fsync=off"])
afterAll(server.remove)

/** An administrator's pool. Its commits don't wait for the standby. */
const admin = new pg.Pool({ connectionString: `${server.url}/postgres`, options: "-c synchronous_commit=local" })
// The pool's connections can end after the server, with an error.
admin.on("error", () => {})
afterAll(() => admin.end())

/** The login of a host's role, without administrator's rights and with its own time-outs. */
const role = { user: "host", password: "host", database: "postgres", host: "127.0.0.1", port: server.port }

beforeAll(async () => {
  await admin.query("CREATE ROLE host LOGIN PASSWORD 'host'")
  await admin.query("ALTER ROLE host SET statement_timeout = '100ms'")
  await admin.query("ALTER ROLE host SET lock_timeout = '100ms'")
  await migrate(admin)
  await admin.query("GRANT USAGE ON SCHEMA pixcharge TO host")
  await admin.query("GRANT ALL ON ALL TABLES IN SCHEMA pixcharge TO host")
  await holdCommits()
})
beforeEach(() => endWaits("pg_terminate_backend"))

/** Makes commits wait for the standby. With an empty name, they don't wait. */
const waitFor = async (standby: string): Promise<void> => {
  await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`)
  await admin.query("SELECT pg_reload_conf()")
}

/** Whether commits wait. New settings apply only once the server's checkpointer has read them too. */
const isHeld = async (): Promise<boolean> => {
  const client = new pg.Client({ connectionString: `${server.url}/postgres`, options: "-c synchronous_commit=on" })
  client.on("error", () => {})
  await client.connect()
  let isCommitted = false
  const commit = client.query("SELECT pg_logical_emit_message(true, 'test', '')").then(
    () => (isCommitted = true),
    () => undefined,
  )
  await until(async () => isCommitted || (await waits()) > 0)
  await endWaits("pg_terminate_backend")
  await commit
  await client.end().catch(() => undefined)
  return !isCommitted
}

const holdCommits = async (): Promise<void> => {
  await waitFor("standby")
  await until(isHeld)
}

const endWaits = async (by: "pg_cancel_backend" | "pg_terminate_backend"): Promise<number> => {
  const { rows } = await admin.query(`SELECT ${by}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
  return rows.length
}
const waits = async (): Promise<number> => {
  const { rows } = await admin.query("SELECT count(*)::int AS waits FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
  return rows[0].waits
}
const untilOneWaits = () => expect.poll(waits, { interval: 10 }).toBe(1)

const openStore = (connection: Connection, answerMs: number) => {
  const database = makeDatabase(connection, schemaName(), { answerMs })
  return makeChargeStore(database, makeReadCharges(database))
}
const pooledStore = (answerMs = 10_000) => {
  const pool = new pg.Pool(role)
  pool.on("error", () => {})
  onTestFinished(() => pool.end())
  return openStore(pool, answerMs)
}
const outcome = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error)

const unreplicated = { _tag: "StoreUnavailable", cause: { kind: "unreplicated" } }

describe("a commit whose wait for the synchronous standby is cancelled", () => {
  it("fails for a charge, although Postgres reports success", async () => {
    const store = pooledStore()
    const charge = aPendingCharge()
    const answer = outcome(run(store.insert(charge)))
    await untilOneWaits()
    expect(await endWaits("pg_cancel_backend")).toBe(1)
    expect(await answer).toMatchObject(unreplicated)
    expect(await run(store.find(charge.issuer, charge.id))).toMatchObject({ id: charge.id })
  })

  it("fails for an unmatched payment", async () => {
    const store = pooledStore()
    const answer = outcome(run(store.recordUnmatched(anUnmatchedPayment())))
    await untilOneWaits()
    await endWaits("pg_cancel_backend")
    expect(await answer).toMatchObject(unreplicated)
  })

  it("fails on a single client, and the client's next call succeeds", async () => {
    const client = new pg.Client(role)
    await client.connect()
    onTestFinished(() => client.end())
    const store = openStore(client, 10_000)
    const charge = aPendingCharge()
    const answer = outcome(run(store.insert(charge)))
    await untilOneWaits()
    await endWaits("pg_cancel_backend")
    expect(await answer).toMatchObject(unreplicated)
    expect(await run(store.find(charge.issuer, charge.id))).toMatchObject({ id: charge.id })
  })
})

describe("a commit whose session ends while it waits for the synchronous standby", () => {
  it("is retried, and isn't answered before the standby has the commit", async () => {
    const store = pooledStore(1_500)
    const answer = outcome(run(store.insert(aPendingCharge())))
    await untilOneWaits()
    expect(await endWaits("pg_terminate_backend")).toBe(1)
    // The retry has found the charge, and waits like the first statement.
    await untilOneWaits()
    expect(await answer).toMatchObject({ _tag: "StoreUnavailable", cause: { kind: "lost" } })
  })

  it("is answered once it is replicated", async () => {
    const store = pooledStore()
    const answer = run(store.insert(aPendingCharge()))
    await untilOneWaits()
    await endWaits("pg_terminate_backend")
    await untilOneWaits()
    await waitFor("")
    onTestFinished(holdCommits)
    expect(await answer).toEqual({ _tag: "Inserted" })
  })
})

it("no statement or lock time-out ends the wait for the synchronous standby", async () => {
  const store = pooledStore(1_000)
  expect(await outcome(run(store.insert(aPendingCharge())))).toMatchObject({ cause: { kind: "lost" } })
  expect(await waits()).toBeGreaterThan(0)
})
