import {
  type Change,
  ChargeLists,
  ChargeStore,
  DueChecks,
  type DueDelivery,
  Outbox,
  type QueueLease,
  type Settlement,
  type StorePorts,
} from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { aChange } from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import pg from "pg"
import { aCharge } from "../openStore.ts"
import { payment, payNow, refundChanges } from "../changes.ts"

/** The measured operations, in the order of a turn. */
export const calls = [
  "insert 1",
  "claim and schedule 20 checks",
  "insert 20",
  "commit 1",
  "find 1",
  "claim and settle 20 queues",
  "refund 1",
  "list 20 charges",
  "list 20 payments",
] as const
export type Call = (typeof calls)[number]

/** Repeats a call, and reports the count to `measure`. */
export type Turn = (
  measure: (call: Call, times: number, work: () => Promise<unknown>) => Promise<void>,
) => Promise<void>

const times = 20
const queues = 20
/** What each company starts with, so that every page of a list is full. */
const stock = 20
const always = { from: 0, until: Date.UTC(3000, 0) }
const page = { limit: 20 }

const settlement = (lease: QueueLease, { event, attempt }: DueDelivery): Settlement => ({
  lease,
  eventId: event.id,
  number: attempt,
  fate: { _tag: "Delivered" },
  attempt: { startedAt: Date.now(), latencyMs: 1, status: 200 },
})

/** The commit of a payment without an event, for the stock. */
const silentPayment = (charge: PendingCharge): Change => {
  const next = payNow(charge, Date.now())
  return aChange(charge, { next, payments: [next.payment] })
}

/** A store over two connections, and its turn for these companies. */
export const openContender = async (
  url: string,
  issuers: ReadonlyArray<Cnpj>,
  layer: (db: pg.Pool) => Layer.Layer<StorePorts, unknown>,
) => {
  // Connections stay open between turns, with the statements that the nodes prepared for them.
  const db = new pg.Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0 })
  db.on("error", () => {})
  const runtime = ManagedRuntime.make(layer(db))
  const store = await runtime.runPromise(ChargeStore)
  const outbox = await runtime.runPromise(Outbox)
  const checks = await runtime.runPromise(DueChecks)
  const lists = await runtime.runPromise(ChargeLists)
  const run = <A>(effect: Effect.Effect<A, unknown>) => runtime.runPromise(effect)
  const makeCharge = (index: number): PendingCharge => ({
    ...aCharge(),
    issuer: issuers[index % issuers.length] as Cnpj,
  })

  const oneByOne = async <A>(values: ReadonlyArray<A>, call: (value: A) => Effect.Effect<unknown, unknown>) => {
    for (const value of values) await run(call(value))
  }

  /** Delivers all that waits, at most `times` deliveries in `queues` queues, and releases the queues. */
  const deliver = async (now: number): Promise<void> => {
    const claimed = await run(outbox.claim({ now, limit: queues, deliveries: times, leaseMs: 30_000 }))
    const settled = claimed.queues.flatMap(({ lease, due }) => due.map((delivery) => settlement(lease, delivery)))
    const done = await run(outbox.settle(settled, now))
    if (done.length !== times) throw new Error(`${done.length} of ${times} deliveries were settled`)
    await run(outbox.release(claimed.queues.map(({ lease }) => lease)))
  }

  /** So many charges whose check is due are claimed, and need no other; tells how many there were. */
  const check = async (limit: number): Promise<number> => {
    const due = await run(checks.claimCharges({ now: Date.now() + 60_000, limit, leaseMs: 30_000 }))
    await run(
      Effect.all(
        due.map((charge) => checks.scheduleCharge(charge, undefined)),
        { concurrency: "unbounded" },
      ),
    )
    return due.length
  }

  /** Every check that was set by another operation. */
  const endChecks = async (): Promise<void> => {
    while ((await check(100)) > 0);
  }

  const checkAll = async (): Promise<void> => {
    const checked = await check(times)
    if (checked !== times) throw new Error(`${checked} of ${times} charges were checked`)
  }

  const insertAll = (batch: ReadonlyArray<PendingCharge>) =>
    Effect.all(batch.map(store.insert), { concurrency: "unbounded" })

  const takeTurn: Turn = async (measure) => {
    const charges = Array.from({ length: times }, (_, index) => makeCharge(index))
    await measure("insert 1", times, () => oneByOne(charges, store.insert))
    const batches = Array.from({ length: times / 10 }, () =>
      Array.from({ length: 20 }, (_, index) => makeCharge(index)),
    )
    await measure("claim and schedule 20 checks", 1, checkAll)
    await measure("insert 20", batches.length, () => oneByOne(batches, insertAll))
    await endChecks()
    const paid = charges.map((charge) => ({ charge, next: payNow(charge, Date.now()) }))
    await measure("commit 1", times, () => oneByOne(paid, ({ charge, next }) => store.commit(payment(charge, next))))
    await measure("find 1", times, () => oneByOne(charges, ({ issuer, id }) => store.find(issuer, id)))
    await measure("claim and settle 20 queues", 1, () => deliver(Date.now() + 1_000))
    const refunds = paid.map(({ next }) => refundChanges(next))
    await measure("refund 1", times, () => oneByOne(refunds.flat(), store.commit))
    // A refund is requested a minute after the payment, and completes a minute later.
    await deliver(Date.now() + 180_000)
    await measure("list 20 charges", times, () =>
      oneByOne(charges, ({ issuer }) => lists.charges(issuer, always, page)),
    )
    await measure("list 20 payments", times, () =>
      oneByOne(charges, ({ issuer }) => lists.payments(issuer, always, page)),
    )
  }

  for (let index = 0; index < stock; index++) {
    const batch = issuers.map((_, at) => makeCharge(at))
    await run(insertAll(batch))
    await run(
      Effect.all(
        batch.map((charge) => store.commit(silentPayment(charge))),
        { concurrency: "unbounded" },
      ),
    )
  }

  return {
    turn: takeTurn,
    close: async () => {
      await runtime.dispose()
      await db.end()
    },
  }
}
