import {
  type Change,
  ChargeStore,
  type DueDelivery,
  Outbox,
  type QueueLease,
  type Settlement,
  type StorePorts,
} from "@pixcharge/core"
import { chargeEvent, type PaidCharge, type Payment, type PendingCharge } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import pg from "pg"
import { aCharge } from "../store.ts"

/** What is measured, in the order in which a turn does it. */
export const calls = ["insert 1", "insert 20", "commit 1", "find 1", "claim and settle 20 queues"] as const
export type Call = (typeof calls)[number]

/** Does a call so many times; tells `measure` how many that were. */
export type Turn = (
  measure: (call: Call, times: number, work: () => Promise<unknown>) => Promise<void>,
) => Promise<void>

const times = 20
const queues = 20

const paid = (charge: PendingCharge): Change => {
  const { issuer, id, txid, amountCents } = charge
  const now = Date.now()
  const endToEndId = `E${crypto.randomUUID().replaceAll("-", "").slice(1)}`
  const payment: Payment = {
    issuer,
    chargeId: id,
    txid,
    endToEndId,
    amountCents,
    paidAt: now,
    recordedAt: now,
    late: false,
    otherAmount: false,
  }
  const { checkAt: _, ...terms } = charge
  const next: PaidCharge = { ...terms, _tag: "Paid", version: charge.version + 1, updatedAt: now, payment }
  return {
    issuer,
    id,
    expectedVersion: charge.version,
    next,
    payments: [payment],
    returns: [],
    deliveries: [{ event: chargeEvent(next, "Padaria Aurora Ltda"), endpointId: "callback" }],
  }
}

const settlement = (lease: QueueLease, { event, attempt }: DueDelivery): Settlement => ({
  lease,
  eventId: event.id,
  number: attempt,
  fate: { _tag: "Delivered" },
  attempt: { startedAt: Date.now(), latencyMs: 1, status: 200 },
})

/** A store over two connections, and what a turn does with it for these companies. */
export const openContender = async (
  url: string,
  issuers: ReadonlyArray<Cnpj>,
  layer: (db: pg.Pool) => Layer.Layer<StorePorts, unknown>,
) => {
  // Connections stay between two turns, with what the nodes have prepared for them.
  const db = new pg.Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0 })
  db.on("error", () => {})
  const runtime = ManagedRuntime.make(layer(db))
  const store = await runtime.runPromise(ChargeStore)
  const outbox = await runtime.runPromise(Outbox)
  const run = <A>(effect: Effect.Effect<A, unknown>) => runtime.runPromise(effect)
  const chargeOf = (index: number): PendingCharge => ({ ...aCharge(), issuer: issuers[index % issuers.length] as Cnpj })

  const oneByOne = async <A>(values: ReadonlyArray<A>, call: (value: A) => Effect.Effect<unknown, unknown>) => {
    for (const value of values) await run(call(value))
  }

  /** All that waits, at most `times` deliveries in `queues` queues, is delivered and the queues are released. */
  const deliver = async (): Promise<void> => {
    const claimed = await run(
      outbox.claim({ now: Date.now() + 1_000, limit: queues, deliveries: times, leaseMs: 30_000 }),
    )
    const settled = claimed.queues.flatMap(({ lease, due }) => due.map((delivery) => settlement(lease, delivery)))
    const done = await run(outbox.settle(settled, Date.now()))
    if (done.length !== times) throw new Error(`${done.length} of ${times} deliveries were settled`)
    await run(outbox.release(claimed.queues.map(({ lease }) => lease)))
  }

  const turn: Turn = async (measure) => {
    const charges = Array.from({ length: times }, (_, index) => chargeOf(index))
    await measure("insert 1", times, () => oneByOne(charges, store.insert))
    const batches = Array.from({ length: times / 10 }, () => Array.from({ length: 20 }, (_, index) => chargeOf(index)))
    const insertAll = (batch: ReadonlyArray<PendingCharge>) =>
      Effect.all(batch.map(store.insert), { concurrency: "unbounded" })
    await measure("insert 20", batches.length, () => oneByOne(batches, insertAll))
    await measure("commit 1", times, () => oneByOne(charges, (charge) => store.commit(paid(charge))))
    await measure("find 1", times, () => oneByOne(charges, ({ issuer, id }) => store.find(issuer, id)))
    await measure("claim and settle 20 queues", 1, deliver)
  }

  return {
    turn,
    close: async () => {
      await runtime.dispose()
      await db.end()
    },
  }
}
