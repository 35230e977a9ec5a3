import { ChargeLists, OutboxSignal, PaymentProcessor, PixCharges, Reconciler } from "@pixcharge/core"
import type { ChargeId, PendingCharge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import { apiPix, type PspProfile, standardProfile } from "@pixcharge/processor-api-pix"
import type { BankOptions, SimulatedBank } from "@pixcharge/simulated-bank"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { aChargeId, aPendingCharge, anOrder } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { describe, expect, vi } from "vitest"
import { company, connectionTo, openBank, openPsp } from "./bank/openBank.ts"

const minute = 60_000

const count = ({ exchanges }: SimulatedBank, wanted: string, path: string): number =>
  exchanges.filter((one) => one.method === wanted && one.path.startsWith(path)).length

const real = Context.get(Context.empty(), Clock.Clock)

/**
 * A clock that tests advance. Each advance wakes the sleepers, even on a busy machine. The bank uses the same clock.
 */
const makeClock = () => {
  let now = Date.now()
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  const clock: Clock.Clock = Object.assign(Object.create(real) as Clock.Clock, {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    sleep: (duration: Duration.Duration) =>
      Effect.callback<void>((resume) => {
        const sleeper = { until: now + Duration.toMillis(duration), wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        return Effect.sync(() => void sleepers.delete(sleeper))
      }),
  })
  const advance = (ms: number) =>
    Effect.sync(() => {
      now += ms
      for (const sleeper of sleepers) {
        if (sleeper.until > now) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
    })
  return { clock, now: () => now, advance }
}

const openReconciledWorld = Effect.fnUntraced(function* (
  ways: BankOptions["ways"] = {},
  changes: Partial<PspProfile> = {},
) {
  const { clock, now, advance } = makeClock()
  const psp = yield* openPsp({ now, ways })
  const profile = { ...standardProfile, pageSize: 100, ...changes }
  const connection = yield* Effect.promise(() => connectionTo(psp, company, { profile }))
  const { cnpj, name, city, pixKey, graceDays } = company
  const layer = Reconciler.onDemand.pipe(
    Layer.provideMerge(PixCharges.layer),
    Layer.provideMerge(OutboxSignal.layer),
    Layer.provideMerge(memoryStore()),
    Layer.provideMerge(memoryDirectory({ companies: [{ cnpj, name, city, pixKey, graceDays }] })),
    Layer.provideMerge(apiPix({ companies: { [cnpj]: connection } }).processor),
    Layer.provideMerge(Layer.succeed(Clock.Clock, clock)),
  )
  const context = yield* Layer.build(layer)
  const inside = <A, E>(effect: Effect.Effect<A, E>) => Effect.provideService(effect, Clock.Clock, clock)
  const charges = Context.get(context, PixCharges)
  const { round } = Context.get(context, Reconciler)
  return {
    psp,
    advance,
    issue: Effect.suspend(() => inside(charges.issue(cnpj, { id: aChargeId(), amountCents: 1990 as Cents }))),
    find: (id: ChargeId) => inside(charges.find(cnpj, id)),
    findPayments: (ids: ReadonlyArray<string>) => inside(Context.get(context, ChargeLists).paymentsById(cnpj, ids)),
    pay: ({ amountCents, txid }: PendingCharge) => psp.payToKey(pixKey, amountCents, txid),
    pass: Effect.fnUntraced(function* (ms: number, stepMs: number) {
      for (let remainingMs = ms; remainingMs > 0; remainingMs -= stepMs) {
        yield* advance(stepMs)
        yield* Effect.repeat(inside(round), { while: ({ more }) => more })
      }
    }),
  }
})

describe("the reconciler", () => {
  it.live("watches a hundred unpaid charges with less than five calls each", () =>
    Effect.gen(function* () {
      const { psp, advance, issue, find, pay, pass } = yield* openReconciledWorld()
      const issued = []
      for (let n = 0; n < 100; n++) {
        issued.push(yield* issue)
        yield* advance(600)
      }
      yield* pass(20 * minute, 5_000)
      const [first] = issued
      const lookUps = count(psp, "GET", "/cob/")
      if (first !== undefined) pay(first as PendingCharge)
      yield* pass(25 * 60 * minute, 30_000)
      expect(yield* find(first?.id ?? aChargeId())).toMatchObject({ _tag: "Paid" })
      for (const { id } of issued.slice(1)) expect((yield* find(id)).checkAt).toBeUndefined()
      // The late payment is marked after a look-up of its own.
      expect([count(psp, "PUT", "/cob/"), lookUps, count(psp, "GET", "/cob/")]).toEqual([100, 200, 300])
      // Includes the lists of the daily comparison.
      expect(count(psp, "GET", "/pix")).toBeLessThanOrEqual(80)
    }),
  )
})

describe("a bank that refuses to list payments", () => {
  it.live("is called for each unpaid charge, and for lists again once it allows them", () =>
    Effect.gen(function* () {
      const { psp, issue, find, pay, pass } = yield* openReconciledWorld()
      const isList = ({ method, path }: { readonly method: string; readonly path: string }) =>
        method === "GET" && path === "/pix"
      const grant = psp.faults.add({ _tag: "Status", status: 403 }, isList)
      const logged = vi.spyOn(console, "log").mockReturnValue()
      const first = (yield* issue) as PendingCharge
      yield* pass(20 * minute, 5_000)
      pay(first)
      yield* pass(11 * minute, 5_000)
      expect((yield* find(first.id))._tag).toBe("Paid")
      grant()
      const second = (yield* issue) as PendingCharge
      yield* pass(61 * minute, 30_000)
      const lookUps = count(psp, "GET", "/cob/")
      pay(second)
      yield* pass(31 * minute, 30_000)
      logged.mockRestore()
      expect((yield* find(second.id))._tag).toBe("Paid")
      // The late payment is marked after a look-up of its own.
      expect(count(psp, "GET", "/cob/")).toBe(lookUps + 1)
    }),
  )
})

describe("a bank that lists only a part of a period", () => {
  const dayMs = 24 * 60 * minute
  const monthOf = (at: number) => new Date(at - 3 * 60 * minute).toISOString().slice(0, 7)

  for (const [title, listPeriod, refusesPeriod] of [
    ["five days", { days: 5 }, (from: number, to: number) => to - from >= 5 * dayMs],
    ["a month", "month", (from: number, to: number) => monthOf(from) !== monthOf(to)],
  ] as const) {
    it.live(`shows all payments of forty days when no process ran, in parts of ${title}`, () =>
      Effect.gen(function* () {
        const { psp, advance, issue, findPayments, pass } = yield* openReconciledWorld(
          { refusesPeriod },
          { listPeriod },
        )
        yield* issue
        yield* pass(20 * minute, 30_000)
        const ids = []
        for (let day = 0; day < 40; day++) {
          yield* advance(dayMs)
          ids.push(psp.payToKey(company.pixKey, 700 + day).endToEndId)
        }
        yield* pass(2 * minute, 30_000)
        expect((yield* findPayments(ids)).map(({ endToEndId }) => endToEndId).toSorted()).toEqual(ids.toSorted())
      }),
    )
  }
})

describe("a bank that limits its calls per minute", () => {
  const profile = { ...standardProfile, putOnExisting: "refuses", pace: { limits: [{ perMinute: 24 }] } } as const

  it.effect("gets no more calls than its limit, and the calls that issue charges come before look-ups", () =>
    Effect.gen(function* () {
      const ways = { putOnExisting: "refuses" } as const
      const { psp, processor } = yield* openBank({ ways }, { profile, timeoutMs: 10_000 })
      const lookups = yield* Effect.forEach(Array.from({ length: 60 }), () =>
        Effect.forkChild(Effect.result(processor.lookup(aPendingCharge({ issuer: company.cnpj }))), {
          startImmediately: true,
        }),
      )
      const orders = yield* Effect.forEach(Array.from({ length: 11 }), () => anOrder(company))
      const issued = yield* Effect.forEach(orders, (order) => processor.register(order), { concurrency: "unbounded" })
      expect(issued).toHaveLength(11)
      const found = yield* Effect.forEach(lookups, Fiber.join)
      const refused = found.flatMap((one) => (one._tag === "Failure" ? [one.failure] : []))
      expect(refused).toHaveLength(60 - 12)
      for (const error of refused) {
        expect(error).toMatchObject({ _tag: "ProcessorUnavailable", cause: "paced", retryAfterMs: 61_000 })
      }
      // The number includes the calls for the token.
      expect(psp.exchanges.length).toBeLessThanOrEqual(24)
      expect(count(psp, "PUT", "/cob/")).toBe(11)
    }),
  )

  it.live("gets no more calls than its limit even if the connection is renewed", () =>
    Effect.gen(function* () {
      const psp = yield* openPsp()
      const limits = [{ perMinute: 3 }]
      const connection = yield* Effect.promise(() =>
        connectionTo(psp, company, { profile: { ...profile, pace: { limits } } }),
      )
      const { clock, advance } = makeClock()
      let callCount = 0
      const companies = () => {
        callCount += 1
        return { ...connection }
      }
      const context = yield* Layer.build(apiPix({ companies }).processor)
      const lookup = Context.get(context, PaymentProcessor).lookup(aPendingCharge({ issuer: company.cnpj }))
      // The client sleeps by the real clock. Otherwise its timeout would pass when the test advances the clock by a
      // minute.
      const realSleepClock = Object.assign(Object.create(clock) as Clock.Clock, { sleep: real.sleep.bind(real) })
      const inside = Effect.provideService(lookup, Clock.Clock, realSleepClock)
      yield* inside
      yield* advance(60_001)
      const waiting = yield* Effect.forkChild(inside, { startImmediately: true })
      yield* Effect.sleep(500)
      expect([callCount, waiting.pollUnsafe()]).toEqual([2, undefined])
      yield* advance(minute)
      yield* Fiber.join(waiting)
    }),
  )
})
