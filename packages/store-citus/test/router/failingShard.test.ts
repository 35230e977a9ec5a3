import type { StoreUnavailable } from "@pixcharge/core"
import {
  aCancelledCharge,
  aChange,
  aCnpj,
  alphanumericCnpj,
  anotherCnpj,
  anUnmatchedPayment,
  aPaidCharge,
  aPendingCharge,
  aTestEvent,
  fixtureNow,
  startStopwatch,
} from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { beforeEach, expect, it } from "vitest"
import { realPostgres, until } from "@pixcharge/verify/postgres"
import { openRouted } from "./openRouted.ts"
import { claimQueues, makeSettlement, listIssuers, leaseQueues, now, queueEvent, request } from "./queues.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"
import { makeClockAdvancer } from "./makeClockAdvancer.ts"

const { all, findShard, layer, hooks, isWorking } = await shardsOnSchemas(await realPostgres({ max: 20 }), 3)
const advanceClock = makeClockAdvancer(isWorking)
const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => advanceClock(Effect.runPromise(effect))
beforeEach(() => Effect.runPromise(hooks.reset ?? Effect.void))

/** Two companies; the second company's shard fails. */
const both = [aCnpj, anotherCnpj]
const failing = findShard(anotherCnpj)

const unavailable = { _tag: "StoreUnavailable" } satisfies Partial<StoreUnavailable>

it("a failing shard fails only its own companies' calls", async () => {
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

it("changed charges of other shards are found, but an unseen charge of the failing shard fails the look-up", async () => {
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

it("queues of other shards are read and renewed, but the failing shard's queue counts as lost", async () => {
  const opened = await openRouted(layer)
  const getQueue = await leaseQueues(opened, both)
  const [own, failed] = [getQueue(aCnpj), getQueue(anotherCnpj)]
  const leases = [own.lease, failed.lease]
  const limits = leases.map((lease) => ({ lease, limit: 10 }))
  failing.state = "down"
  expect((await run(opened.outbox.read(limits, now))).map(({ lease }) => lease)).toEqual([own.lease])
  expect(await run(opened.outbox.renew(leases, request.leaseMs))).toEqual([own.lease.token])
  await expect(run(opened.outbox.read(limits.slice(1), now))).rejects.toMatchObject(unavailable)
  await expect(run(opened.outbox.release(leases))).rejects.toMatchObject(unavailable)
  expect(listIssuers(await advanceClock(claimQueues(opened)))).toEqual([aCnpj])
})

it("callers give up on a silent shard before a statement's time limit", async () => {
  const opened = await openRouted(layer)
  const { outbox, store } = opened
  const getQueue = await leaseQueues(opened, both)
  const [own, failed] = [getQueue(aCnpj), getQueue(anotherCnpj)]
  const leases = [own.lease, failed.lease]
  const limits = leases.map((lease) => ({ lease, limit: 10 }))
  const charges = both.map((issuer) => aPendingCharge({ issuer }))
  for (const charge of charges) await run(store.insert(charge))
  const seen = charges.map(({ issuer, id }) => ({ issuer, id, version: issuer === aCnpj ? 0 : 1 }))
  failing.state = "silent"
  const answersIn = async (call: Effect.Effect<unknown, unknown>) => {
    const stopWatch = startStopwatch()
    await run(Effect.exit(call))
    return stopWatch()
  }
  const calls = [
    outbox.read(limits, now),
    outbox.renew(leases, request.leaseMs),
    outbox.release(leases),
    store.changed(seen),
  ]
  // A statement's time limit is ten seconds.
  for (const ms of await Promise.all(calls.map(answersIn))) expect(ms).toBeLessThan(9_500)
})

it("the depth sums all shards, and fails while a shard fails", async () => {
  const opened = await openRouted(layer)
  await run(opened.outbox.add({ event: aTestEvent({ issuer: anotherCnpj }), endpointId: "loja" }, fixtureNow - 5))
  await queueEvent(opened, aCnpj)
  expect(await run(opened.outbox.depth)).toEqual({ waiting: 2, oldestAt: fixtureNow - 5 })
  failing.state = "down"
  await expect(run(opened.outbox.depth)).rejects.toMatchObject(unavailable)
})

it("a look finds the work of all shards, and any work but no depth while a shard fails", async () => {
  const opened = await openRouted(layer)
  await run(opened.outbox.add({ event: aTestEvent({ issuer: anotherCnpj }), endpointId: "loja" }, fixtureNow - 5))
  expect(await run(opened.checks.look(now))).toEqual({
    kinds: new Set(["deliveries"]),
    depth: { waiting: 1, oldestAt: fixtureNow - 5 },
  })
  failing.state = "down"
  const { kinds, depth } = await run(opened.checks.look(now))
  expect([kinds.size, depth]).toEqual([5, undefined])
})

it("a purge runs at other shards and fails while a shard fails, and the next purge deletes the rest", async () => {
  const opened = await openRouted(layer)
  const { outbox } = opened
  const longAfter = fixtureNow + 1e10
  const getQueue = await leaseQueues(opened, both)
  const [own, failed] = [getQueue(aCnpj), getQueue(anotherCnpj)]
  await run(outbox.settle([makeSettlement(own), makeSettlement(failed)], now))
  failing.state = "down"
  await expect(run(outbox.purge(longAfter))).rejects.toMatchObject(unavailable)
  failing.state = "up"
  expect(await run(outbox.purge(longAfter))).toBe(1)
})

it("companies of other shards are entered, and the next call enters the failing shard's companies", async () => {
  const { store, reconciliations } = await openRouted(layer)
  for (const issuer of [...both, alphanumericCnpj]) await run(store.insert(aPendingCharge({ issuer })))
  failing.state = "down"
  expect(await run(reconciliations.enter(now))).toBe(2)
  failing.state = "up"
  expect(await run(reconciliations.enter(now))).toBe(1)
  for (const shard of all) shard.state = "down"
  await expect(run(reconciliations.enter(now))).rejects.toMatchObject(unavailable)
})

it("a failing shard is logged once for each kind of claim, and other shards' items are claimed", async () => {
  const logged: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => {
    logged.push(String(Array.isArray(message) ? message[0] : message))
  })
  const withLogger = Effect.provide(Logger.layer([logger]))
  const { outbox, checks, reconciliations } = await openRouted(Layer.provide(layer, Logger.layer([logger])))
  failing.state = "down"
  for (let claim = 0; claim < 2; claim++) {
    await run(withLogger(outbox.claim(request)))
    await run(withLogger(checks.claimCharges(request)))
    await run(withLogger(checks.claimExceptions(request)))
    await run(withLogger(reconciliations.claim(request)))
  }
  await run(withLogger(reconciliations.enter(now)))
  expect(logged).toEqual([
    "The queues of a shard could not be claimed; other shards are not affected",
    "The due checks of a shard could not be claimed; other shards are not affected",
    "The due refunds of a shard could not be claimed; other shards are not affected",
    "The due companies of a shard could not be claimed; other shards are not affected",
    "New companies of a shard could not be entered",
  ])
})

it("calls for several shards are sent to all of them concurrently", async () => {
  const opened = await openRouted(layer)
  const { outbox } = opened
  const getQueue = await leaseQueues(opened, both)
  const queues = both.map(getQueue)
  const limits = queues.map(({ lease }) => ({ lease, limit: 10 }))
  // If the calls were made one after the other, the second shard would get its call only after the first call was given up.
  const answered = async <A>(call: Effect.Effect<ReadonlyArray<A>, unknown>) => {
    const before = all.map(({ sent }) => sent)
    for (const shard of all) shard.state = "silent"
    const answer = run(call)
    await until(() => both.map(findShard).every((shard) => shard.sent > (before[all.indexOf(shard)] ?? 0)))
    for (const shard of all) shard.state = "up"
    return (await answer).length
  }
  const settlements = queues.map((queue) => makeSettlement(queue))
  expect([await answered(outbox.read(limits, now)), await answered(outbox.settle(settlements, now))]).toEqual([2, 2])
})
