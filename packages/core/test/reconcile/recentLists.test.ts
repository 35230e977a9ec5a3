import {
  ExceptionStore,
  PaymentProcessor,
  type PaymentSearch,
  PixCharges,
  ProcessorUnavailable,
  type ReceivedPayment,
} from "@pixcharge/core"
import { chargeTxid, type PendingCharge } from "@pixcharge/core/charge"
import { aChargeId, aCnpj, aNotice, aPendingCharge, cents } from "@pixcharge/testkit/fixtures"
import { it } from "@pixcharge/testkit/suites"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { chargeChecks } from "../../src/service/reconcile/chargeChecks.ts"
import { reconcilerPorts } from "../../src/service/reconcile/ReconcilerPorts.ts"
import { makeRecentLists } from "../../src/service/reconcile/recentLists.ts"
import { anIssuedCharge, aReconciler, failureTag, scenario, type World } from "../service/World.ts"

type Operation = Exclude<keyof PaymentProcessor["Service"], "locality">

const minute = 60_000
const hour = 60 * minute

const nothing = { listed: [], payments: 0, returns: 0, failed: 0, unreadable: 0, unnamed: [] }

const count = ({ bank }: World, wanted: Operation) => bank.calls.filter((call) => call === wanted).length

/** Time passes as for a process that does what is due. */
const pass = Effect.fnUntraced(function* (ms: number) {
  for (let left = ms; left > 0; left -= minute) yield* TestClock.adjust(Math.min(left, minute))
})

const find = ({ id }: PendingCharge) => Effect.flatMap(PixCharges, (charges) => charges.find(aCnpj, id))

/** A payment arrives now, and nobody tells us. */
const receive = Effect.fnUntraced(function* (world: World, charge: PendingCharge, more: Partial<ReceivedPayment> = {}) {
  const notice = aNotice(charge, { paidAt: yield* Clock.currentTimeMillis, ...more })
  world.bank.receive(charge, notice)
  return notice
})

/** Payments to the company's key that name no charge. */
const receiveOthers = (world: World, charge: PendingCharge, howMany: number, amountCents = cents(7)) =>
  Effect.forEach(Array.from({ length: howMany }), () =>
    Effect.map(Clock.currentTimeMillis, (paidAt) => {
      const { txid: _, ...notice } = aNotice(charge, { paidAt, amountCents })
      world.bank.receive({ issuer: aCnpj, txid: chargeTxid(aChargeId()) }, notice)
    }),
  )

/** A charge that was looked up once, so that lists answer its next checks. */
const aWatchedCharge = Effect.fnUntraced(function* () {
  yield* aReconciler
  const charge = yield* anIssuedCharge()
  yield* pass(minute)
  return charge
})

/** Checks whose look-ups bring what the bank held ten seconds before. */
const slowCheck = Effect.gen(function* () {
  const processor = yield* PaymentProcessor
  const lookup: typeof processor.lookup = (asked) => Effect.tap(processor.lookup(asked), () => Effect.sleep(10_000))
  const ports = yield* Effect.provideService(reconcilerPorts, PaymentProcessor, { ...processor, lookup })
  return chargeChecks(ports, () => Effect.undefined).check
})

describe("the checks of unpaid charges", () => {
  scenario("of one company share lists: a hundred charges cost two look-ups each, and sixty lists in all", (world) =>
    Effect.gen(function* () {
      yield* aReconciler
      const issued = []
      for (let at = 0; at < 100; at++) {
        issued.push(yield* anIssuedCharge())
        yield* TestClock.adjust(600)
      }
      yield* pass(25 * 60 * minute)
      expect(count(world, "lookup")).toBe(200)
      // One of them is the daily comparison's.
      expect(count(world, "payments")).toBeLessThanOrEqual(60)
      for (const charge of issued) expect((yield* find(charge)).checkAt).toBeUndefined()
    }),
  )

  scenario("find a payment whose notice was lost by a list, as soon as a look-up would", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      const others = [yield* anIssuedCharge(), yield* anIssuedCharge()]
      yield* pass(5 * minute)
      const before = count(world, "lookup")
      const { endToEndId } = yield* receive(world, charge)
      for (const other of others) yield* receive(world, other)
      yield* pass(4 * minute)
      expect(yield* find(charge)).toMatchObject({ _tag: "Paid", payment: { endToEndId } })
      for (const other of others) expect((yield* find(other))._tag).toBe("Paid")
      expect(count(world, "lookup")).toBe(before)
    }),
  )

  scenario("find what comes late into the list, and what the bank's clock dates earlier", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* pass(10 * minute)
      const before = count(world, "lookup")
      const listed = count(world, "payments")
      yield* receive(world, charge, { paidAt: (yield* Clock.currentTimeMillis) - 4 * minute })
      yield* pass(10 * minute)
      expect((yield* find(charge))._tag).toBe("Paid")
      expect([count(world, "lookup"), count(world, "payments") > listed]).toEqual([before, true])
    }),
  )

  scenario("look a charge up whose removal may have been carried out", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* pass(30 * minute)
      world.bank.fail("cancel", "answerLost")
      const { cancel } = yield* PixCharges
      expect(yield* failureTag(cancel(aCnpj, charge.id))).toBe("ProcessorUnavailable")
      yield* pass(2 * minute)
      expect((yield* find(charge))._tag).toBe("Cancelled")
    }),
  )

  scenario("look a charge up again and again that the bank doesn't show as it is stored", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* pass(5 * minute)
      Object.assign(world.bank.view(charge), { status: "unknown" })
      const { cancel } = yield* PixCharges
      world.bank.fail("cancel", "unreachable")
      yield* failureTag(cancel(aCnpj, charge.id))
      const [looked, listed] = [count(world, "lookup"), count(world, "payments")]
      yield* pass(60 * minute)
      expect(count(world, "lookup") - looked).toBeGreaterThan(3)
      expect(count(world, "payments")).toBe(listed)
    }),
  )

  scenario("look charges up whose amount came without a charge's name, and settle the one that was paid", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* pass(5 * minute)
      const { txid: _, ...unnamed } = aNotice(charge, { paidAt: yield* Clock.currentTimeMillis })
      world.bank.receive(charge, unnamed)
      yield* pass(6 * minute)
      expect(yield* find(charge)).toMatchObject({ _tag: "Paid", payment: { endToEndId: unnamed.endToEndId } })
      const open = yield* (yield* ExceptionStore).listOpen(aCnpj, { limit: 10 })
      expect(open.items).toEqual([])
    }),
  )

  scenario("look them up, too, if a notice or another process had recorded that payment before the list", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* pass(5 * minute)
      const { txid: _, ...unnamed } = aNotice(charge, { paidAt: yield* Clock.currentTimeMillis })
      world.bank.receive(charge, unnamed)
      yield* (yield* PixCharges).recordReceivedPayment({ ...unnamed, returns: [] })
      yield* pass(6 * minute)
      expect(yield* find(charge)).toMatchObject({ _tag: "Paid", payment: { endToEndId: unnamed.endToEndId } })
    }),
  )

  scenario("leave the check as it is that a cancellation has set meanwhile", (world) =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      Object.assign(world.bank.view(charge), { status: "unknown" })
      const check = yield* slowCheck
      const checking = yield* Effect.forkChild(check(charge), { startImmediately: true })
      yield* TestClock.adjust("2 seconds")
      world.bank.fail("cancel", "unreachable")
      yield* failureTag((yield* PixCharges).cancel(aCnpj, charge.id))
      const soon = (yield* Clock.currentTimeMillis) + minute
      yield* TestClock.adjust("8 seconds")
      yield* Fiber.join(checking)
      expect((yield* find(charge)).checkAt).toBe(soon)
    }),
  )

  scenario("are look-ups while the bank asks for other terms than the stored ones", (world) =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      Object.assign(world.bank.view(charge), { terms: { amountCents: cents(1) } })
      world.bank.fail("register", "unreachable")
      const { check } = chargeChecks(yield* reconcilerPorts, () => Effect.undefined)
      yield* check(charge)
      expect(yield* find(charge)).not.toHaveProperty("checkedUntil")
      Object.assign(world.bank.view(charge), { terms: { amountCents: charge.amountCents } })
      yield* check(yield* find(charge))
      expect(yield* find(charge)).toHaveProperty("checkedUntil")
    }),
  )

  scenario("are over with a look-up that begins after the watch", () =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      const check = yield* slowCheck
      const next = Effect.fnUntraced(function* (at: number) {
        yield* TestClock.setTime(at)
        const checking = yield* Effect.forkChild(check(yield* find(charge)), { startImmediately: true })
        yield* TestClock.adjust("10 seconds")
        yield* Fiber.join(checking)
        return (yield* find(charge)).checkAt
      })
      expect(yield* next(charge.watchUntil - 60_000)).toBe(charge.watchUntil + 1_000)
      expect(yield* find(charge)).toMatchObject({ checkedUntil: charge.watchUntil - 60_000 })
      // The bank's answer may be as old as the question.
      expect(yield* next(charge.watchUntil - 5_000)).toBe(charge.watchUntil + 1_000)
      expect(yield* next(charge.watchUntil)).toBeUndefined()
    }),
  )
})

describe("a list", () => {
  it.effect(
    "reaches from five minutes before the check or list before, or as long again as the time since, to now",
    () =>
      Effect.gen(function* () {
        const asked: Array<PaymentSearch> = []
        const lists = yield* makeRecentLists((_, search) =>
          Effect.sync(() => {
            asked.push(search)
            return nothing
          }),
        )
        const charge = aPendingCharge({ createdAt: 0, payableUntil: hour, watchUntil: 20 * hour })
        for (const [checked, now] of [
          [10, 11],
          [11, 13],
          [13, 40],
        ] as const) {
          yield* TestClock.setTime(now * minute)
          expect(yield* lists({ ...charge, checkedUntil: checked * minute })).toBe(now * minute)
        }
        const periods = asked.map(({ from, until: end }) => [from / minute, end / minute])
        expect(periods).toEqual([
          [5, 11],
          [6, 13],
          [-14, 40],
        ])
      }),
  )

  it.effect(
    "answers only where it reaches, without a gap, and is recent; the next one is no longer than it must be",
    () =>
      Effect.gen(function* () {
        const asked: Array<readonly [from: number, until: number]> = []
        const lists = yield* makeRecentLists((_, { from, until }) =>
          Effect.sync(() => {
            asked.push([from / minute, until / minute])
            return nothing
          }),
        )
        const charge = aPendingCharge({ createdAt: 0, payableUntil: hour, watchUntil: 20 * hour })
        const young = { ...charge, createdAt: 12.5 * minute }
        for (const [one, checked, now, listedUntil] of [
          [charge, 11, 12, 12],
          // Half a minute later it answers, but not one who was checked long before, nor one who is checked every 45 s.
          [charge, 11, 12.5, 12],
          [charge, 2, 13, 13],
          [young, 12.5, 13.5, 13.5],
          [charge, 30, 40, 40],
          // Between 13.5 and 20 nothing was listed.
          [charge, 25, 40.5, 40.5],
        ] as const) {
          yield* TestClock.setTime(now * minute)
          expect(yield* lists({ ...one, checkedUntil: checked * minute })).toBe(listedUntil * minute)
        }
        expect(asked).toEqual([
          [6, 12],
          [-9, 13],
          [8, 13.5],
          [20, 40],
          [9.5, 40.5],
        ])
      }),
  )

  it.effect("answers no check after a longer while than lists reach back, nor the first within each 25 hours", () =>
    Effect.gen(function* () {
      const lists = yield* makeRecentLists(() => Effect.succeed(nothing))
      for (const [watched, checked, now, isListed] of [
        [24.9, 0.6, 24.5, true],
        [24.9, 0, 24.5, false],
        [100, 25.1, 26, true],
        [100, 24.9, 25.1, false],
      ] as const) {
        const charge = aPendingCharge({ createdAt: 0, watchUntil: watched * hour, checkedUntil: checked * hour })
        yield* TestClock.setTime(now * hour)
        expect((yield* lists(charge)) !== undefined).toBe(isListed)
      }
    }),
  )

  it.effect("answers no check at the end of the watch or later: the last look is at the charge itself", () =>
    Effect.gen(function* () {
      const lists = yield* makeRecentLists((_, { until }) =>
        // The period is what it was; the clock goes on.
        Effect.as(TestClock.setTime(until), nothing),
      )
      const charge = aPendingCharge({ createdAt: 0, watchUntil: 20 * hour, checkedUntil: 20 * hour - 10 * minute })
      yield* TestClock.setTime(20 * hour - 1)
      expect(yield* lists(charge)).toBe(20 * hour - 1)
      for (const now of [20 * hour, 20 * hour + 1]) {
        yield* TestClock.setTime(now)
        expect(yield* lists(charge)).toBeUndefined()
      }
    }),
  )
})

describe("a list that fails", () => {
  for (const retryAfterMs of [0, minute]) {
    it.effect(`is tried again as soon as the bank says (${retryAfterMs} ms), but not within a minute`, () =>
      Effect.gen(function* () {
        const listedAt: Array<number> = []
        const lists = yield* makeRecentLists(() =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            listedAt.push(now / minute)
            return now < 23 * minute
              ? new ProcessorUnavailable({ operation: "payments", cause: "paced", retryAfterMs })
              : Effect.succeed(nothing)
          }),
        )
        const charge = aPendingCharge({ createdAt: 0, watchUntil: 20 * hour, checkedUntil: 10 * minute })
        for (const at of [20, 20.5, 21, 22, 23]) {
          yield* TestClock.setTime(at * minute)
          yield* Effect.exit(lists(charge))
        }
        // Twice as long after the second time.
        expect(listedAt).toEqual([20, 21, 23])
      }),
    )
  }

  scenario("leaves its checks due, and look-ups take its place for ten minutes", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* receive(world, charge)
      world.bank.fail("payments", "unreachable")
      const [looked, listed] = [count(world, "lookup"), count(world, "payments")]
      yield* pass(5 * minute)
      expect((yield* find(charge))._tag).toBe("Paid")
      expect([count(world, "lookup") - looked, count(world, "payments") - listed]).toEqual([1, 1])
    }),
  )

  scenario("on a later page answers nothing", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* receiveOthers(world, charge, 3)
      yield* TestClock.adjust(1)
      yield* receive(world, charge)
      world.bank.fail("payments", "passes", "unreachable")
      yield* pass(minute)
      const { checkedUntil } = (yield* find(charge)) as PendingCharge
      expect(checkedUntil).toBeLessThan((yield* Clock.currentTimeMillis) - minute)
      yield* pass(4 * minute)
      expect((yield* find(charge))._tag).toBe("Paid")
    }),
  )

  scenario("to be read answers nothing: a look-up shows what the list doesn't", (world) =>
    Effect.gen(function* () {
      yield* aWatchedCharge()
      world.bank.garble(1)
      const looked = count(world, "lookup")
      yield* pass(3 * minute)
      expect(count(world, "lookup")).toBeGreaterThan(looked)
    }),
  )

  scenario("to be recorded answers nothing", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      const { amountCents: _, ...rest } = aNotice(charge)
      // No store takes half a cent.
      world.bank.receive(charge, { ...rest, amountCents: cents(0.5), paidAt: yield* Clock.currentTimeMillis })
      const looked = count(world, "lookup")
      yield* pass(3 * minute)
      expect(count(world, "lookup")).toBeGreaterThan(looked)
    }),
  )
})

describe("what a list costs", () => {
  scenario("decides: where it is long, charges are looked up until that has cost as much", (world) =>
    Effect.gen(function* () {
      yield* aReconciler
      const charge = yield* anIssuedCharge()
      yield* pass(minute)
      // Ten pages, again and again.
      for (let minutes = 0; minutes < 60; minutes++) {
        yield* receiveOthers(world, charge, 6)
        yield* TestClock.adjust(minute)
      }
      const calls = world.bank.calls.length
      for (let minutes = 0; minutes < 8 * 60; minutes++) {
        yield* receiveOthers(world, charge, 6)
        yield* TestClock.adjust(minute)
      }
      // Nine checks, each by one look-up.
      expect(world.bank.calls.length - calls).toBeLessThanOrEqual(9)
    }),
  )
})

it.effect("a list that had three pages is made again after as many look-ups", () =>
  Effect.gen(function* () {
    let pages = 0
    const lists = yield* makeRecentLists(() =>
      Effect.sync(() => (++pages % 3 === 0 ? nothing : { ...nothing, cursor: `${pages}` })),
    )
    const charge = aPendingCharge({ createdAt: 0, watchUntil: 20 * hour })
    const answers = []
    for (const now of [11, 12, 12, 12]) {
      yield* TestClock.setTime(now * minute)
      const until = yield* lists({ ...charge, checkedUntil: (now - 1) * minute })
      answers.push([until === undefined ? "looked up" : "listed", pages])
    }
    expect(answers).toEqual([
      ["listed", 3],
      ["looked up", 3],
      ["looked up", 3],
      ["listed", 6],
    ])
  }),
)

describe("a process that takes a charge over", () => {
  scenario("lists from when it was last checked", (world) =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const charge = yield* Scope.provide(aReconciler, scope).pipe(
        Effect.andThen(anIssuedCharge()),
        Effect.tap(pass(30 * minute)),
      )
      yield* Scope.close(scope, Exit.void)
      yield* receive(world, charge)
      yield* pass(60 * minute)
      const before = count(world, "lookup")
      yield* aReconciler
      yield* pass(minute)
      expect((yield* find(charge))._tag).toBe("Paid")
      expect(count(world, "lookup")).toBe(before)
    }),
  )
})
