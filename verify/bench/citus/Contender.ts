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
import { aChange } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import pg from "pg"
import { aCharge } from "../openStore.ts"
import { payment, payNow, refundChanges } from "../changes.ts"

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

export type Turn = (
  measure: (call: Call, times: number, work: () => Promise<unknown>) => Promise<void>,
) => Promise<void>

const times = 20
const queues = 20
/** Each company's charges at the start, so every page of a list is full. */
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

const silentPayment = (charge: PendingCharge): Change => {
  const next = payNow(charge, Date.now())
  return aChange(charge, { next, payments: [next.payment] })
}

const openPorts = Effect.all({ store: ChargeStore, outbox: Outbox, checks: DueChecks, lists: ChargeLists })

class Contender {
  readonly #runtime: ManagedRuntime.ManagedRuntime<StorePorts, unknown>
  readonly #ports: Effect.Success<typeof openPorts>
  readonly #issuers: ReadonlyArray<Cnpj>

  constructor(
    runtime: ManagedRuntime.ManagedRuntime<StorePorts, unknown>,
    ports: Effect.Success<typeof openPorts>,
    issuers: ReadonlyArray<Cnpj>,
  ) {
    this.#runtime = runtime
    this.#ports = ports
    this.#issuers = issuers
  }

  #makeCharge(index: number): PendingCharge {
    return { ...aCharge(), issuer: this.#issuers[index % this.#issuers.length] as Cnpj }
  }

  #run<A>(effect: Effect.Effect<A, unknown>): Promise<A> {
    return this.#runtime.runPromise(effect)
  }

  #insertAll(batch: ReadonlyArray<PendingCharge>) {
    return Effect.all(
      batch.map((charge) => this.#ports.store.insert(charge)),
      { concurrency: "unbounded" },
    )
  }

  async #oneByOne<A>(values: ReadonlyArray<A>, call: (value: A) => Effect.Effect<unknown, unknown>) {
    for (const value of values) await this.#run(call(value))
  }

  /** Delivers `times` deliveries from at most `queues` queues, and releases the queues. */
  async #deliver(now: number): Promise<void> {
    const claimed = await this.#run(
      this.#ports.outbox.claim({ now, limit: queues, deliveries: times, leaseMs: 30_000 }),
    )
    const settled = claimed.queues.flatMap(({ lease, due }) => due.map((delivery) => settlement(lease, delivery)))
    const done = await this.#run(this.#ports.outbox.settle(settled, now))
    if (done.length !== times) throw new Error(`${done.length} of ${times} deliveries were settled`)
    await this.#run(this.#ports.outbox.release(claimed.queues.map(({ lease }) => lease)))
  }

  async #check(limit: number): Promise<number> {
    const due = await this.#run(this.#ports.checks.claimCharges({ now: Date.now() + 60_000, limit, leaseMs: 30_000 }))
    await this.#run(
      Effect.all(
        due.map((charge) => this.#ports.checks.scheduleCharge(charge, undefined)),
        { concurrency: "unbounded" },
      ),
    )
    return due.length
  }

  async #endChecks(): Promise<void> {
    while ((await this.#check(100)) > 0);
  }

  async #checkAll(): Promise<void> {
    const checked = await this.#check(times)
    if (checked !== times) throw new Error(`${checked} of ${times} charges were checked`)
  }

  async fill(): Promise<void> {
    for (let index = 0; index < stock; index++) {
      const batch = this.#issuers.map((_, company) => this.#makeCharge(company))
      await this.#run(this.#insertAll(batch))
      await this.#run(
        Effect.all(
          batch.map((charge) => this.#ports.store.commit(silentPayment(charge))),
          { concurrency: "unbounded" },
        ),
      )
    }
  }

  readonly turn: Turn = async (measure) => {
    const charges = Array.from({ length: times }, (_, index) => this.#makeCharge(index))
    await measure("insert 1", times, () => this.#oneByOne(charges, this.#ports.store.insert))
    const batches = Array.from({ length: times / 10 }, () =>
      Array.from({ length: 20 }, (_, index) => this.#makeCharge(index)),
    )
    await measure("claim and schedule 20 checks", 1, () => this.#checkAll())
    await measure("insert 20", batches.length, () => this.#oneByOne(batches, (batch) => this.#insertAll(batch)))
    await this.#endChecks()
    const paid = charges.map((charge) => ({ charge, next: payNow(charge, Date.now()) }))
    await measure("commit 1", times, () =>
      this.#oneByOne(paid, ({ charge, next }) => this.#ports.store.commit(payment(charge, next))),
    )
    await measure("find 1", times, () =>
      this.#oneByOne(charges, ({ issuer, id }) => this.#ports.store.find(issuer, id)),
    )
    await measure("claim and settle 20 queues", 1, () => this.#deliver(Date.now() + 1_000))
    const refunds = paid.map(({ next }) => refundChanges(next))
    await measure("refund 1", times, () => this.#oneByOne(refunds.flat(), this.#ports.store.commit))
    // A refund is requested a minute after the payment, and the bank completes it a minute later.
    await this.#deliver(Date.now() + 180_000)
    await measure("list 20 charges", times, () =>
      this.#oneByOne(charges, ({ issuer }) => this.#ports.lists.charges(issuer, always, page)),
    )
    await measure("list 20 payments", times, () =>
      this.#oneByOne(charges, ({ issuer }) => this.#ports.lists.payments(issuer, always, page)),
    )
  }
}

export const openContender = async (
  url: string,
  issuers: ReadonlyArray<Cnpj>,
  layer: (db: pg.Pool) => Layer.Layer<StorePorts, unknown>,
) => {
  // The connections stay open between turns, so the nodes keep their prepared statements.
  const db = new pg.Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0 })
  db.on("error", () => {})
  const runtime = ManagedRuntime.make(layer(db))
  const contender = new Contender(runtime, await runtime.runPromise(openPorts), issuers)
  await contender.fill()
  return {
    turn: contender.turn,
    close: async () => {
      await runtime.dispose()
      await db.end()
    },
  }
}
