import type { PendingCharge } from "@pixcharge/core/charges"
import { type Connection, maintenance } from "@pixcharge/store-postgres"
import type pg from "pg"
import { compareRounds, type Ratio } from "../compareRounds.ts"
import { aCharge, issuer, type OpenStore } from "../openStore.ts"

const windows = 8
const windowMs = 2_000
const callers = 64

type Load = Readonly<Record<"insert" | "find", number>>

/** Insertions and status reads by 64 callers during one window: nanoseconds per call of each. */
const loadFor = async ({ store, keepBusy }: OpenStore, ids: ReadonlyArray<PendingCharge["id"]>): Promise<Load> => {
  const isOver = (_: number, elapsedMs: number): boolean => elapsedMs >= windowMs
  const anyId = () => ids[Math.floor(Math.random() * ids.length)] ?? aCharge().id
  const [insert, find] = await Promise.all([
    keepBusy(callers / 2, isOver, () => store.insert(aCharge())),
    keepBusy(callers / 2, isOver, () => store.find(issuer, anyId())),
  ])
  return { insert, find }
}

/** Counts the deleted deliveries. */
const countPurged = async (pool: pg.Pool): Promise<number> => {
  await pool.query("SELECT pg_sleep(1.1)")
  const { rows } = await pool.query("SELECT n_tup_del FROM pg_stat_user_tables WHERE relname = 'settled_deliveries'")
  return Number(rows[0].n_tup_del)
}

/** How much purging slows a full load: load in turns with it and without. */
export const upkeep = async (opened: OpenStore): Promise<ReadonlyArray<Ratio>> => {
  const { pool } = opened
  const { rows: some } = await pool.query(
    "SELECT id FROM pixcharge.charges TABLESAMPLE SYSTEM (1) WHERE issuer = $1 LIMIT 50000",
    [issuer],
  )
  const ids = some.map(({ id }: { id: PendingCharge["id"] }) => id)
  const settledBefore = Date.now() - 3_600_000
  const besidePurge = async () => {
    let isOver = false
    const query: Connection["query"] = (statement) =>
      isOver ? Promise.reject(new Error("the window is over")) : pool.query(statement)
    const working = maintenance({ query }, { settledBefore }).catch(() => undefined)
    const measured = await loadFor(opened, ids)
    isOver = true
    await working
    return measured
  }
  const turns = { alone: () => loadFor(opened, ids), beside: besidePurge }
  const times = { alone: [] as Array<Load>, beside: [] as Array<Load> }
  const before = await countPurged(pool)
  for (let window = -1; window < windows; window++) {
    for (const turn of window % 2 === 0 ? (["alone", "beside"] as const) : (["beside", "alone"] as const)) {
      const measured = await turns[turn]()
      // The first round is a warm-up and does not count.
      if (window >= 0) times[turn].push(measured)
    }
  }
  const rows = (await countPurged(pool)) - before
  console.error(`  ${Math.round(rows / (((windows + 1) * windowMs) / 1_000))} deliveries/s purged beside full load`)
  return (["insert", "find"] as const).map((call) => ({
    what: `${call === "insert" ? "durable insertions" : "status reads"} beside purging deliveries`,
    peer: "the same without it, taking turns",
    ...compareRounds(
      times.beside.map((one) => one[call]),
      times.alone.map((one) => one[call]),
    ),
    goal: 2 / 3,
  }))
}
