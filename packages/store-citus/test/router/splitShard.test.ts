import { makeDatabase, schemaName, makeStorePorts } from "@pixcharge/store-postgres/internal"
import {
  aCancelledCharge,
  aChange,
  aCnpj,
  anotherCnpj,
  aPendingCharge,
  aTestEvent,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import type { Connection } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import { beforeEach, expect, it } from "vitest"
import { realPostgres, until } from "@pixcharge/verify/postgres"
import { splitFailure, type StoreShards } from "../../src/shards/Shards.ts"
import { openRouted } from "./openRouted.ts"
import {
  claimQueues,
  claimUntil,
  makeSettlement,
  isSettled,
  listIssuers,
  leaseQueues,
  queueEvent,
  settles,
} from "./queues.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"
import { makeClockAdvancer } from "./makeClockAdvancer.ts"

const { all, findShard, shards, layer, makeLayer, hooks, isWorking } = await shardsOnSchemas(
  await realPostgres({ max: 20 }),
  3,
)
const advanceClock = makeClockAdvancer(isWorking)
const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => advanceClock(Effect.runPromise(effect))
beforeEach(() => Effect.runPromise(hooks.reset ?? Effect.void))

const split = findShard(anotherCnpj)
const both = [aCnpj, anotherCnpj]
const now = fixtureNow + 1_000
const claim = { now, limit: 10, deliveries: 10, leaseMs: 60_000 }

const setUp = async () => {
  const ports = await openRouted(layer)
  for (const issuer of both) {
    await run(ports.outbox.add({ event: aTestEvent({ issuer }), endpointId: "loja" }, fixtureNow))
    await run(ports.store.insert(aPendingCharge({ issuer, checkAt: now })))
  }
  return ports
}

it("a call to a split shard is repeated at the company's new shard", async () => {
  const { store } = await setUp()
  const charge = aPendingCharge({ issuer: anotherCnpj })
  split.state = "split"
  expect(await run(store.insert(charge))).toEqual({ _tag: "Inserted" })
  expect(await run(store.find(anotherCnpj, charge.id))).toEqual(charge)
})

it("an insertion whose answer was lost before the split rejects as lost, not as a taken id", async () => {
  const { store } = await setUp()
  const charge = aPendingCharge({ issuer: anotherCnpj })
  split.state = "leaving"
  await expect(run(store.insert(charge))).rejects.toMatchObject({ cause: { kind: "lost" } })
  expect(await run(store.find(anotherCnpj, charge.id))).toEqual(charge)
})

it("a move whose answer was lost before the split rejects as lost, not as stale", async () => {
  const { store } = await setUp()
  const charge = aPendingCharge({ issuer: anotherCnpj })
  await run(store.insert(charge))
  const next = aCancelledCharge(charge)
  split.state = "leaving"
  await expect(run(store.commit(aChange(charge, { next })))).rejects.toMatchObject({ cause: { kind: "lost" } })
  expect(await run(store.find(anotherCnpj, charge.id))).toEqual(next)
})

it("a batch's part for a split shard is sent to the new shards", async () => {
  const { outbox } = await setUp()
  const leases = (await run(outbox.claim(claim))).queues.map(({ lease }) => lease)
  split.state = "split"
  expect((await run(outbox.renew(leases, 1_000))).toSorted()).toEqual(leases.map(({ token }) => token).toSorted())
})

it("a sum over all shards counts a split shard's new shards, and no item twice", async () => {
  const { outbox } = await setUp()
  split.state = "split"
  expect(await run(outbox.depth)).toEqual({ waiting: 2, oldestAt: fixtureNow })
})

it("the claim after a split finds the queues of the new shard", async () => {
  const { outbox, checks } = await setUp()
  split.state = "split"
  const issuers = []
  for (let index = 0; index < 2; index++)
    issuers.push(...(await run(outbox.claim(claim))).queues.map(({ lease }) => lease.issuer))
  expect(issuers.toSorted()).toEqual(both.toSorted())
  const due = await run(checks.claimCharges(claim))
  expect(due.map(({ issuer }) => issuer).toSorted()).toEqual(both.toSorted())
})

it("a claim succeeds when every shard is split, and the next claim calls the new shards", async () => {
  const { outbox } = await setUp()
  for (const shard of all) shard.state = "split"
  expect(await run(outbox.claim(claim))).toEqual({ queues: [], nextDueAt: now })
  expect(listIssuers((await run(outbox.claim(claim))).queues).toSorted()).toEqual(both.toSorted())
})

it("a call whose shard is split repeatedly is made four times", async () => {
  const { outbox, store } = await setUp()
  const leases = (await run(outbox.claim(claim))).queues.map(({ lease }) => lease)
  split.state = "splitting"
  const sentBy = async (call: Effect.Effect<unknown, unknown>) => {
    const before = split.sent
    await run(Effect.exit(call))
    return split.sent - before
  }
  // The statements of one failing call: a sum calls a split shard only once.
  const once = await sentBy(outbox.depth)
  expect(await sentBy(store.insert(aPendingCharge({ issuer: anotherCnpj })))).toBe(4 * once)
  expect(await sentBy(outbox.renew(leases, 1_000))).toBe(4 * once)
})

/** Makes one shard of both companies, which fails every call. Its split leads to the new shards. */
const makeJoinedShard = () => {
  const state = { isSplit: false }
  const refuse = () => Object.assign(new Error("connection to the remote node failed"), { code: "08006" })
  const db: Connection = { query: async () => Promise.reject(state.isSplit ? splitFailure() : refuse()) }
  const whole = { id: "whole", ports: makeStorePorts(makeDatabase(db, schemaName("whole"))) }
  const routed: StoreShards = {
    find: (issuer) => (state.isSplit ? shards.find(issuer) : Effect.succeed(whole)),
    all: Effect.suspend(() => (state.isSplit ? shards.all : Effect.succeed([whole]))),
  }
  return { state, layer: makeLayer(routed) }
}

it("settlements that a split shard has not written wait for each company's new shard to write them", async () => {
  const before = await openRouted(layer)
  const getQueue = await leaseQueues(before, both, { leaseMs: 0 })
  for (const issuer of both) await queueEvent(before, issuer)
  const [own, other] = [makeSettlement(getQueue(aCnpj)), makeSettlement(getQueue(anotherCnpj))]
  const { state, layer: joinedLayer } = makeJoinedShard()
  const routed = await openRouted(joinedLayer)
  expect(await run(routed.outbox.settle([own, other], now))).toEqual([])
  let settled = 0
  let refused = 0
  findShard(aCnpj).isLocked = (statement) => settles(statement) && settled++ < 0
  findShard(anotherCnpj).isLocked = (statement) => settles(statement) && refused++ >= 0
  state.isSplit = true
  expect(await advanceClock(claimUntil(routed, aCnpj))).toEqual([aCnpj])
  expect(await isSettled(routed, own)).toBe(true)
  await advanceClock(until(() => refused > 2))
  expect(settled).toBe(1)
  expect(await advanceClock(claimQueues(routed))).toEqual([])
  findShard(anotherCnpj).isLocked = () => false
  expect(await advanceClock(claimUntil(routed, anotherCnpj))).toEqual([anotherCnpj])
  expect(await isSettled(routed, other)).toBe(true)
})
