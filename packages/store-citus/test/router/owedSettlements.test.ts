import { StoreUnavailable } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { aCnpj, alphanumericCnpj, anotherCnpj } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { beforeEach, expect, it } from "vitest"
import { realPostgres, until } from "@pixcharge/verify/postgres"
import { openRouted } from "./openRouted.ts"
import {
  claimQueues,
  claimUntil,
  makeSettlement,
  isSettled,
  listIssuers,
  leaseQueues,
  now,
  queueEvent,
  settles,
} from "./queues.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"
import { makeClockAdvancer } from "./makeClockAdvancer.ts"

const { findShard, shards, layer, makeLayer, hooks, isWorking } = await shardsOnSchemas(
  await realPostgres({ max: 20 }),
  3,
)
const advanceClock = makeClockAdvancer(isWorking)
const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => advanceClock(Effect.runPromise(effect))
beforeEach(() => Effect.runPromise(hooks.reset ?? Effect.void))

/** Each company has its own shard; the second company's shard fails. */
const both = [aCnpj, anotherCnpj]
const failing = findShard(anotherCnpj)

type Opened = Awaited<ReturnType<typeof openRouted>>

/** Returns settlements of delivered events whose leases have ended: any process can claim their queues. */
const deliverEvents = async (opened: Opened, issuers: ReadonlyArray<Cnpj>) => {
  const getQueue = await leaseQueues(opened, issuers, { leaseMs: 0, each: 2 })
  for (const issuer of issuers) await queueEvent(opened, issuer)
  return (issuer: Cnpj, at?: number) => makeSettlement(getQueue(issuer), at)
}

it("other shards' deliveries are settled; the failing shard's deliveries are settled later, and not sent again", async () => {
  const opened = await openRouted(layer)
  const { outbox } = opened
  const getQueue = await leaseQueues(opened, both)
  const [own, failed] = [getQueue(aCnpj), getQueue(anotherCnpj)]
  failing.state = "silent"
  expect(
    await run(
      outbox.settle(
        [own, failed].map((queue) => makeSettlement(queue)),
        now,
      ),
    ),
  ).toMatchObject([{ issuer: aCnpj }])
  // Events with unwritten settlements must not be sent again.
  await run(outbox.release([own.lease, failed.lease]))
  failing.state = "up"
  const readNothing = async () => {
    expect(await claimQueues(opened)).toEqual([])
    const read = await run(outbox.read([{ lease: failed.lease, limit: 10 }], now))
    expect(read.flatMap(({ due }) => due)).toEqual([])
  }
  await advanceClock(
    until(async () => {
      const isOver = await isSettled(opened, makeSettlement(failed))
      if (!isOver) await readNothing()
      return isOver
    }),
  )
  expect(await run(outbox.depth)).toEqual({ waiting: 0 })
  // The postponed release runs now or soon.
  await queueEvent(opened, anotherCnpj)
  expect(await advanceClock(claimUntil(opened, anotherCnpj))).toEqual([anotherCnpj])
})

it("a failed settlement is logged once, not at each retry", async () => {
  const logged: Array<string> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    logged.push(`${logLevel} ${Array.isArray(message) ? message[0] : message}`)
  })
  const opened = await openRouted(Layer.provide(layer, Logger.layer([logger])))
  const getQueue = await leaseQueues(opened, [anotherCnpj])
  failing.state = "down"
  const before = failing.sent
  const settling = Effect.runPromise(opened.outbox.settle([makeSettlement(getQueue(anotherCnpj))], now))
  // Each retry sends a few statements.
  await advanceClock(until(() => failing.sent >= before + 20))
  failing.state = "up"
  expect(await advanceClock(settling)).toMatchObject([{ issuer: anotherCnpj }])
  expect(logged).toEqual([
    "Warn Deliveries of a shard could not be settled and are retried; other shards are not affected",
  ])
})

it("no deliveries are read from a shard that is owed a settlement, even if the shard answers", async () => {
  let isKnown = true
  const unknown = Effect.fail(new StoreUnavailable({ operation: "shardOf" }))
  const find: typeof shards.find = (issuer) => (isKnown ? shards.find(issuer) : unknown)
  const opened = await openRouted(makeLayer({ ...shards, find }))
  const { outbox } = opened
  const settlementOf = await deliverEvents(opened, both)
  failing.isLocked = settles
  const [own, failed] = [settlementOf(aCnpj), settlementOf(anotherCnpj)]
  expect(await run(outbox.settle([own, failed], now))).toMatchObject([{ issuer: aCnpj }])
  // No queue is claimed while the owed shards are unknown.
  isKnown = false
  expect(await claimQueues(opened)).toEqual([])
  isKnown = true
  expect(listIssuers(await claimQueues(opened))).toEqual([aCnpj])
  expect(await run(outbox.read([{ lease: failed.lease, limit: 10 }], now))).toEqual([])
  failing.isLocked = () => false
  expect(await advanceClock(claimUntil(opened, anotherCnpj))).toEqual([anotherCnpj])
  expect(await isSettled(opened, failed)).toBe(true)
})

it("a settlement for an owed shard doesn't delay its caller", async () => {
  const opened = await openRouted(layer)
  const { outbox } = opened
  const settlementOf = await deliverEvents(opened, both)
  failing.isLocked = settles
  expect(await run(outbox.settle([settlementOf(anotherCnpj)], now))).toEqual([])
  const settling = Effect.runPromise(outbox.settle([settlementOf(aCnpj), settlementOf(anotherCnpj, 1)], now))
  // A waiting caller learns that the settlement is written.
  failing.isLocked = () => false
  expect(await advanceClock(settling)).toMatchObject([{ issuer: aCnpj }])
  await advanceClock(until(() => isSettled(opened, settlementOf(anotherCnpj, 1))))
})

it("a shard is owed settlements until its last settlement is written, even if other shards' settlements are written", async () => {
  const opened = await openRouted(layer)
  const issuers = [anotherCnpj, alphanumericCnpj]
  const settlementOf = await deliverEvents(opened, issuers)
  const [first, second, other] = [
    settlementOf(anotherCnpj),
    settlementOf(anotherCnpj, 1),
    settlementOf(alphanumericCnpj),
  ]
  const kept = new Set([first, second, other])
  for (const issuer of issuers) {
    findShard(issuer).isLocked = (statement) =>
      settles(statement) && [...kept].some(({ eventId }) => String(statement.values[0]).includes(eventId))
  }
  const settling = [first, second, other].map((one) => run(opened.outbox.settle([one], now)))
  expect((await Promise.all(settling)).flat()).toEqual([])
  kept.delete(first)
  await advanceClock(until(() => isSettled(opened, first)))
  kept.delete(other)
  expect(await advanceClock(claimUntil(opened, alphanumericCnpj))).toEqual([alphanumericCnpj])
  kept.delete(second)
  expect(await advanceClock(claimUntil(opened, anotherCnpj))).toEqual([anotherCnpj])
  expect(await isSettled(opened, second)).toBe(true)
})

it("a settlement is retried until the shard accepts it, and then its caller gets the answer", async () => {
  const opened = await openRouted(layer)
  const getQueue = await leaseQueues(opened, [anotherCnpj])
  failing.state = "down"
  const before = failing.sent
  const settling = Effect.runPromise(opened.outbox.settle([makeSettlement(getQueue(anotherCnpj))], now))
  await until(() => failing.sent > before && failing.underWay === 0)
  failing.state = "up"
  expect(await advanceClock(settling)).toMatchObject([{ issuer: anotherCnpj }])
})
