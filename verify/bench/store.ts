import type { PendingCharge } from "@pixcharge/core/charges"
import pg from "pg"
import { median } from "../world/quantile.ts"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import { nameWithVersion } from "./nameWithVersion.ts"
import { aCharge, brCode, issuer, openStore, payer } from "./openStore.ts"
import { findPgbench, pgbench } from "./pgbench.ts"

const insertion = (charge: string, texts: string): string => `WITH charge AS (
    INSERT INTO pixcharge.charges (
      issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until, check_at, updated_at, state, version
    ) VALUES (${charge}, 'pending', 1) ON CONFLICT DO NOTHING RETURNING issuer, id, created_at
  )
  INSERT INTO pixcharge.charge_texts (issuer, id, created_at, payer_name, payer_tax_id, br_code)
  SELECT issuer, id, created_at, ${texts} FROM charge RETURNING id`

const pgbenchScript = `${insertion(
  `'${issuer}', gen_random_uuid(), gen_random_uuid(), 1990, now(), now() + interval '600 s', now() + interval '87000 s',
  now() + interval '45 s', now()`,
  `'${payer.name}', '${payer.taxId}', '${brCode}'`,
)};`.replaceAll("\n", " ")

const insertOne = {
  name: "insert_one",
  text: insertion("$1, $2, $3, $4, $5, $6, $7, $8, $9", "$10::text, $11::text, $12::text"),
}

const insertByHand = (pool: pg.Pool, charge: PendingCharge) =>
  pool.query({
    ...insertOne,
    values: [
      charge.issuer,
      charge.id,
      charge.transactionId,
      charge.amountCents,
      new Date(charge.createdAt),
      new Date(charge.payableUntil),
      new Date(charge.watchUntil),
      new Date(charge.checkAt ?? 0),
      new Date(charge.updatedAt),
      payer.name,
      payer.taxId,
      charge.brCode,
    ],
  })

const findOne = { name: "find_one", text: "SELECT * FROM pixcharge.charges WHERE issuer = $1 AND id = $2" }

/** Makes calls with `count` concurrent callers. Returns nanoseconds per call. */
const callers = async (count: number, ms: number, call: () => Promise<unknown>): Promise<number> => {
  const end = performance.now() + ms
  const begin = performance.now()
  let calls = 0
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (performance.now() < end) {
        await call()
        calls++
      }
    }),
  )
  return ((performance.now() - begin) * 1e6) / calls
}

const rounds = 5
const roundMs = 2_500
const callerCounts = [32, 128]

const isRoundOver = (_: number, elapsedMs: number): boolean => elapsedMs >= roundMs

/** Compares the store with pgbench, and with pg that sends one statement per call. */
export const storeBench = async (databases: (name: string) => Promise<string>): Promise<ReadonlyArray<Ratio>> => {
  const url = await databases("store")
  const { pool, store, keepBusy, close } = await openStore(url)
  const wide = new pg.Pool({ connectionString: url, max: 32 })
  wide.on("error", () => undefined)
  const bench = findPgbench()
  if (bench === undefined) {
    console.error(
      "*** pgbench is not installed (Debian: apt install postgresql-contrib): insertions are not compared with it",
    )
  }
  const ratios: Array<Ratio> = []
  for (const count of callerCounts) {
    const times = { insert: [] as Array<number>, byHand: [] as Array<number>, pgbench: [] as Array<number> }
    const reads = { find: [] as Array<number>, byHand: [] as Array<number> }
    for (let round = 0; round < rounds; round++) {
      await pool.query("TRUNCATE pixcharge.charges, pixcharge.charge_texts")
      await pool.query("CHECKPOINT")
      const charges: Array<PendingCharge> = []
      times.insert.push(
        await keepBusy(count, isRoundOver, () => {
          const charge = aCharge()
          charges.push(charge)
          return store.insert(charge)
        }),
      )
      await pool.query("CHECKPOINT")
      times.byHand.push(await callers(count, roundMs, () => insertByHand(wide, aCharge())))
      await pool.query("CHECKPOINT")
      if (bench !== undefined) times.pgbench.push(pgbench(bench, url, pgbenchScript, { clients: count, ms: roundMs }))
      await pool.query("VACUUM ANALYZE pixcharge.charges, pixcharge.charge_texts")
      const pickCharge = () => charges[Math.floor(Math.random() * charges.length)] ?? aCharge()
      reads.find.push(await keepBusy(count, isRoundOver, () => store.find(issuer, pickCharge().id)))
      reads.byHand.push(
        await callers(count, roundMs, () => wide.query({ ...findOne, values: [issuer, pickCharge().id] })),
      )
    }
    const perSecond = (each: ReadonlyArray<number>) => Math.round(1e9 / median(each))
    console.error(
      `  ${count} callers: ${perSecond(times.insert)} durable insertions/s, ${perSecond(reads.find)} reads/s`,
    )
    const what = `durable insertions, ${count} callers`
    if (bench !== undefined) {
      const peer = "pgbench, the same row prepared"
      ratios.push({ what, peer, ...compareRounds(times.insert, times.pgbench), goal: 1.5 })
    }
    const peer = `${nameWithVersion("pg")}, one prepared statement a call`
    ratios.push(
      { what, peer, ...compareRounds(times.insert, times.byHand), goal: 1.5 },
      { what: `status reads, ${count} callers`, peer, ...compareRounds(reads.find, reads.byHand), goal: 1.5 },
    )
  }
  await Promise.all([close(), wide.end()])
  return ratios
}
