import { Outbox } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import { type Connection, maintenance, postgresStore } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type pg from "pg"
import { compareRounds, type Ratio } from "../compareRounds.ts"
import { aCharge, issuer, type OpenStore } from "../openStore.ts"

const windows = 8
const windowMs = 2_000
const callers = 64

type Load = Readonly<Record<"insert" | "find", number>>

/** Insertions and status reads by 64 callers for the time of one window; nanoseconds a call of each. */
const loadFor = async ({ store, keepBusy }: OpenStore, ids: ReadonlyArray<PendingCharge["id"]>): Promise<Load> => {
  const isOver = (_: number, elapsedMs: number): boolean => elapsedMs >= windowMs
  const anyId = () => ids[Math.floor(Math.random() * ids.length)] ?? aCharge().id
  const [insert, find] = await Promise.all([
    keepBusy(callers / 2, isOver, () => store.insert(aCharge())),
    keepBusy(callers / 2, isOver, () => store.find(issuer, anyId())),
  ])
  return { insert, find }
}

/** Rows that maintenance has moved or deleted. */
const maintained = async (pool: pg.Pool): Promise<number> => {
  await pool.query("SELECT pg_sleep(1.1)")
  const { rows } = await pool.query(
    `SELECT sum(CASE relname WHEN 'archived_texts' THEN n_tup_ins WHEN 'settled_deliveries' THEN n_tup_del END) AS done
     FROM pg_stat_user_tables WHERE schemaname = 'pixcharge'`,
  )
  return Number(rows[0].done)
}

/** Load in turns with a piece of upkeep and without. */
const beside = async (
  what: string,
  opened: OpenStore,
  ids: ReadonlyArray<PendingCharge["id"]>,
  work: (db: Connection) => Promise<unknown>,
): Promise<ReadonlyArray<Ratio>> => {
  const { pool } = opened
  const besideWork = async () => {
    let isOver = false
    const query: Connection["query"] = (statement) =>
      isOver ? Promise.reject(new Error("the window is over")) : pool.query(statement)
    const working = work({ query }).catch(() => undefined)
    const measured = await loadFor(opened, ids)
    isOver = true
    await working
    return measured
  }
  const turns = { alone: () => loadFor(opened, ids), beside: besideWork }
  const times = { alone: [] as Array<Load>, beside: [] as Array<Load> }
  const before = await maintained(pool)
  for (let window = -1; window < windows; window++) {
    for (const turn of window % 2 === 0 ? (["alone", "beside"] as const) : (["beside", "alone"] as const)) {
      const measured = await turns[turn]()
      // The first round warms up and is thrown away.
      if (window >= 0) times[turn].push(measured)
    }
  }
  const rows = (await maintained(pool)) - before
  console.error(`  ${what}: ${Math.round(rows / (((windows + 1) * windowMs) / 1_000))} rows/s beside full load`)
  return (["insert", "find"] as const).map((call) => ({
    what: `${call === "insert" ? "durable insertions" : "status reads"} beside ${what}`,
    peer: "the same without it, taking turns",
    ...compareRounds(
      times.beside.map((one) => one[call]),
      times.alone.map((one) => one[call]),
    ),
    goal: 2 / 3,
  }))
}

/** How much archiving and purging slow a full load. */
export const upkeep = async (opened: OpenStore): Promise<ReadonlyArray<Ratio>> => {
  const { rows } = await opened.pool.query(
    "SELECT id FROM pixcharge.charges TABLESAMPLE SYSTEM (1) WHERE issuer = $1 LIMIT 50000",
    [issuer],
  )
  const ids = rows.map(({ id }: { id: PendingCharge["id"] }) => id)
  const settledBefore = Date.now() - 3_600_000
  const purge = async (db: Connection): Promise<void> => {
    const runtime = ManagedRuntime.make(postgresStore({ db }))
    await runtime.runPromise(Effect.flatMap(Outbox, (outbox) => outbox.purge(settledBefore))).catch(() => undefined)
    await runtime.dispose()
  }
  return [
    ...(await beside("archiving", opened, ids, (db) => maintenance(db, { settledBefore }))),
    ...(await beside("purging deliveries", opened, ids, purge)),
  ]
}
