import { ChargeStore } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type pg from "pg"
import { close, open } from "./churn/opened.ts"
import { archive, check, deliver, pay } from "./churn/operations.ts"
import { backendCpu, writtenLog } from "./churn/tables.ts"
import { markdownTable } from "./report.ts"
import { startPostgres } from "./startPostgres.ts"
import { aCharge } from "./store.ts"

const count = 10_000
const minute = 60_000
const companies = Array.from({ length: 20 }, (_, at) => String(20_000_000_000_000 + at) as Cnpj)

// No page is logged whole, for each is new since the one checkpoint: what is counted is the same in every run.
const flags = ["-c", "max_wal_size=4GB", "-c", "checkpoint_timeout=30min", "-c", "shared_buffers=1GB"]

/** Bytes of the tables, with their indexes, packed as densely as they can be. */
const kept = async (pool: pg.Pool): Promise<number> => {
  await pool.query("VACUUM (FULL, ANALYZE)")
  const { rows } = await pool.query(
    "SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relnamespace = 'pixcharge'::regnamespace AND relkind = 'r'",
  )
  return Number(rows[0].bytes)
}

/** What each step of a charge's life costs the database: bytes of log, processor time of the sessions, and bytes that it keeps. */
export const lifeBench = async (): Promise<string> => {
  const server = await startPostgres(flags)
  try {
    const { pool, runtime } = await open(await server.database("life"))
    await pool.query("CHECKPOINT")
    let keptBefore = await kept(pool)
    const rows: Array<ReadonlyArray<string>> = []
    const step = async <R extends Parameters<typeof runtime.runPromise>[0]>(name: string, work: R): Promise<void> => {
      const before = { log: await writtenLog(pool), cpu: await backendCpu(pool) }
      await runtime.runPromise(work)
      const after = { log: await writtenLog(pool), cpu: await backendCpu(pool) }
      const keptAfter = await kept(pool)
      const eachCharge = [after.log - before.log, (after.cpu - before.cpu) * 1_000, keptAfter - keptBefore]
      rows.push([name, ...eachCharge.map((value) => String(Math.round(value / count)))])
      keptBefore = keptAfter
    }
    const now = Date.now()
    const charges = Array.from({ length: count }, (_, at): PendingCharge => ({
      ...aCharge(),
      issuer: companies[at % companies.length] as Cnpj,
    }))
    await step(
      "issue",
      Effect.gen(function* () {
        const { insert } = yield* ChargeStore
        yield* Effect.forEach(charges, insert, { concurrency: 64, discard: true })
      }),
    )
    await step("check", check(now + minute))
    await step("pay", pay(charges, now + 2 * minute))
    await step("deliver", Effect.andThen(deliver(now + 3 * minute), deliver(now + 5 * minute)))
    await step("archive", archive(now + 10 * minute, count))
    await close({ pool, runtime })
    return markdownTable(["Step, one run", "Log, bytes", "Sessions, µs", "Kept, bytes"], rows)
  } finally {
    await server.stop()
  }
}
