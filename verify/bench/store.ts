import { ChargeStore } from "@pixcharge/core"
import { type PendingCharge, parseChargeId, chargeTxid } from "@pixcharge/core/charge"
import type { Cents } from "@pixcharge/core/money"
import { type Cnpj, parseCnpj, parseCpf } from "@pixcharge/core/party"
import { postgresStore } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import pg from "pg"
import { compareRounds } from "./compareRounds.ts"
import { findPgbench, pgbench } from "./pgbench.ts"
import { named } from "./named.ts"
import { median } from "../world/quantile.ts"
import type { Ratio } from "./Ratio.ts"

export const issuer: Cnpj = Result.getOrThrow(parseCnpj("12345678000195"))
const payer = { name: "Maria da Silva", taxId: Result.getOrThrow(parseCpf("52998224725")) }
const brCode = `00020101021226880014br.gov.bcb.pix2566pix.example.com/qr/v2/${"0123456789abcdef".repeat(2)}`.padEnd(
  180,
  "5",
)

/** An immediate charge with a payer: the row that every contender stores. */
export const aCharge = (): PendingCharge => {
  const id = Result.getOrThrow(parseChargeId(crypto.randomUUID()))
  const createdAt = Date.now()
  return {
    _tag: "Pending",
    issuer,
    id,
    txid: chargeTxid(id),
    transactionId: crypto.randomUUID(),
    amountCents: 1990 as Cents,
    payer,
    brCode,
    createdAt,
    payableUntil: createdAt + 600_000,
    watchUntil: createdAt + 87_000_000,
    checkAt: createdAt + 45_000,
    version: 1,
    updatedAt: createdAt,
    returns: [],
  }
}

const columns = `issuer, id, transaction_id, amount_cents, payer_name, payer_tax_id, br_code,
  created_at, payable_until, watch_until, check_at, updated_at, state, version`

/** The same row for pgbench, which makes its ids by itself. */
const pgbenchScript = `INSERT INTO pixcharge.charges (${columns}) VALUES (
  '${issuer}', gen_random_uuid(), gen_random_uuid(), 1990, '${payer.name}', '${payer.taxId}', '${brCode}',
  now(), now() + interval '600 s', now() + interval '87000 s', now() + interval '45 s', now(), 'pending', 1
);`.replaceAll("\n", " ")

const insertOne = {
  name: "insert_one",
  text: `INSERT INTO pixcharge.charges (${columns})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'pending', 1)
    ON CONFLICT DO NOTHING RETURNING id`,
}

const insertByHand = (pool: pg.Pool, charge: PendingCharge) =>
  pool.query({
    ...insertOne,
    values: [
      charge.issuer,
      charge.id,
      charge.transactionId,
      charge.amountCents,
      payer.name,
      payer.taxId,
      charge.brCode,
      new Date(charge.createdAt),
      new Date(charge.payableUntil),
      new Date(charge.watchUntil),
      new Date(charge.checkAt ?? 0),
      new Date(charge.updatedAt),
    ],
  })

const findOne = { name: "find_one", text: "SELECT * FROM pixcharge.charges WHERE issuer = $1 AND id = $2" }

/** Keeps so many callers busy for a while; nanoseconds a call. */
export const callers = async (count: number, ms: number, call: () => Promise<unknown>): Promise<number> => {
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

/** A store and its callers, which are fibers of one runtime, as they are in a host. */
export const openStore = async (pool: pg.Pool) => {
  const runtime = ManagedRuntime.make(postgresStore({ db: pool }))
  const store = await runtime.runPromise(ChargeStore)

  /** Keeps so many callers busy for the time of one round; nanoseconds a call. */
  const fibers = async (
    count: number,
    isEnough: (calls: number, elapsedMs: number) => boolean,
    call: () => Effect.Effect<unknown, unknown>,
  ): Promise<number> => {
    const begin = performance.now()
    let calls = 0
    const caller = Effect.gen(function* () {
      while (!isEnough(calls, performance.now() - begin)) {
        calls++
        yield* call()
      }
    })
    await runtime.runPromise(
      Effect.all(
        Array.from({ length: count }, () => caller),
        { concurrency: "unbounded" },
      ),
    )
    return ((performance.now() - begin) * 1e6) / calls
  }

  return { store, fibers, dispose: () => runtime.dispose() }
}

const rounds = 5
const roundMs = 2_500
const callerCounts = [32, 128]

const isRoundOver = (_: number, elapsedMs: number): boolean => elapsedMs >= roundMs

/** Durable insertions and status reads: the store beside pgbench and beside one statement a call, taking turns. */
export const storeBench = async (databases: (name: string) => Promise<string>): Promise<ReadonlyArray<Ratio>> => {
  const url = await databases("store")
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const wide = new pg.Pool({ connectionString: url, max: 32 })
  // Connections that are still ending when the server stops.
  for (const one of [pool, wide]) one.on("error", () => {})
  const { store, fibers, dispose } = await openStore(pool)
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
      await pool.query("TRUNCATE pixcharge.charges")
      await pool.query("CHECKPOINT")
      const charges: Array<PendingCharge> = []
      times.insert.push(
        await fibers(count, isRoundOver, () => {
          const charge = aCharge()
          charges.push(charge)
          return store.insert(charge)
        }),
      )
      await pool.query("CHECKPOINT")
      times.byHand.push(await callers(count, roundMs, () => insertByHand(wide, aCharge())))
      await pool.query("CHECKPOINT")
      if (bench !== undefined) times.pgbench.push(pgbench(bench, url, pgbenchScript, { clients: count, ms: roundMs }))
      await pool.query("VACUUM ANALYZE pixcharge.charges")
      const any = () => charges[Math.floor(Math.random() * charges.length)] ?? aCharge()
      reads.find.push(await fibers(count, isRoundOver, () => store.find(issuer, any().id)))
      reads.byHand.push(await callers(count, roundMs, () => wide.query({ ...findOne, values: [issuer, any().id] })))
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
    const peer = `${named("pg")}, one prepared statement a call`
    ratios.push(
      { what, peer, ...compareRounds(times.insert, times.byHand), goal: 1.5 },
      { what: `status reads, ${count} callers`, peer, ...compareRounds(reads.find, reads.byHand), goal: 1.5 },
    )
  }
  await dispose()
  await Promise.all([pool.end(), wide.end()])
  return ratios
}
