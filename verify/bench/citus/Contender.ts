import {
  aChange,
  anEndToEndId,
  aPaidCharge,
  aPayer,
  aPayment,
  aPendingCharge,
  aRefundedCharge,
  aRefundingCharge,
} from "@pixcharge/adapter-tests/fixtures"
import {
  type Change,
  ChargeLists,
  ChargeStore,
  DueChecks,
  Outbox,
  type Settlement,
  type StorePorts,
} from "@pixcharge/core"
import { chargeEvent, type PaidCharge, type PendingCharge } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import pg from "pg"

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
/** Each company's charges at the start, so every page of a list is full. */
const stock = 20
const always = { from: 0, until: Date.UTC(3000, 0) }
const page = { limit: 20 }
const leaseMs = 30_000

const newCharge = (issuer: Cnpj): PendingCharge => {
  const createdAt = Date.now()
  const brCode = "00020101021226880014br.gov.bcb.pix2566pix.example.com/qr/v2/".padEnd(180, "5")
  return aPendingCharge({ issuer, payer: aPayer, brCode, createdAt, checkAt: createdAt + 45_000 })
}

const payNow = (charge: PendingCharge): PaidCharge => {
  const now = Date.now()
  return aPaidCharge(charge, aPayment(charge, { endToEndId: anEndToEndId(), paidAt: now - 2_000, recordedAt: now }))
}

const deliveriesOf = (charge: Parameters<typeof chargeEvent>[0]) => [
  { event: chargeEvent(charge, "Minha Loja"), endpointId: "loja" },
]

const refund = (paid: PaidCharge): ReadonlyArray<Change> => {
  const refunding = aRefundingCharge(paid)
  const refunded = aRefundedCharge(refunding)
  return [
    aChange(paid, { next: refunding, unsent: "supersede" }),
    aChange(refunding, { next: refunded, returns: refunded.returns, deliveries: deliveriesOf(refunded) }),
  ]
}

const openPorts = Effect.all({ store: ChargeStore, outbox: Outbox, checks: DueChecks, lists: ChargeLists })

const together = <A>(values: ReadonlyArray<A>, call: (value: A) => Effect.Effect<unknown, unknown>) =>
  Effect.forEach(values, call, { concurrency: "unbounded", discard: true })

/** Opens a store with some charges. A turn makes each call, one company after the other. */
export const openContender = async (
  url: string,
  issuers: ReadonlyArray<Cnpj>,
  layer: (db: pg.Pool) => Layer.Layer<StorePorts, unknown>,
) => {
  // The connections stay open between turns, so the nodes keep their prepared statements.
  const db = new pg.Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0 })
  db.on("error", () => undefined)
  const runtime = ManagedRuntime.make(layer(db))
  const { store, outbox, checks, lists } = await runtime.runPromise(openPorts)
  const run = <A>(effect: Effect.Effect<A, unknown>): Promise<A> => runtime.runPromise(effect)
  const newCharges = () =>
    Array.from({ length: times }, (_, index) => newCharge(issuers[index % issuers.length] as Cnpj))
  const oneByOne = async <A>(values: ReadonlyArray<A>, call: (value: A) => Effect.Effect<unknown, unknown>) => {
    for (const value of values) await run(call(value))
  }

  /** Delivers `times` deliveries from at most as many queues, and releases the queues. */
  const deliver = async (now: number): Promise<void> => {
    const claimed = await run(outbox.claim({ now, limit: times, deliveries: times, leaseMs }))
    const settled = claimed.queues.flatMap(({ lease, due }) =>
      due.map(({ event, attempt }): Settlement => ({
        lease,
        eventId: event.id,
        number: attempt,
        fate: { _tag: "Delivered" },
        attempt: { startedAt: Date.now(), latencyMs: 1, status: 200 },
      })),
    )
    const done = await run(outbox.settle(settled, now))
    if (done.length !== times) throw new Error(`${done.length} of ${times} deliveries were settled`)
    await run(outbox.release(claimed.queues.map(({ lease }) => lease)))
  }

  const check = async (limit: number): Promise<number> => {
    const due = await run(checks.claimCharges({ now: Date.now() + 60_000, limit, leaseMs }))
    await run(together(due, (charge) => checks.scheduleCharge(charge, undefined)))
    return due.length
  }

  const turn: Turn = async (measure) => {
    const charges = newCharges()
    await measure("insert 1", times, () => oneByOne(charges, store.insert))
    const batches = [newCharges(), newCharges()]
    await measure("claim and schedule 20 checks", 1, async () => {
      const checked = await check(times)
      if (checked !== times) throw new Error(`${checked} of ${times} charges were checked`)
    })
    await measure("insert 20", batches.length, () => oneByOne(batches, (batch) => together(batch, store.insert)))
    while ((await check(100)) > 0);
    const paid = charges.map((charge) => ({ charge, next: payNow(charge) }))
    await measure("commit 1", times, () =>
      oneByOne(paid, ({ charge, next }) =>
        store.commit(aChange(charge, { next, payments: [next.payment], deliveries: deliveriesOf(next) })),
      ),
    )
    await measure("find 1", times, () => oneByOne(charges, ({ issuer, id }) => store.find(issuer, id)))
    await measure("claim and settle 20 queues", 1, () => deliver(Date.now() + 1_000))
    const refunds = paid.flatMap(({ next }) => refund(next))
    await measure("refund 1", times, () => oneByOne(refunds, store.commit))
    // A refund is requested a minute after the payment, and the bank completes it a minute later.
    await deliver(Date.now() + 180_000)
    await measure("list 20 charges", times, () =>
      oneByOne(charges, ({ issuer }) => lists.charges(issuer, always, page)),
    )
    await measure("list 20 payments", times, () =>
      oneByOne(charges, ({ issuer }) => lists.payments(issuer, always, page)),
    )
  }

  for (let index = 0; index < stock; index++) {
    const charges = issuers.map(newCharge)
    await run(together(charges, store.insert))
    await run(
      together(charges, (charge) => {
        const next = payNow(charge)
        return store.commit(aChange(charge, { next, payments: [next.payment] }))
      }),
    )
  }
  return {
    turn,
    close: async () => {
      await runtime.dispose()
      await db.end()
    },
  }
}
