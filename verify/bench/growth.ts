import { aCnpj as issuer, aPayer, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import { ChargeStore } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import { postgresStore } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import pg from "pg"
import { alternate } from "./alternate.ts"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import { startPostgres } from "./startPostgres.ts"
import { stockCharges } from "./stockCharges.ts"

const few = 10_000
const many = Number(process.env["GROWTH"] ?? 10_000_000)
const callers = 64
// Few enough that the small table stays small.
const insertions = 20_000
const reads = 40_000

// With the default of 1 GB of log between checkpoints, every insertion into a table of gigabytes would log a whole page.
const flags = ["-c", "max_wal_size=16GB", "-c", "checkpoint_timeout=30min", "-c", "shared_buffers=1GB"]

const brCode = `00020101021226880014br.gov.bcb.pix2566pix.example.com/qr/v2/${"0".repeat(32)}`.padEnd(180, "5")

const newCharge = (): PendingCharge => {
  const createdAt = Date.now()
  return aPendingCharge({ issuer, payer: aPayer, brCode, createdAt, checkAt: createdAt + 45_000 })
}

/** Opens a store with many charges. Its callers are fibers of one runtime, as in a host. */
const openStocked = async (connectionString: string, count: number) => {
  const pool = new pg.Pool({ connectionString, max: 10, idleTimeoutMillis: 0 })
  // Some connections are still closing when the server stops.
  pool.on("error", () => undefined)
  const runtime = ManagedRuntime.make(postgresStore({ db: pool }))
  const store = await runtime.runPromise(ChargeStore)
  await stockCharges(pool, count)
  await pool.query("VACUUM ANALYZE")
  await pool.query("CHECKPOINT")
  const { rows: stored } = await pool.query<Pick<PendingCharge, "id">>(
    "SELECT id FROM pixcharge.charges TABLESAMPLE SYSTEM (10) ORDER BY random() LIMIT 50000",
  )
  const time = async (calls: number, call: (index: number) => Effect.Effect<unknown, unknown>): Promise<number> => {
    const began = performance.now()
    await runtime.runPromise(Effect.forEach(Array(calls).keys(), call, { concurrency: callers, discard: true }))
    return performance.now() - began
  }
  return {
    /** The milliseconds of a round's insertions and status reads. The inserted charges are deleted again. */
    takeTurn: async () => {
      const begun = new Date()
      const insert = await time(insertions, () => store.insert(newCharge()))
      const find = await time(reads, (index) => store.find(issuer, stored[index % stored.length]?.id ?? newCharge().id))
      for (const table of ["charges", "charge_texts"])
        await pool.query(`DELETE FROM pixcharge.${table} WHERE created_at > $1`, [begun])
      await pool.query("VACUUM pixcharge.charges, pixcharge.charge_texts")
      return { insert, find }
    },
    close: async () => {
      await runtime.dispose()
      await pool.end()
    },
  }
}

/** Compares insertions and status reads in a store with many charges with those in a store with few charges. */
export const growthBench = async (): Promise<ReadonlyArray<Ratio>> => {
  const server = await startPostgres(flags)
  try {
    const stores = [
      await openStocked(await server.database("few"), few),
      await openStocked(await server.database("many"), many),
    ]
    const [small = [], large = []] = await alternate(stores, { rounds: 8, warmUp: 1 }, ({ takeTurn }) => takeTurn())
    for (const { close } of stores) await close()
    const compare = (what: string, of: "insert" | "find"): Ratio => ({
      what: `${what}, ${many.toLocaleString("en")} charges stored`,
      peer: `the same at ${few.toLocaleString("en")}`,
      ...compareRounds(
        large.map((turn) => turn[of]),
        small.map((turn) => turn[of]),
      ),
      goal: 1 / 1.3,
    })
    return [compare("durable insertions", "insert"), compare("status reads", "find")]
  } finally {
    await server.stop()
  }
}
