import { StoreUnavailable } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import {
  aCancelledCharge,
  aChange,
  aPendingCharge,
  aTestEvent,
  startStopwatch,
} from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { beforeEach, expect, it, onTestFinished, vi } from "vitest"
import { realPostgres, until } from "@pixcharge/verify/postgres"
import { openRouted } from "./openRouted.ts"
import { claimQueues, claimUntil, listIssuers, now, queueEvent, request } from "./queues.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"
import { makeClockAdvancer } from "./makeClockAdvancer.ts"

const { leaseMs } = request
const shardCount = 5
const { all, findShard, shards, layer, makeLayer, hooks, isWorking } = await shardsOnSchemas(
  await realPostgres({ max: 20 }),
  shardCount,
)
const advanceClock = makeClockAdvancer(isWorking)
const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => advanceClock(Effect.runPromise(effect))
beforeEach(() => Effect.runPromise(hooks.reset ?? Effect.void))

/** Returns this number of companies in each shard. */
const companies = (each: number): ReadonlyArray<Cnpj> =>
  all.flatMap((shard) =>
    Array.from({ length: 90 }, (_, index) => `${10 + index}222333000181` as Cnpj)
      .filter((issuer) => findShard(issuer) === shard)
      .slice(0, each),
  )
const [first, second, third, fourth] = companies(1) as [Cnpj, Cnpj, Cnpj, Cnpj]

type Opened = Awaited<ReturnType<typeof openRouted>>

const issuersClaimed = async (opened: Opened, overrides: Partial<typeof request> = {}) =>
  listIssuers(await advanceClock(claimQueues(opened, overrides)))

const dueFor = async ({ checks }: Opened, limit = 100) =>
  (await run(checks.claimCharges({ now, limit, leaseMs }))).map(({ issuer }) => issuer)

const sent = (): ReadonlyArray<number> => all.map((shard) => shard.sent)
const sentSince = (before: ReadonlyArray<number>) => sent().map((count, index) => count - (before[index] ?? 0))
const shardNumber = (issuer: Cnpj) => all.indexOf(findShard(issuer))

const countStatementsTo = async (opened: Opened, issuer: Cnpj): Promise<number> => {
  const before = sent()
  await claimQueues(opened)
  return sentSince(before)[shardNumber(issuer)] ?? 0
}

/** Cool-downs and idle times end only when the test moves the clock. */
const stopMonotonicClock = () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  return clock
}

it("a claim without due queues calls every shard once, and later claims call no shard until a write", async () => {
  const opened = await openRouted(layer)
  stopMonotonicClock()
  expect(await issuersClaimed(opened)).toEqual([])
  expect(sent()).toEqual(all.map(() => 1))
  expect(await issuersClaimed(opened)).toEqual([])
  expect(sent()).toEqual(all.map(() => 1))
  await queueEvent(opened, second)
  const before = sent()
  expect(await issuersClaimed(opened)).toEqual([second])
  expect(sentSince(before)).toEqual(all.map((_, index) => (index === shardNumber(second) ? 1 : 0)))
})

it("this process's change of a shard's queues ends the shard's idle time", async () => {
  const opened = await openRouted(layer)
  const { outbox, store } = opened
  stopMonotonicClock()
  const [charge, other] = [aPendingCharge({ issuer: first }), aPendingCharge({ issuer: first })]
  for (const one of [charge, other]) await run(store.insert(one))
  const event = aTestEvent({ issuer: first })
  await queueEvent(opened, first)
  const [queue] = (await run(outbox.claim(request))).queues
  const {
    lease,
    due: [one],
  } = queue!
  const attempt = { startedAt: now, latencyMs: 1, status: 200 }
  const delivered = { lease, eventId: one?.event.id ?? "", number: 1, fate: { _tag: "Delivered" }, attempt } as const
  const cancelled = aCancelledCharge(charge)
  const otherCancelled = aCancelledCharge(other)
  const changes = {
    settle: outbox.settle([delivered], now),
    release: outbox.release([lease], 1_000_000),
    renew: outbox.renew([lease], 1_000_000),
    commit: store.commit(aChange(charge, { next: cancelled, deliveries: [{ event, endpointId: "mercado" }] })),
    restore: store.commit(aChange(other, { next: otherCancelled, unsent: "restore" })),
    supersede: outbox.supersede(first, charge.id, now),
    replay: outbox.replay(first, { eventId: one?.event.id ?? "" }, now),
  } satisfies Record<string, Effect.Effect<unknown, unknown>>
  const woken: Array<string> = []
  for (const [name, change] of Object.entries(changes)) {
    while ((await countStatementsTo(opened, first)) > 0);
    await run(change)
    if ((await countStatementsTo(opened, first)) > 0) woken.push(name)
  }
  expect(woken).toEqual(Object.keys(changes))
})

it("a delivery that becomes due in an idle shard is claimed", async () => {
  const opened = await openRouted(layer)
  await queueEvent(opened, first, now + 5)
  const { queues, nextDueAt } = await run(opened.outbox.claim(request))
  expect([queues, nextDueAt]).toEqual([[], now + 5])
  expect(await issuersClaimed(opened, { now: now + 4 })).toEqual([])
  expect(await issuersClaimed(opened, { now: now + 5 })).toEqual([first])
})

it("a claim with other excluded endpoints calls an idle shard", async () => {
  const opened = await openRouted(layer)
  await queueEvent(opened, first)
  const excludedEndpoints = ["loja"]
  expect((await run(opened.outbox.claim({ ...request, excludedEndpoints }))).queues).toEqual([])
  expect(await issuersClaimed(opened)).toEqual([first])
})

it("another process's write is found after the idle time", async () => {
  const [opened, other] = [await openRouted(layer), await openRouted(layer)]
  const clock = stopMonotonicClock()
  await issuersClaimed(opened)
  await queueEvent(other, third)
  const before = sent()
  expect(await issuersClaimed(opened)).toEqual([])
  expect(sentSince(before)).toEqual(all.map(() => 0))
  clock.mockReturnValue(performance.now() + 100)
  expect(await issuersClaimed(opened)).toEqual([third])
})

it("a look that finds a delivery ends the shard's idle time", async () => {
  const opened = await openRouted(layer)
  stopMonotonicClock()
  expect(await issuersClaimed(opened)).toEqual([])
  const other = await openRouted(layer)
  await queueEvent(other, second)
  expect(await issuersClaimed(opened)).toEqual([])
  expect(await run(opened.checks.look(now))).toMatchObject({ kinds: new Set(["deliveries"]) })
  expect(await issuersClaimed(opened)).toEqual([second])
})

it("the idle time grows to two seconds while claims are empty", async () => {
  const opened = await openRouted(layer)
  const clock = stopMonotonicClock()
  for (const [claims, idleMs] of [100, 200, 400, 800, 1_600, 2_000, 2_000].entries()) {
    await issuersClaimed(opened)
    clock.mockReturnValue(performance.now() + idleMs - 1)
    await issuersClaimed(opened)
    expect(sent()).toEqual(all.map(() => claims + 1))
    clock.mockReturnValue(performance.now() + 1)
  }
})

it("the next claim finds a queue that concurrent claims of one process missed", async () => {
  const opened = await openRouted(layer)
  for (const issuer of companies(2)) await queueEvent(opened, issuer)
  const claims = await Promise.all(Array.from({ length: 6 }, () => issuersClaimed(opened, { limit: 1 })))
  const rest = await issuersClaimed(opened)
  expect([...claims.flat(), ...rest].toSorted()).toEqual(companies(2).toSorted())
})

it("each claim begins with the next shard", async () => {
  const opened = await openRouted(layer)
  for (const issuer of companies(2)) {
    await queueEvent(opened, issuer)
    await run(opened.store.insert(aPendingCharge({ issuer, checkAt: now })))
  }
  const queues: Array<Cnpj> = []
  const checks: Array<Cnpj> = []
  for (let index = 0; index < shardCount; index++) {
    queues.push(...(await issuersClaimed(opened, { limit: 1 })))
    checks.push(...(await dueFor(opened, 1)))
  }
  for (const issuers of [queues, checks]) expect(new Set(issuers.map(findShard)).size).toBe(shardCount)
})

it("claims from several shards keep to their limit, and find all items", async () => {
  const opened = await openRouted(layer)
  for (const issuer of companies(3)) await queueEvent(opened, issuer)
  // One shard has more items than its part of the limit.
  for (let index = 0; index < 9; index++)
    await run(opened.store.insert(aPendingCharge({ issuer: fourth, checkAt: now })))
  const batches = [
    await issuersClaimed(opened, { limit: 6 }),
    await issuersClaimed(opened, { limit: 6 }),
    await issuersClaimed(opened, { limit: 6 }),
  ]
  expect(batches.map(({ length }) => length)).toEqual([6, 6, 3])
  expect(batches.flat().toSorted()).toEqual(companies(3).toSorted())
  expect(await dueFor(opened, 8)).toHaveLength(8)
  expect(await dueFor(opened, 8)).toHaveLength(1)
})

it("claims return other shards' items while a shard is down, and that shard's items afterwards", async () => {
  const opened = await openRouted(layer)
  for (const issuer of companies(1)) {
    await run(opened.store.insert(aPendingCharge({ issuer, checkAt: now })))
    await queueEvent(opened, issuer)
  }
  await run(opened.reconciliations.enter(now))
  findShard(second).state = "down"
  const others = companies(1)
    .filter((issuer) => issuer !== second)
    .toSorted()
  expect((await issuersClaimed(opened)).toSorted()).toEqual(others)
  expect((await dueFor(opened)).toSorted()).toEqual(others)
  const turns = []
  for (let index = 0; index < shardCount; index++)
    turns.push((await run(opened.reconciliations.claim({ now, leaseMs })))?.issuer)
  expect(turns.flatMap((issuer) => issuer ?? []).toSorted()).toEqual(others)
  findShard(second).state = "up"
  await advanceClock(until(async () => (await issuersClaimed(opened)).includes(second)))
  await advanceClock(until(async () => (await dueFor(opened)).includes(second)))
  await advanceClock(until(async () => (await run(opened.reconciliations.claim({ now, leaseMs })))?.issuer === second))
})

it("claims call a failing shard ever more rarely, and fail once every shard fails", async () => {
  const opened = await openRouted(layer)
  findShard(second).state = "down"
  stopMonotonicClock()
  await issuersClaimed(opened)
  const before = findShard(second).sent
  for (let index = 0; index < 10; index++) await issuersClaimed(opened)
  expect(findShard(second).sent).toBe(before)
  vi.restoreAllMocks()
  for (const shard of all) shard.state = "down"
  await expect(
    advanceClock(
      until(async () => {
        await issuersClaimed(opened)
        return false
      }),
    ),
  ).rejects.toMatchObject({ _tag: "StoreUnavailable" })
})

it("a claim with an unanswered shard reports that a delivery can be due now", async () => {
  const { outbox } = await openRouted(layer)
  const clock = stopMonotonicClock()
  const nextDueAt = async () => {
    clock.mockReturnValue(performance.now() + 10_000)
    return (await run(outbox.claim(request))).nextDueAt
  }
  findShard(second).state = "down"
  expect(await nextDueAt()).toBe(now)
  findShard(second).state = "up"
  expect(await nextDueAt()).toBeUndefined()
  findShard(second).state = "down"
  expect(await nextDueAt()).toBe(now)
})

it("a claim calls at most four shards at a time", async () => {
  const opened = await openRouted(layer)
  for (const shard of all) shard.state = "silent"
  const claiming = claimQueues(opened)
  const countSent = () => sent().reduce((sum, count) => sum + count, 0)
  await until(() => countSent() > 0)
  expect(countSent()).toBe(4)
  for (const shard of all) shard.state = "up"
  await claiming
  expect(sent()).toEqual(all.map(() => 1))
})

it("of the shards that failed before, a claim calls at most two at a time", async () => {
  const opened = await openRouted(layer)
  const clock = stopMonotonicClock()
  for (const shard of all) shard.state = "down"
  await expect(issuersClaimed(opened)).rejects.toMatchObject({ _tag: "StoreUnavailable" })
  clock.mockReturnValue(performance.now() + 10_000)
  for (const shard of all) shard.state = "silent"
  const before = sent()
  const claiming = claimQueues(opened).catch(() => [])
  const countSent = () => sentSince(before).reduce((sum, count) => sum + count, 0)
  await until(() => countSent() > 0)
  expect(countSent()).toBe(2)
  for (const shard of all) shard.state = "up"
  await claiming
})

it("a claim returns its leased queues even if the shards can't be read again", async () => {
  let isRead = false
  const unavailable = Effect.fail(new StoreUnavailable({ operation: "shards" }))
  const readOnce = Effect.suspend(() => {
    if (isRead) return unavailable
    isRead = true
    return shards.all
  })
  const opened = await openRouted(makeLayer({ ...shards, all: readOnce }))
  await queueEvent(opened, first)
  expect(await issuersClaimed(opened)).toEqual([first])
})

it("a claim leases only the queues that it returns, and another process claims the rest", async () => {
  const [opened, other] = [await openRouted(layer), await openRouted(layer)]
  for (const issuer of companies(2)) await queueEvent(opened, issuer)
  const batches = [await issuersClaimed(opened, { limit: 3 }), await issuersClaimed(other)]
  expect(batches[0]).toHaveLength(3)
  expect(batches.flat().toSorted()).toEqual(companies(2).toSorted())
})

it("a change with a lost answer ends a shard's idle time", async () => {
  const opened = await openRouted(layer)
  const { outbox, store } = opened
  stopMonotonicClock()
  const charge = aPendingCharge({ issuer: first })
  await run(store.insert(charge))
  await queueEvent(opened, first)
  const [queue] = await claimQueues(opened)
  const deliveries = [{ event: aTestEvent({ issuer: first }), endpointId: "mercado" }]
  const changes = {
    renew: outbox.renew([queue!.lease], 1_000_000),
    release: outbox.release([queue!.lease], 1_000_000),
    supersede: outbox.supersede(first, charge.id, now),
    commit: store.commit(aChange(charge, { next: aCancelledCharge(charge), deliveries })),
  } satisfies Record<string, Effect.Effect<unknown, unknown>>
  const woken: Array<string> = []
  for (const [name, change] of Object.entries(changes)) {
    while ((await countStatementsTo(opened, first)) > 0);
    findShard(first).state = "mute"
    await expect(run(change)).rejects.toMatchObject({ _tag: "StoreUnavailable" })
    findShard(first).state = "up"
    if ((await countStatementsTo(opened, first)) > 0) woken.push(name)
  }
  expect(woken).toEqual(Object.keys(changes))
})

it("a claim waits briefly for a silent shard, and the next claim gets that shard's late queues", async () => {
  const opened = await openRouted(layer)
  for (const issuer of [first, second]) await queueEvent(opened, issuer)
  findShard(second).state = "silent"
  expect(await issuersClaimed(opened)).toEqual([first])
  const stopWatch = startStopwatch()
  await queueEvent(opened, third)
  expect(await issuersClaimed(opened)).toEqual([third])
  expect(stopWatch()).toBeLessThan(5_000)
  findShard(second).state = "up"
  await advanceClock(until(async () => (await issuersClaimed(opened)).includes(second)))
})

it("late items of several shards go to the next claims, each item once and within the claims' limits", async () => {
  const opened = await openRouted(layer)
  for (const issuer of companies(2)) await queueEvent(opened, issuer)
  const late = [second, third, fourth].map(findShard)
  for (const shard of late) shard.state = "silent"
  const issuers = [...(await issuersClaimed(opened))]
  expect(issuers.filter((issuer) => late.includes(findShard(issuer)))).toEqual([])
  for (const shard of late) shard.state = "up"
  await until(() => late.every(({ underWay }) => underWay === 0))
  while (issuers.length < 2 * shardCount) {
    const batch = await issuersClaimed(opened, { limit: 3 })
    expect(batch.length).toBeLessThanOrEqual(3)
    issuers.push(...batch)
  }
  expect(issuers.toSorted()).toEqual(companies(2).toSorted())
  expect(await issuersClaimed(opened)).toEqual([])
})

it("a late queue is returned without its old deliveries, and not after a third of its lease", async () => {
  const opened = await openRouted(layer)
  const { outbox } = opened
  const clock = stopMonotonicClock()
  for (const issuer of [first, second, third]) await queueEvent(opened, issuer)
  for (const issuer of [second, third]) findShard(issuer).state = "silent"
  expect(await issuersClaimed(opened)).toEqual([first])
  const answers = async (issuer: Cnpj) => {
    const shard = findShard(issuer)
    shard.state = "up"
    await until(() => shard.underWay === 0)
    // Once this call is answered, the router has the answer to the claim.
    await run(outbox.queueDepth(issuer, "loja"))
  }
  await answers(second)
  expect((await claimQueues(opened)).map(({ lease, due }) => [lease.issuer, due])).toEqual([[second, []]])
  await answers(third)
  clock.mockReturnValue(performance.now() + leaseMs / 3 + 1)
  expect(await claimQueues(opened)).toEqual([])
})

it("a shard's items stay with the claim that requested them while it waits for other shards", async () => {
  const opened = await openRouted(layer)
  await queueEvent(opened, first)
  findShard(second).state = "silent"
  const claiming = claimQueues(opened)
  await until(() => findShard(first).sent > 1)
  await until(() => findShard(first).underWay === 0)
  // Once this call is answered, the router has the answer to the claim.
  await Effect.runPromise(opened.outbox.queueDepth(first, "loja"))
  expect(await advanceClock(claimQueues(opened))).toEqual([])
  findShard(second).state = "up"
  expect((await claiming).map(({ due }) => due.length)).toEqual([1])
})

it("a claim waits for a shard that failed before if it finds no other item", async () => {
  const onlyFirst = Effect.map(shards.all, (some) => some.slice(0, 1))
  const opened = await openRouted(makeLayer({ ...shards, all: onlyFirst }))
  const clock = stopMonotonicClock()
  findShard(first).state = "down"
  await expect(advanceClock(claimQueues(opened))).rejects.toMatchObject({ _tag: "StoreUnavailable" })
  findShard(first).state = "up"
  await queueEvent(opened, first)
  clock.mockReturnValue(performance.now() + 10_000)
  expect(await issuersClaimed(opened)).toEqual([first])
})

it("the items of an abandoned claim go to the next claim", async () => {
  const opened = await openRouted(layer)
  await queueEvent(opened, second)
  const shard = findShard(second)
  shard.state = "silent"
  const claiming = Effect.runFork(opened.outbox.claim(request))
  await until(() => shard.underWay === 1)
  await run(Fiber.interrupt(claiming))
  shard.state = "up"
  expect(await advanceClock(claimUntil(opened, second))).toEqual([second])
})
