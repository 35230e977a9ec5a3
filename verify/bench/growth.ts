import type { PendingCharge } from "@pixcharge/core/charges"
import type pg from "pg"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import { startPostgres } from "./startPostgres.ts"
import { stockCharges } from "./stockCharges.ts"
import { aCharge, issuer, openStore } from "./openStore.ts"

const few = 10_000
const many = Number(process.env["GROWTH"] ?? 10_000_000)
const rounds = 8
const callers = 64
// Few enough that the small table stays small.
const insertions = 20_000
const reads = 40_000

// With a table of gigabytes and the default of 1 GB of log between checkpoints, every insertion would log a whole page.
const flags = ["-c", "max_wal_size=16GB", "-c", "checkpoint_timeout=30min", "-c", "shared_buffers=1GB"]

const someIds = async (pool: pg.Pool): Promise<ReadonlyArray<PendingCharge["id"]>> => {
  const { rows } = await pool.query(
    "SELECT id FROM pixcharge.charges TABLESAMPLE SYSTEM (10) ORDER BY random() LIMIT 50000",
  )
  return rows.map(({ id }: { id: PendingCharge["id"] }) => id)
}

const openStocked = async (url: string, count: number) => {
  const opened = await openStore(url)
  const { pool } = opened
  await stockCharges(pool, count)
  await pool.query("VACUUM ANALYZE")
  await pool.query("CHECKPOINT")
  return { ...opened, ids: await someIds(pool), insert: [] as Array<number>, find: [] as Array<number> }
}

/** Compares insertions and status reads in a store with many charges with those in a store with few charges. */
export const growthBench = async (): Promise<ReadonlyArray<Ratio>> => {
  const server = await startPostgres(flags)
  try {
    const stores = [
      await openStocked(await server.database("few"), few),
      await openStocked(await server.database("many"), many),
    ] as const
    // The first round isn't measured: it only warms up both stores.
    for (let round = -1; round < rounds; round++) {
      for (const { store, keepBusy, pool, ids, insert, find } of round % 2 === 0 ? stores : stores.toReversed()) {
        const begun = new Date()
        const anyId = () => ids[Math.floor(Math.random() * ids.length)] ?? aCharge().id
        const inserted = await keepBusy(
          callers,
          (calls) => calls >= insertions,
          () => store.insert(aCharge()),
        )
        const found = await keepBusy(
          callers,
          (calls) => calls >= reads,
          () => store.find(issuer, anyId()),
        )
        for (const table of ["charges", "charge_texts"])
          await pool.query(`DELETE FROM pixcharge.${table} WHERE created_at > $1`, [begun])
        await pool.query("VACUUM pixcharge.charges, pixcharge.charge_texts")
        if (round < 0) continue
        insert.push(inserted)
        find.push(found)
      }
    }
    const [small, large] = stores
    const peer = `the same at ${few.toLocaleString("en")}`
    const stored = `${many.toLocaleString("en")} charges stored`
    const ratios = (["insert", "find"] as const).map((what) => ({
      what: `${what === "insert" ? "durable insertions" : "status reads"}, ${stored}`,
      peer,
      ...compareRounds(large[what], small[what]),
      goal: 1 / 1.3,
    }))
    for (const { close } of stores) await close()
    return ratios
  } finally {
    await server.stop()
  }
}
