import { Bookkeeping, ExceptionStore, PaymentProcessor, PixCharges, type ReceivedPayment } from "@pixcharge/core"
import { chargeTxid, type PendingCharge } from "@pixcharge/core/charges"
import { aChargeId, aCnpj, aNotice, cents } from "@pixcharge/adapter-tests/fixtures"

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { ChargeCheck } from "../../src/services/reconcile/checks.ts"
import { reconcilerPorts } from "../../src/services/reconcile/ReconcilerPorts.ts"
import { anIssuedCharge, aReconciler, failureTag, pay, scenario, type World } from "../World.ts"

type Operation = Exclude<keyof PaymentProcessor["Service"], "locality">

const minute = 60_000
const hour = 60 * minute

const count = ({ bank }: World, wanted: Operation) => bank.calls.filter((call) => call === wanted).length

const pass = Effect.fnUntraced(function* (ms: number) {
  for (let remaining = ms; remaining > 0; remaining -= minute) yield* TestClock.adjust(Math.min(remaining, minute))
})

const find = ({ id }: PendingCharge) => Effect.flatMap(PixCharges, (charges) => charges.find(aCnpj, id))

const receive = Effect.fnUntraced(function* (world: World, charge: PendingCharge, more: Partial<ReceivedPayment> = {}) {
  const notice = aNotice(charge, { paidAt: yield* Clock.currentTimeMillis, ...more })
  world.bank.receive(charge, notice)
  return notice
})

/** Receives payments without a txid at the company's key. */
const receiveOthers = (world: World, charge: PendingCharge, howMany: number, amountCents = cents(7)) =>
  Effect.forEach(Array.from({ length: howMany }), () =>
    Effect.map(Clock.currentTimeMillis, (paidAt) => {
      const { txid: _, ...notice } = aNotice(charge, { paidAt, amountCents })
      world.bank.receive({ issuer: aCnpj, txid: chargeTxid(aCnpj, aChargeId()) }, notice)
    }),
  )

const aWatchedCharge = Effect.fnUntraced(function* () {
  yield* aReconciler
  const charge = yield* anIssuedCharge()
  yield* pass(minute)
  return charge
})

/** A check whose look-up returns the bank's view of ten seconds before. */
const slowCheck = Effect.gen(function* () {
  const processor = yield* PaymentProcessor
  const lookup: typeof processor.lookup = (charge) => Effect.tap(processor.lookup(charge), () => Effect.sleep(10_000))
  const ports = yield* Effect.provideService(reconcilerPorts, PaymentProcessor, { ...processor, lookup })
  return new ChargeCheck(ports)
})

describe("the checks of unpaid charges", () => {
  scenario("makes two look-ups of each charge, and shares sixty lists among a hundred charges", (world) =>
    Effect.gen(function* () {
      yield* aReconciler
      const issued = []
      for (let index = 0; index < 100; index++) {
        issued.push(yield* anIssuedCharge())
        yield* TestClock.adjust(600)
      }
      yield* pass(25 * 60 * minute)
      expect(count(world, "lookup")).toBe(200)
      expect(count(world, "payments")).toBeLessThanOrEqual(60)
      for (const charge of issued) expect((yield* find(charge)).checkAt).toBeUndefined()
      yield* pass(5 * hour)
      // No charge waits any more.
      expect(count(world, "payments")).toBeLessThanOrEqual(62)
    }),
  )

  scenario("looks up a charge whose removal wasn't answered", (world) =>
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

  scenario("repeats the look-up of a charge that the bank doesn't know", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* pass(5 * minute)
      Object.assign(world.bank.view(charge), { status: "unknown" })
      const { cancel } = yield* PixCharges
      world.bank.fail("cancel", "unreachable")
      yield* failureTag(cancel(aCnpj, charge.id))
      const looked = count(world, "lookup")
      yield* pass(60 * minute)
      expect(count(world, "lookup") - looked).toBeGreaterThan(3)
    }),
  )

  scenario("looks up the charges of an unnamed payment's amount, and settles the paid charge", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* pass(12 * minute)
      const { txid: _, ...unnamed } = aNotice(charge, { paidAt: yield* Clock.currentTimeMillis })
      world.bank.receive(charge, unnamed)
      yield* pass(7 * minute)
      expect(yield* find(charge)).toMatchObject({ _tag: "Paid", payment: { endToEndId: unnamed.endToEndId } })
      const open = yield* (yield* ExceptionStore).listOpen(aCnpj, { limit: 10 })
      expect(open.items).toEqual([])
    }),
  )

  scenario(
    "looks up the charges of an unnamed payment's amount even if the payment was recorded before the list",
    (world) =>
      Effect.gen(function* () {
        const charge = yield* aWatchedCharge()
        yield* pass(12 * minute)
        const { txid: _, ...unnamed } = aNotice(charge, { paidAt: yield* Clock.currentTimeMillis })
        world.bank.receive(charge, unnamed)
        yield* (yield* Bookkeeping).recordReceivedPayment({ ...unnamed, returns: [] })
        yield* pass(7 * minute)
        expect(yield* find(charge)).toMatchObject({ _tag: "Paid", payment: { endToEndId: unnamed.endToEndId } })
      }),
  )

  scenario("keeps the next check that a cancellation has set during a look-up", (world) =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      Object.assign(world.bank.view(charge), { status: "unknown" })
      const check = yield* slowCheck
      const checking = yield* Effect.forkChild(check.run(charge), { startImmediately: true })
      yield* TestClock.adjust("2 seconds")
      world.bank.fail("cancel", "unreachable")
      yield* failureTag((yield* PixCharges).cancel(aCnpj, charge.id))
      const soon = (yield* Clock.currentTimeMillis) + minute
      yield* TestClock.adjust("8 seconds")
      yield* Fiber.join(checking)
      expect((yield* find(charge)).checkAt).toBe(soon)
    }),
  )

  scenario("ends a charge's checks with a look-up that begins after the watch", () =>
    Effect.gen(function* () {
      const charge = yield* anIssuedCharge()
      const check = yield* slowCheck
      const next = Effect.fnUntraced(function* (at: number) {
        yield* TestClock.setTime(at)
        const checking = yield* Effect.forkChild(check.run(yield* find(charge)), { startImmediately: true })
        yield* TestClock.adjust("10 seconds")
        yield* Fiber.join(checking)
        return (yield* find(charge)).checkAt
      })
      expect(yield* next(charge.watchUntil - 60_000)).toBe(charge.watchUntil + 1_000)
      // The bank's answer can be as old as the request.
      expect(yield* next(charge.watchUntil - 5_000)).toBe(charge.watchUntil + 1_000)
      expect(yield* next(charge.watchUntil)).toBeUndefined()
    }),
  )
})

describe("the sweep after a lost notice", () => {
  for (const age of [1, 20, 44, 50, 89]) {
    scenario(`finds a payment made ${age} s after issue within 95 s`, (world) =>
      Effect.gen(function* () {
        yield* aReconciler
        yield* pass(3 * hour)
        const charge = yield* anIssuedCharge()
        yield* TestClock.adjust(`${age} seconds`)
        yield* receive(world, charge)
        yield* TestClock.adjust("95 seconds")
        expect((yield* find(charge))._tag).toBe("Paid")
        expect(count(world, "lookup")).toBe(0)
      }),
    )
  }

  for (const minutes of [3, 7, 40, 110, 600]) {
    scenario(`finds a payment made ${minutes} minutes after issue within half the charge's age or an hour`, (world) =>
      Effect.gen(function* () {
        yield* aReconciler
        const charge = yield* anIssuedCharge()
        yield* pass(minutes * minute)
        const looked = count(world, "lookup")
        yield* receive(world, charge)
        yield* pass(Math.min((minutes * minute) / 2, hour) + 10_000)
        expect((yield* find(charge))._tag).toBe("Paid")
        // One look-up before a late payment is marked.
        expect(count(world, "lookup")).toBeLessThanOrEqual(looked + 1)
      }),
    )
  }

  scenario("finds a payment within a minute after its notice was refused", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* pass(10 * hour)
      yield* receive(world, charge)
      yield* (yield* Bookkeeping).sweepSoon(aCnpj)
      yield* TestClock.adjust("1 minute")
      expect((yield* find(charge))._tag).toBe("Paid")
    }),
  )

  scenario("finds a payment with the next list after a downtime", (world) =>
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
      // One look-up before the late payment is marked.
      expect(count(world, "lookup")).toBe(before + 1)
    }),
  )

  scenario("finds a payment with its charge's next look-up if the bank lists it sixty hours late", (world) =>
    Effect.gen(function* () {
      yield* aReconciler
      const charge = yield* anIssuedCharge({ payableForSeconds: 5 * 86_400 })
      yield* pass(60 * hour)
      yield* receive(world, charge, { paidAt: charge.createdAt + minute })
      yield* pass(24 * hour)
      expect((yield* find(charge))._tag).toBe("Pending")
      yield* pass(13 * hour)
      expect((yield* find(charge))._tag).toBe("Paid")
    }),
  )

  scenario("finds a payment after the clock was set back by an hour", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* pass(2 * hour)
      yield* TestClock.setTime((yield* Clock.currentTimeMillis) - hour)
      yield* receive(world, charge)
      yield* pass(2 * hour)
      expect((yield* find(charge))._tag).toBe("Paid")
    }),
  )
})

scenario("lists a company without waiting charges twice in a day only after a refused notice", (world) =>
  Effect.gen(function* () {
    const charge = yield* aWatchedCharge()
    const lists = count(world, "payments")
    expect(lists).toBeGreaterThan(0)
    yield* pay(world, charge, { paidAt: yield* Clock.currentTimeMillis })
    yield* pass(5 * hour)
    expect(count(world, "payments")).toBe(lists)
    const second = yield* receive(world, charge)
    yield* (yield* Bookkeeping).sweepSoon(aCnpj)
    yield* pass(minute)
    expect(count(world, "payments")).toBeGreaterThan(lists)
    const open = yield* (yield* ExceptionStore).listOpen(aCnpj, { limit: 10 })
    expect(open.items.map(({ payment }) => payment.endToEndId)).toEqual([second.endToEndId])
  }),
)

scenario("lists no more often in ten processes than in one process", (world) =>
  Effect.gen(function* () {
    for (let index = 0; index < 10; index++) yield* aReconciler
    yield* anIssuedCharge()
    yield* pass(4 * hour)
    const lists = count(world, "payments")
    // Lists come after 45 s and 90 s, then after half the charge's age until it is two hours old, then hourly for two hours.
    expect(lists).toBeGreaterThan(10)
    expect(lists).toBeLessThan(20)
    expect(count(world, "lookup")).toBe(1)
  }),
)

describe("the sweep after a failed list", () => {
  scenario("looks up the charges that are due after a failed list", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      const others = [yield* anIssuedCharge(), yield* anIssuedCharge()]
      world.bank.fail("payments", ...Array.from({ length: 100 }, () => "unreachable" as const))
      yield* pass(15 * minute)
      yield* receive(world, charge)
      yield* pass(8 * minute)
      expect((yield* find(charge))._tag).toBe("Paid")
      const [looked, listed] = [count(world, "lookup"), count(world, "payments")]
      yield* pass(10 * hour)
      // Calls come after half the charges' age until the charges are two hours old, then hourly.
      for (const calls of [(count(world, "lookup") - looked) / others.length, count(world, "payments") - listed]) {
        expect(calls).toBeGreaterThan(8)
        expect(calls).toBeLessThan(16)
      }
    }),
  )

  scenario("lists the payments since the last complete list after failed lists", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      world.bank.fail("payments", ...Array.from({ length: 12 }, () => "unreachable" as const))
      yield* pass(5 * minute)
      const { txid: _, ...other } = aNotice(charge, { paidAt: yield* Clock.currentTimeMillis, amountCents: cents(7) })
      world.bank.receive({ issuer: aCnpj, txid: chargeTxid(aCnpj, aChargeId()) }, other)
      yield* pass(10 * hour)
      const open = yield* (yield* ExceptionStore).listOpen(aCnpj, { limit: 10 })
      expect(open.items.map(({ payment }) => payment.endToEndId)).toEqual([other.endToEndId])
    }),
  )

  scenario("continues a failed list at the page that failed", (world) =>
    Effect.gen(function* () {
      const charge = yield* aWatchedCharge()
      yield* receiveOthers(world, charge, 3)
      yield* TestClock.adjust(1)
      yield* receive(world, charge)
      world.bank.fail("payments", "passes", "unreachable")
      yield* pass(5 * minute)
      expect((yield* find(charge))._tag).toBe("Paid")
    }),
  )

  scenario("looks up the charges after an unreadable payment", (world) =>
    Effect.gen(function* () {
      yield* aWatchedCharge()
      world.bank.garble(1)
      const looked = count(world, "lookup")
      yield* pass(3 * minute)
      expect(count(world, "lookup")).toBeGreaterThan(looked)
    }),
  )

  scenario("looks up the charges after a payment that can't be recorded", (world) =>
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
