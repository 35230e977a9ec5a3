import type { Cnpj } from "@pixcharge/core/party"
import { aCancelledCharge, aChange, aPendingCharge, aTestEvent, fixtureNow } from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import { beforeEach, expect, it, onTestFinished, vi } from "vitest"
import { realPostgres } from "../realPostgres.ts"
import { until } from "../waiting.ts"
import { openRouted } from "./openRouted.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"

const run = Effect.runPromise
const shardCount = 4
const { all, shardOf, layer, hooks } = await shardsOnSchemas(await realPostgres({ max: 20 }), shardCount)
beforeEach(() => run(hooks.reset ?? Effect.void))

/** Companies, of which so many are in each shard. */
const companies = (each: number): ReadonlyArray<Cnpj> =>
  all.flatMap((shard) =>
    Array.from({ length: 90 }, (_, at) => `${10 + at}222333000181` as Cnpj)
      .filter((issuer) => shardOf(issuer) === shard)
      .slice(0, each),
  )
const [first, second, third, fourth] = companies(1) as [Cnpj, Cnpj, Cnpj, Cnpj]

type Opened = Awaited<ReturnType<typeof openRouted>>

const now = fixtureNow + 1_000
const leaseMs = 60_000
const request = { now, limit: 100, deliveries: 10, leaseMs }

const queued = ({ outbox }: Opened, issuer: Cnpj, at = fixtureNow) =>
  run(outbox.add({ event: aTestEvent({ issuer }), endpointId: "loja" }, at))

const claimed = async ({ outbox }: Opened, asked: Partial<typeof request> = {}) =>
  (await run(outbox.claim({ ...request, ...asked }))).queues.map(({ lease }) => lease.issuer)

const dueFor = async ({ checks }: Opened, limit = 100) =>
  (await run(checks.claimCharges({ now, limit, leaseMs }))).map(({ issuer }) => issuer)

const sent = (): ReadonlyArray<number> => all.map((shard) => shard.sent)
const sentSince = (before: ReadonlyArray<number>) => sent().map((count, at) => count - (before[at] ?? 0))
const shardNumber = (issuer: Cnpj) => all.indexOf(shardOf(issuer))

/** No rest of a shard ends, until the test says what time it is. */
const stopSteadyClock = () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  return clock
}

it("an idle claim asks every shard once, and then none until it is written to", async () => {
  const opened = await openRouted(layer)
  stopSteadyClock()
  expect(await claimed(opened)).toEqual([])
  expect(sent()).toEqual([1, 1, 1, 1])
  expect(await claimed(opened)).toEqual([])
  expect(sent()).toEqual([1, 1, 1, 1])
  await queued(opened, second)
  const before = sent()
  expect(await claimed(opened)).toEqual([second])
  expect(sentSince(before)).toEqual(all.map((_, at) => (at === shardNumber(second) ? 1 : 0)))
})

it("whatever this process changes in the queues of a shard ends its rest", async () => {
  const opened = await openRouted(layer)
  const { outbox, store } = opened
  stopSteadyClock()
  const [charge, other] = [aPendingCharge({ issuer: first }), aPendingCharge({ issuer: first })]
  for (const one of [charge, other]) await run(store.insert(one))
  const event = aTestEvent({ issuer: first })
  await queued(opened, first)
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
    commit: store.commit(aChange(charge, { next: cancelled, deliveries: [{ event, endpointId: "mercado" }] })),
    restore: store.commit(aChange(other, { next: otherCancelled, unsent: "restore" })),
    supersede: outbox.supersede(first, charge.id, now),
    replay: outbox.replay(first, { eventId: one?.event.id ?? "" }, now),
  } satisfies Record<string, Effect.Effect<unknown, unknown>>
  const asked = async () => {
    const before = sent()
    await claimed(opened)
    return sentSince(before)[shardNumber(first)] ?? 0
  }
  const woken: Array<string> = []
  for (const [name, change] of Object.entries(changes)) {
    // What was found by a claim before is claimed.
    while ((await asked()) > 0);
    await run(change)
    if ((await asked()) > 0) woken.push(name)
  }
  expect(woken).toEqual(Object.keys(changes))
})

it("what comes due in a shard that rests is claimed then", async () => {
  const opened = await openRouted(layer)
  await queued(opened, first, now + 5)
  const { queues, nextDueAt } = await run(opened.outbox.claim(request))
  expect([queues, nextDueAt]).toEqual([[], now + 5])
  expect(await claimed(opened, { now: now + 4 })).toEqual([])
  expect(await claimed(opened, { now: now + 5 })).toEqual([first])
})

it("a claim of other queues, or of another bucket, asks a shard that rests", async () => {
  const opened = await openRouted(layer)
  await queued(opened, first)
  const except = ["loja"]
  expect((await run(opened.outbox.claim({ ...request, except }))).queues).toEqual([])
  expect(await claimed(opened)).toEqual([first])
})

it("what another process writes is found after a rest", async () => {
  const [opened, other] = [await openRouted(layer), await openRouted(layer)]
  const clock = stopSteadyClock()
  await claimed(opened)
  await queued(other, third)
  const before = sent()
  expect(await claimed(opened)).toEqual([])
  expect(sentSince(before)).toEqual(all.map(() => 0))
  clock.mockReturnValue(performance.now() + 100)
  expect(await claimed(opened)).toEqual([third])
})

it("rests grow while nothing is found, to two seconds", async () => {
  const opened = await openRouted(layer)
  const clock = stopSteadyClock()
  for (const [rests, restMs] of [100, 200, 400, 800, 1_600, 2_000, 2_000].entries()) {
    await claimed(opened)
    clock.mockReturnValue(performance.now() + restMs - 1)
    await claimed(opened)
    expect(sent()).toEqual(all.map(() => rests + 1))
    clock.mockReturnValue(performance.now() + 1)
  }
})

it("a queue that two claims of one process want at once is found again by the next", async () => {
  const opened = await openRouted(layer)
  for (const issuer of companies(2)) await queued(opened, issuer)
  const claims = await Promise.all(Array.from({ length: 6 }, () => claimed(opened, { limit: 1 })))
  const rest = await claimed(opened)
  expect([...claims.flat(), ...rest].toSorted()).toEqual(companies(2).toSorted())
})

it("no shard is served before the others: each claim begins with another one", async () => {
  const opened = await openRouted(layer)
  for (const issuer of companies(2)) {
    await queued(opened, issuer)
    await run(opened.store.insert(aPendingCharge({ issuer, checkAt: now })))
  }
  const queues: Array<Cnpj> = []
  const checks: Array<Cnpj> = []
  for (let at = 0; at < shardCount; at++) {
    queues.push(...(await claimed(opened, { limit: 1 })))
    checks.push(...(await dueFor(opened, 1)))
  }
  for (const issuers of [queues, checks]) expect(new Set(issuers.map(shardOf)).size).toBe(shardCount)
})

it("claims of several shards bring no more than their limit, and all that there is", async () => {
  const opened = await openRouted(layer)
  for (const issuer of companies(3)) await queued(opened, issuer)
  // All in one shard besides, so that its part alone is not enough.
  for (let at = 0; at < 9; at++) await run(opened.store.insert(aPendingCharge({ issuer: fourth, checkAt: now })))
  const bites = [
    await claimed(opened, { limit: 5 }),
    await claimed(opened, { limit: 5 }),
    await claimed(opened, { limit: 5 }),
  ]
  expect(bites.map(({ length }) => length)).toEqual([5, 5, 2])
  expect(bites.flat().toSorted()).toEqual(companies(3).toSorted())
  expect(await dueFor(opened, 8)).toHaveLength(8)
  expect(await dueFor(opened, 8)).toHaveLength(1)
})

it("while a shard is down, claims bring what the others have; once it answers, its own", async () => {
  const opened = await openRouted(layer)
  for (const issuer of [first, second, third, fourth]) {
    await run(opened.store.insert(aPendingCharge({ issuer, checkAt: now })))
    await queued(opened, issuer)
  }
  await run(opened.reconciliations.enter(now))
  shardOf(second).state = "down"
  const others = [first, third, fourth].toSorted()
  expect((await claimed(opened)).toSorted()).toEqual(others)
  expect((await dueFor(opened)).toSorted()).toEqual(others)
  const turns = []
  for (let at = 0; at < 4; at++) turns.push((await run(opened.reconciliations.claim({ now, leaseMs })))?.issuer)
  expect(turns.flatMap((issuer) => issuer ?? []).toSorted()).toEqual(others)
  shardOf(second).state = "up"
  await until(async () => (await claimed(opened)).includes(second))
  await until(async () => (await dueFor(opened)).includes(second))
  await until(async () => (await run(opened.reconciliations.claim({ now, leaseMs })))?.issuer === second)
})

it("claims ask a shard that fails ever more rarely, and fail once every shard does", async () => {
  const opened = await openRouted(layer)
  shardOf(second).state = "down"
  stopSteadyClock()
  await claimed(opened)
  const before = shardOf(second).sent
  for (let at = 0; at < 10; at++) await claimed(opened)
  expect(shardOf(second).sent).toBe(before)
  vi.restoreAllMocks()
  for (const shard of all) shard.state = "down"
  await expect(
    until(async () => {
      await claimed(opened)
      return false
    }),
  ).rejects.toMatchObject({ _tag: "StoreUnavailable" })
})

it("a silent shard holds a claim up for a while only, and what it brings later goes to the next claim", async () => {
  const opened = await openRouted(layer)
  for (const issuer of [first, second]) await queued(opened, issuer)
  shardOf(second).state = "silent"
  expect(await claimed(opened)).toEqual([first])
  const began = performance.now()
  await queued(opened, third)
  expect(await claimed(opened)).toEqual([third])
  expect(performance.now() - began).toBeLessThan(5_000)
  shardOf(second).state = "up"
  await until(async () => (await claimed(opened)).includes(second))
})
