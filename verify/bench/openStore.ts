import { ChargeStore } from "@pixcharge/core"
import { chargeTxid, parseChargeId, type PendingCharge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import { type Cnpj, parseCnpj, parseCpf } from "@pixcharge/core/party"
import { postgresStore } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import pg from "pg"

export const issuer: Cnpj = Result.getOrThrow(parseCnpj("12345678000195"))
const payer = { name: "Maria da Silva", taxId: Result.getOrThrow(parseCpf("52998224725")) }
const brCode = `00020101021226880014br.gov.bcb.pix2566pix.example.com/qr/v2/${"0123456789abcdef".repeat(2)}`.padEnd(
  180,
  "5",
)

export const aCharge = (): PendingCharge => {
  const id = Result.getOrThrow(parseChargeId(crypto.randomUUID()))
  const createdAt = Date.now()
  return {
    _tag: "Pending",
    issuer,
    id,
    txid: chargeTxid(issuer, id),
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

/** Opens the store. Its callers are fibers of one runtime, as in a host. */
export const openStore = async (connectionString: string) => {
  const pool = new pg.Pool({ connectionString, max: 10, idleTimeoutMillis: 0 })
  // Some connections are still closing when the server stops.
  pool.on("error", () => undefined)
  const runtime = ManagedRuntime.make(postgresStore({ db: pool }))
  const store = await runtime.runPromise(ChargeStore)

  /** Makes calls with this many concurrent callers. Returns nanoseconds per call. */
  const keepBusy = async (
    callers: number,
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
    const all = Array.from({ length: callers }, () => caller)
    await runtime.runPromise(Effect.all(all, { concurrency: "unbounded" }))
    return ((performance.now() - begin) * 1e6) / calls
  }

  const close = async (): Promise<void> => {
    await runtime.dispose()
    await pool.end()
  }
  return { pool, runtime, store, keepBusy, close }
}
