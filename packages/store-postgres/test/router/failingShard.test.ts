import type { StoreUnavailable } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import {
  aCancelledCharge,
  aChange,
  aCnpj,
  anotherCnpj,
  anUnmatchedPayment,
  aPaidCharge,
  aPendingCharge,
  aTestEvent,
  fixtureNow,
} from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import { beforeEach, expect, it } from "vitest"
import { realPostgres } from "../realPostgres.ts"
import { until, waitMs } from "../waiting.ts"
import { openRouted } from "./openRouted.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"

const run = Effect.runPromise
const { all, shardOf, layer, hooks } = await shardsOnSchemas(await realPostgres({ max: 20 }), 3)
beforeEach(() => run(hooks.reset ?? Effect.void))

/** The companies; the shard of the second is the one that fails. */
const both = [aCnpj, anotherCnpj]
const failing = shardOf(anotherCnpj)

type Opened = Awaited<ReturnType<typeof openRouted>>

const now = fixtureNow + 1_000
const leaseMs = 60_000
const unavailable = { _tag: "StoreUnavailable" } satisfies Partial<StoreUnavailable>

const queued = async ({ outbox }: Opened, issuer: Cnpj) => {
  const event = aTestEvent({ issuer })
  await run(outbox.add({ event, endpointId: "loja" }, fixtureNow))
  return event
}

const claimed = async ({ outbox }: Opened) =>
  (await run(outbox.claim({ now, limit: 100, deliveries: 10, leaseMs }))).queues

/** A queue of each company, claimed. */
const leased = async (opened: Opened) => {
  for (const issuer of both) await queued(opened, issuer)
  const queues = await claimed(opened)
  const of = (issuer: Cnpj) => {
    const queue = queues.find(({ lease }) => lease.issuer === issuer)
    if (queue === undefined) throw new Error("each has a queue")
    return queue
  }
  return { own: of(aCnpj), failed: of(anotherCnpj) }
}

const delivered = ({ lease, due: [one] }: Awaited<ReturnType<typeof claimed>>[number]) => {
  if (one === undefined) throw new Error("something is due")
  const attempt = { startedAt: now, latencyMs: 1, status: 200 }
  return { lease, eventId: one.event.id, number: 1, fate: { _tag: "Delivered" }, attempt } as const
}

it("calls of its companies fail, and those of others don't", async () => {
  const { store } = await openRouted(layer)
  failing.state = "down"
  await expect(run(store.insert(aPendingCharge({ issuer: anotherCnpj })))).rejects.toMatchObject(unavailable)
  const charge = aPendingCharge()
  expect(await run(store.insert(charge))).toEqual({ _tag: "Inserted" })
  expect(await run(store.recordUnmatched(anUnmatchedPayment()))).toBe(true)
  const next = aPaidCharge(charge)
  expect(await run(store.commit(aChange(charge, { next, payments: [next.payment] })))).toMatchObject({ moved: true })
  expect(await run(store.find(aCnpj, charge.id))).toEqual(next)
})

it("watched charges of others are found changed; one of its own that nobody has seen yet fails the look-up", async () => {
  const { store } = await openRouted(layer)
  const [own, other] = [aPendingCharge(), aPendingCharge({ issuer: anotherCnpj })]
  for (const charge of [own, other]) {
    await run(store.insert(charge))
    await run(store.commit(aChange(charge, { next: aCancelledCharge(charge) })))
  }
  const seen = [own, other].map(({ issuer, id, version }) => ({ issuer, id, version }))
  expect((await run(store.changed(seen))).map(({ id }) => id).toSorted()).toEqual([own.id, other.id].toSorted())
  failing.state = "down"
  expect((await run(store.changed(seen))).map(({ id }) => id)).toEqual([own.id])
  const unseen = seen.map((one) => ({ ...one, version: 0 }))
  await expect(run(store.changed(unseen))).rejects.toMatchObject(unavailable)
  expect(await run(store.changed(unseen.filter(({ issuer }) => issuer === aCnpj)))).toHaveLength(1)
})

it("queues of others are read and renewed; one of its own is as lost", async () => {
  const opened = await openRouted(layer)
  const { own, failed } = await leased(opened)
  const leases = [own.lease, failed.lease]
  const limits = leases.map((lease) => ({ lease, limit: 10 }))
  failing.state = "down"
  expect((await run(opened.outbox.read(limits, now))).map(({ lease }) => lease)).toEqual([own.lease])
  expect(await run(opened.outbox.renew(leases, leaseMs))).toEqual([own.lease.token])
  await expect(run(opened.outbox.read(limits.slice(1), now))).rejects.toMatchObject(unavailable)
  await expect(run(opened.outbox.release(leases))).rejects.toMatchObject(unavailable)
  expect((await claimed(opened)).map(({ lease }) => lease.issuer)).toEqual([aCnpj])
})

it("nobody waits for long for a shard that is silent", async () => {
  const opened = await openRouted(layer)
  const { outbox, store } = opened
  const { own, failed } = await leased(opened)
  const leases = [own.lease, failed.lease]
  const limits = leases.map((lease) => ({ lease, limit: 10 }))
  const charges = both.map((issuer) => aPendingCharge({ issuer }))
  for (const charge of charges) await run(store.insert(charge))
  const seen = charges.map(({ issuer, id }) => ({ issuer, id, version: issuer === aCnpj ? 0 : 1 }))
  failing.state = "silent"
  const answersIn = async (call: Effect.Effect<unknown, unknown>) => {
    const began = performance.now()
    await run(Effect.exit(call))
    return performance.now() - began
  }
  const calls = [outbox.read(limits, now), outbox.renew(leases, leaseMs), outbox.release(leases), store.changed(seen)]
  // A statement itself is given up after ten seconds.
  for (const ms of await Promise.all(calls.map(answersIn))) expect(ms).toBeLessThan(9_500)
})

it("what is owed to a shard that answers again is not read before it is written", async () => {
  const opened = await openRouted(layer)
  const { outbox } = opened
  const { own, failed } = await leased(opened)
  failing.state = "down"
  expect(await run(outbox.settle([own, failed].map(delivered), now))).toMatchObject([{ issuer: aCnpj }])
  // Right after a try that was refused: the next one is two seconds away.
  const tried = failing.sent
  await until(() => failing.sent > tried)
  failing.state = "up"
  for (let known: ReadonlyArray<unknown> = []; known.length === 0;) {
    const read = await run(outbox.read([{ lease: failed.lease, limit: 10 }], now))
    expect(read.flatMap(({ due }) => due)).toEqual([])
    known = await run(outbox.attempts(anotherCnpj, delivered(failed).eventId, "loja"))
  }
  expect(await run(outbox.depth)).toEqual({ waiting: 0 })
})

it("deliveries of others are settled; its own are once it answers, and are not sent again meanwhile", async () => {
  const opened = await openRouted(layer)
  const { outbox } = opened
  const { own, failed } = await leased(opened)
  failing.state = "silent"
  expect(await run(outbox.settle([own, failed].map(delivered), now))).toMatchObject([{ issuer: aCnpj }])
  // What can't be written is kept from everybody who would send it again.
  await run(outbox.release([own.lease, failed.lease]))
  failing.state = "up"
  for (let known: ReadonlyArray<unknown> = []; known.length === 0;) {
    expect(await claimed(opened)).toEqual([])
    const read = await run(outbox.read([{ lease: failed.lease, limit: 10 }], now))
    expect(read.flatMap(({ due }) => due)).toEqual([])
    known = await run(outbox.attempts(anotherCnpj, delivered(failed).eventId, "loja"))
  }
  expect(await run(outbox.depth)).toEqual({ waiting: 0 })
  // From now on it is served like any other.
  await until(async () => {
    await run(outbox.release([failed.lease]))
    await queued(opened, anotherCnpj)
    return (await claimed(opened)).some(({ lease }) => lease.issuer === anotherCnpj)
  })
})

it("a settlement that a shard refuses for a while is written once it takes it, for whoever asked", async () => {
  const { outbox, ...opened } = await openRouted(layer)
  const { failed } = await leased({ outbox, ...opened })
  failing.state = "down"
  const before = failing.sent
  const settling = run(outbox.settle([delivered(failed)], now))
  await until(() => failing.sent > before)
  // The statement that was sent is refused before the shard answers again.
  await waitMs(20)
  failing.state = "up"
  expect(await settling).toMatchObject([{ issuer: anotherCnpj }])
})

it("the depth fails, for what the others have is not all; otherwise it is the sum, since the oldest", async () => {
  const opened = await openRouted(layer)
  await run(opened.outbox.add({ event: aTestEvent({ issuer: anotherCnpj }), endpointId: "loja" }, fixtureNow - 5))
  await queued(opened, aCnpj)
  expect(await run(opened.outbox.depth)).toEqual({ waiting: 2, oldestAt: fixtureNow - 5 })
  failing.state = "down"
  await expect(run(opened.outbox.depth)).rejects.toMatchObject(unavailable)
})

it("upkeep of the others is done, and fails; the next one does what was left", async () => {
  const opened = await openRouted(layer)
  const { outbox, store, archive } = opened
  const longAfter = fixtureNow + 1e10
  const { own, failed } = await leased(opened)
  await run(outbox.settle([own, failed].map(delivered), now))
  for (const issuer of both) {
    const charge = aPendingCharge({ issuer })
    await run(store.insert(charge))
    await run(store.commit(aChange(charge, { next: aCancelledCharge(charge) })))
  }
  failing.state = "down"
  await expect(run(archive.archive(longAfter, 100))).rejects.toMatchObject(unavailable)
  await expect(run(outbox.purge(longAfter))).rejects.toMatchObject(unavailable)
  failing.state = "up"
  expect(await run(archive.archive(longAfter, 100))).toBe(1)
  expect(await run(outbox.purge(longAfter))).toBe(1)
})

it("companies of the others are entered for their comparison; its own are by the next call", async () => {
  const { store, reconciliations } = await openRouted(layer)
  for (const issuer of both) await run(store.insert(aPendingCharge({ issuer })))
  failing.state = "down"
  expect(await run(reconciliations.enter(now))).toBe(1)
  failing.state = "up"
  expect(await run(reconciliations.enter(now))).toBe(1)
  for (const shard of all) shard.state = "down"
  await expect(run(reconciliations.enter(now))).rejects.toMatchObject(unavailable)
})
