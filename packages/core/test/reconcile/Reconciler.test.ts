import {
  CallbackEndpoints,
  ChargeStore,
  DueChecks,
  OutboxSignal,
  PaymentExceptions,
  PaymentProcessor,
  PixCharges,
  ProcessorUnavailable,
  Reconciler,
  StoreUnavailable,
} from "@pixcharge/core"
import type { Charge, PaymentNotice } from "@pixcharge/core/charges"
import { memoryStore } from "@pixcharge/store-memory"
import { aChargeId, aNotice, aPendingCharge, cents, eventDirectory, issuers } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"

type Processor = PaymentProcessor["Service"]

const [issuer, otherIssuer] = issuers
if (issuer === undefined || otherIssuer === undefined) throw new Error("expected two companies")
const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

const makeProcessor = () => {
  const paid = new Map<string, PaymentNotice>()
  const lookups = new Map<string, number>()
  const refunds = new Map<string, "Processing" | "Returned" | "Rejected">()
  /** Charges whose look-up throws. */
  const poisoned = new Set<string>()
  /** Charges whose look-up isn't answered. */
  const silentAbout = new Set<string>()
  /** Companies whose bank doesn't answer, with the milliseconds until it fails. */
  const down = new Map<string, number>()
  const state = { isDown: false, retryAfterMs: 0, lookupMs: 0, underWay: 0, peak: 0, calls: 0, lists: 0 }
  const answer = <A>(of: string, about: string, value: () => A) =>
    Effect.gen(function* () {
      state.calls++
      state.peak = Math.max(state.peak, ++state.underWay)
      yield* Effect.sleep(down.get(of) ?? state.lookupMs)
      state.underWay--
      if (state.isDown || down.has(of) || silentAbout.has(about))
        return yield* new ProcessorUnavailable({ operation: "lookup", retryAfterMs: state.retryAfterMs })
      return value()
    })
  const lookupOutcome = (refundId: string) => {
    switch (refunds.get(refundId)) {
      case undefined:
        return undefined
      case "Processing":
        return { _tag: "Processing" } as const
      case "Rejected":
        return { _tag: "Rejected", reason: "conta encerrada" } as const
      case "Returned":
        return { _tag: "Returned", returnedAt: 0 } as const
    }
  }
  const unused = () => Effect.die("expected no such call")
  const processor: Processor = {
    locality: "local",
    register: ({ txid, requestedAt }) => Effect.succeed({ txid, brCode: `code-${txid}`, createdAt: requestedAt }),
    lookup: (charge) =>
      answer(charge.issuer, charge.id, () => {
        if (poisoned.has(charge.id)) throw new TypeError("an odd answer")
        lookups.set(charge.id, (lookups.get(charge.id) ?? 0) + 1)
        const notice = paid.get(charge.id)
        return { status: notice ? "completed" : "active", payments: notice ? [notice] : [], returns: [] }
      }),
    refund: ({ refundId }) =>
      Effect.sync(() => {
        refunds.set(refundId, "Processing")
        return { _tag: "Processing" }
      }),
    lookupRefund: ({ issuer: of, refundId }) => answer(of, refundId, () => lookupOutcome(refundId)),
    changes: unused,
    change: unused,
    cancel: unused,
    payments: () => Effect.suspend(() => ((state.lists += 1), unused())),
  }
  return { processor, paid, lookups, refunds, poisoned, silentAbout, down, state }
}

const openWorld = Effect.gen(function* () {
  const fake = makeProcessor()
  const ports = yield* Layer.build(
    PixCharges.layer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          memoryStore(),
          eventDirectory(),
          OutboxSignal.layer,
          Layer.succeed(PaymentProcessor, fake.processor),
        ),
      ),
      Layer.provideMerge(
        Layer.succeed(CallbackEndpoints, {
          forCompany: () => Effect.succeed([]),
          find: () => Effect.succeed(undefined),
          setStatus: () => Effect.void,
        }),
      ),
    ),
  )
  const scope = yield* Effect.scope
  const charges = Context.get(ports, PixCharges)
  const reconcilerIn = (lifetime: Scope.Scope, layer: typeof Reconciler.onDemand = Reconciler.layer) =>
    Effect.map(Layer.buildWithScope(Layer.fresh(layer), lifetime).pipe(Effect.provideContext(ports)), (built) =>
      Context.get(built, Reconciler),
    )
  return {
    ...fake,
    charges,
    paymentExceptions: Context.get(
      yield* Effect.provideContext(Layer.build(PaymentExceptions.layer), ports),
      PaymentExceptions,
    ),
    dueChecks: Context.get(ports, DueChecks),
    store: Context.get(ports, ChargeStore),
    reconcilerIn,
    /** Starts a reconciler, as a further process does. */
    startReconciler: reconcilerIn(scope),
    startOnDemand: reconcilerIn(scope, Reconciler.onDemand),
    issue: (count: number, by = issuer) =>
      Effect.forEach(Array.from({ length: count }), () =>
        charges.issue(by, { id: aChargeId(), amountCents: cents(1990) }),
      ),
    chargeStates: (known: ReadonlyArray<Charge>) =>
      Effect.forEach(known, (charge) => Effect.map(charges.find(charge.issuer, charge.id), ({ _tag }) => _tag)),
  }
})

const it = itWith(Logger.layer([]))

const pass = (ms: number) =>
  Effect.gen(function* () {
    for (let remaining = ms; remaining > 0; remaining -= second) yield* TestClock.adjust(Math.min(second, remaining))
  })

const count = <A>(list: ReadonlyArray<A>, wanted: A) => list.filter((one) => one === wanted).length

describe("Reconciler", () => {
  it.effect("finds every payment without a notice within a minute", () =>
    Effect.gen(function* () {
      const { issue, paid, chargeStates, startReconciler, state } = yield* openWorld
      yield* startReconciler
      const issued = yield* issue(300)
      for (const charge of issued) paid.set(charge.id, aNotice(charge))
      state.lookupMs = 200
      yield* pass(minute)
      expect(count(yield* chargeStates(issued), "Paid")).toBe(300)
    }),
  )

  it.effect("shares the work between processes: only one of them looks up a given charge", () =>
    Effect.gen(function* () {
      const { issue, lookups, startReconciler, state } = yield* openWorld
      state.lookupMs = 100
      yield* Effect.all([startReconciler, startReconciler, startReconciler])
      const issued = yield* issue(300)
      yield* pass(60 * second)
      expect(issued.map(({ id }) => lookups.get(id))).toEqual(issued.map(() => 1))
    }),
  )

  it.effect("looks an unpaid charge up less and less often until its watch ends", () =>
    Effect.gen(function* () {
      const { issue, lookups, startReconciler } = yield* openWorld
      yield* startReconciler
      const [charge] = yield* issue(1)
      yield* pass(10 * minute)
      const young = lookups.get(charge?.id ?? "") ?? 0
      expect(young).toBeGreaterThanOrEqual(5)
      expect(young).toBeLessThanOrEqual(8)
      const until = (charge?.watchUntil ?? 0) + minute
      for (let now = 10 * minute; now < until; now += minute) yield* TestClock.adjust(minute)
      const all = lookups.get(charge?.id ?? "") ?? 0
      yield* TestClock.adjust("2 hours")
      expect(lookups.get(charge?.id ?? "")).toBe(all)
    }),
  )

  for (const retryAfterMs of [30 * second, Number.NaN]) {
    it.effect(`makes few calls to an unavailable processor with a retry-after of ${retryAfterMs} ms`, () =>
      Effect.gen(function* () {
        const { issue, paid, chargeStates, startReconciler, state } = yield* openWorld
        yield* startReconciler
        const issued = yield* issue(200)
        for (const charge of issued) paid.set(charge.id, aNotice(charge))
        state.isDown = true
        state.retryAfterMs = retryAfterMs
        yield* pass(5 * minute)
        expect(state.calls).toBeLessThan(100)
        state.isDown = false
        yield* pass(4 * minute)
        expect(count(yield* chargeStates(issued), "Paid")).toBe(200)
      }),
    )
  }

  it.effect("makes up to 64 look-ups at a time under load", () =>
    Effect.gen(function* () {
      const { issue, startReconciler, state } = yield* openWorld
      state.lookupMs = 100
      yield* startReconciler
      yield* issue(600)
      yield* pass(70 * second)
      expect(state.peak).toBeGreaterThan(16)
      expect(state.peak).toBeLessThanOrEqual(64)
    }),
  )

  it.effect("makes up to 16 look-ups of exceptions' refunds at a time under load", () =>
    Effect.gen(function* () {
      const { issue, charges, paymentExceptions, startReconciler, state } = yield* openWorld
      const issued = yield* issue(1)
      for (const charge of issued) {
        yield* charges.confirmPayment(aNotice(charge))
        for (let n = 0; n < 60; n++) {
          const notice = aNotice(charge)
          yield* charges.confirmPayment(notice)
          yield* paymentExceptions.refund(charge.issuer, notice.endToEndId)
        }
      }
      state.lookupMs = 500
      yield* startReconciler
      yield* pass(2 * minute)
      expect(state.peak).toBe(16)
    }),
  )

  it.effect("compares four companies with their banks' lists at a time", () =>
    Effect.gen(function* () {
      const { processor, store, startReconciler } = yield* openWorld
      const lists = { underWay: 0, peak: 0, all: 0 }
      Object.assign(processor, {
        payments: () =>
          Effect.gen(function* () {
            lists.all++
            lists.peak = Math.max(lists.peak, ++lists.underWay)
            yield* Effect.sleep(20 * second)
            lists.underWay--
            return { items: [] }
          }),
      })
      for (let index = 0; index < 16; index++) {
        const company = `${index}`.padStart(14, "0") as typeof issuer
        yield* store.insert(aPendingCharge({ issuer: company, createdAt: 0, updatedAt: 0, checkAt: day }))
      }
      yield* startReconciler
      yield* pass(minute + 81 * second)
      expect(lists).toEqual({ underWay: 0, peak: 4, all: 16 })
    }),
  )

  it.effect("continues its other checks and rounds after a check that throws", () =>
    Effect.gen(function* () {
      const { issue, paid, poisoned, chargeStates, startReconciler } = yield* openWorld
      yield* startReconciler
      const issued = yield* issue(20)
      for (const charge of issued) paid.set(charge.id, aNotice(charge))
      const [odd] = issued
      if (odd !== undefined) poisoned.add(odd.id)
      yield* pass(minute)
      expect(count(yield* chargeStates(issued), "Paid")).toBe(19)
      poisoned.clear()
      yield* pass(minute)
      expect(count(yield* chargeStates(issued), "Paid")).toBe(20)
    }),
  )

  it.effect("continues after a store that throws at a claim", () =>
    Effect.gen(function* () {
      const { issue, paid, chargeStates, startReconciler, dueChecks } = yield* openWorld
      const { claimCharges } = dueChecks
      Object.assign(dueChecks, { claimCharges: () => Effect.die(new TypeError("no such driver")) })
      const { round } = yield* startReconciler
      expect(yield* round).toEqual({ checked: 0, moved: 0, unanswered: 0, more: false })
      const issued = yield* issue(1)
      for (const charge of issued) paid.set(charge.id, aNotice(charge))
      yield* pass(minute)
      Object.assign(dueChecks, { claimCharges })
      yield* pass(10 * second)
      expect(yield* chargeStates(issued)).toEqual(["Paid"])
    }),
  )

  it.effect("looks for the due work of all workers every 5 s, and claims only what it finds", () =>
    Effect.gen(function* () {
      const { issue, startReconciler, dueChecks } = yield* openWorld
      const { claimCharges } = dueChecks
      const { look } = dueChecks
      const lookedAt: Array<number> = []
      const claimedAt: Array<number> = []
      const noted: Pick<typeof dueChecks, "look" | "claimCharges"> = {
        look: (now) => (lookedAt.push(now / second), look(now)),
        claimCharges: (request) => (claimedAt.push(request.now / second), claimCharges(request)),
      }
      Object.assign(dueChecks, noted)
      yield* issue(1)
      yield* startReconciler
      yield* pass(54 * second)
      expect(lookedAt).toEqual([5, 10, 15, 20, 25, 30, 35, 40, 45, 50])
      // The charge is due after 45 s.
      expect(claimedAt).toEqual([0, 45])
    }),
  )

  it.effect("counts a round's unanswered checks", () =>
    Effect.gen(function* () {
      const { issue, paid, silentAbout, startOnDemand } = yield* openWorld
      const { round } = yield* startOnDemand
      const [answered, silent] = [yield* issue(1), yield* issue(1, otherIssuer)]
      for (const charge of answered) paid.set(charge.id, aNotice(charge))
      for (const charge of silent) silentAbout.add(charge.id)
      yield* pass(46 * second)
      expect(yield* round).toEqual({ checked: 2, moved: 1, unanswered: 1, more: false })
    }),
  )

  it.effect("makes no call after its scope has ended", () =>
    Effect.gen(function* () {
      const { issue, reconcilerIn, state } = yield* openWorld
      const scope = yield* Scope.make()
      yield* reconcilerIn(scope)
      yield* issue(20)
      state.lookupMs = 10 * second
      yield* pass(50 * second)
      expect(state.calls).toBeGreaterThan(0)
      const before = state.calls
      yield* Scope.close(scope, Exit.void)
      yield* pass(5 * minute)
      expect(state.calls).toBe(before)
    }),
  )

  it.effect("looks up a refund under way until it is returned or rejected", () =>
    Effect.gen(function* () {
      const { issue, paid, charges, chargeStates, startReconciler, refunds } = yield* openWorld
      yield* startReconciler
      const issued = yield* issue(2)
      for (const charge of issued) {
        const notice = aNotice(charge)
        paid.set(charge.id, notice)
        yield* charges.confirmPayment(notice)
        expect((yield* charges.refund(charge.issuer, charge.id))._tag).toBe("Refunding")
      }
      yield* pass(10 * second)
      expect(yield* chargeStates(issued)).toEqual(["Refunding", "Refunding"])
      const [first = "", other = ""] = refunds.keys()
      refunds.set(first, "Returned")
      refunds.set(other, "Rejected")
      yield* pass(20 * second)
      expect(yield* chargeStates(issued)).toEqual(["Refunded", "Paid"])
    }),
  )

  for (const [how, silenceMs] of [
    ["refuses", 0],
    ["hangs", 20 * second],
  ] as const) {
    it.effect(`doesn't delay other companies' payments if a bank ${how}`, () =>
      Effect.gen(function* () {
        const { issue, paid, down, chargeStates, startReconciler, state } = yield* openWorld
        yield* startReconciler
        const healthy: Array<Charge> = []
        for (let index = 0; index < 500; index++) {
          yield* issue(1)
          healthy.push(...(yield* issue(1, otherIssuer)))
        }
        for (const charge of healthy) paid.set(charge.id, aNotice(charge))
        down.set(issuer, silenceMs)
        state.lookupMs = 100
        yield* pass(2 * minute)
        expect(count(yield* chargeStates(healthy), "Paid")).toBe(500)
        expect(state.calls).toBeLessThan(500 + 150)
        const before = state.calls
        yield* pass(10 * minute)
        expect(state.calls - before).toBeLessThan(20)
      }),
    )
  }

  it.effect("looks up a company's other charges if its bank doesn't answer for one of them", () =>
    Effect.gen(function* () {
      const { issue, paid, silentAbout, chargeStates, startReconciler } = yield* openWorld
      yield* startReconciler
      const issued = yield* issue(100)
      for (const charge of issued) paid.set(charge.id, aNotice(charge))
      for (const charge of issued.slice(0, 2)) silentAbout.add(charge.id)
      yield* pass(2 * minute)
      expect(count(yield* chargeStates(issued), "Paid")).toBe(98)
    }),
  )

  it.effect("doesn't delay other companies' payments if hundreds of banks hang", () =>
    Effect.gen(function* () {
      const { issue, paid, down, store, chargeStates, startReconciler, state } = yield* openWorld
      const healthy = yield* issue(200)
      for (const charge of healthy) paid.set(charge.id, aNotice(charge))
      for (let index = 0; index < 300; index++) {
        const hanging = `${index}`.padStart(14, "0") as typeof issuer
        down.set(hanging, 20 * second)
        const terms = { issuer: hanging, createdAt: 0, updatedAt: 0, watchUntil: day, checkAt: 45 * second }
        for (let more = 0; more < 3; more++) yield* store.insert(aPendingCharge(terms))
      }
      state.lookupMs = 100
      yield* startReconciler
      yield* pass(75 * second)
      expect(count(yield* chargeStates(healthy), "Paid")).toBe(200)
      expect(state.peak).toBeLessThanOrEqual(64)
    }),
  )

  it.effect("finds all waiting payments within six minutes after a bank recovers", () =>
    Effect.gen(function* () {
      const { issue, paid, down, chargeStates, startReconciler } = yield* openWorld
      yield* startReconciler
      const issued = yield* issue(500)
      for (const charge of issued) paid.set(charge.id, aNotice(charge))
      down.set(issuer, 20 * second)
      yield* pass(10 * minute)
      down.clear()
      yield* pass(6 * minute)
      expect(count(yield* chargeStates(issued), "Paid")).toBe(500)
    }),
  )

  for (const [slowMs, charges] of [
    [19.5 * second, 32],
    [10 * minute, 1],
  ] as const) {
    it.effect(`never looks a charge up in two processes at a time, if a look-up takes ${slowMs / second} s`, () =>
      Effect.gen(function* () {
        const { issue, processor, startReconciler, state } = yield* openWorld
        const underWay = new Map<string, number>()
        let peak = 0
        const change = (charge: Charge, by: number) =>
          Effect.sync(() => {
            const together = (underWay.get(charge.id) ?? 0) + by
            underWay.set(charge.id, together)
            peak = Math.max(peak, together)
          })
        const { lookup } = processor
        Object.assign(processor, {
          lookup: (charge: Charge) =>
            change(charge, 1).pipe(Effect.andThen(lookup(charge)), Effect.ensuring(change(charge, -1))),
        })
        state.lookupMs = slowMs
        yield* Effect.all([startReconciler, startReconciler])
        yield* issue(charges)
        yield* pass(10 * minute)
        expect(state.calls).toBeGreaterThan(charges)
        expect(peak).toBe(1)
      }),
    )
  }

  it.effect("repeats a failing check less and less often, even after the watch", () =>
    Effect.gen(function* () {
      const { issue, poisoned, startReconciler, state } = yield* openWorld
      yield* startReconciler
      const [charge] = yield* issue(1)
      if (charge === undefined) return
      poisoned.add(charge.id)
      yield* pass(10 * minute)
      expect(state.calls).toBeLessThanOrEqual(9)
      for (let now = 10 * minute; now < charge.watchUntil; now += minute) yield* TestClock.adjust(minute)
      const before = state.calls
      yield* TestClock.adjust("3 hours")
      expect(state.calls - before).toBeGreaterThan(3)
      expect(state.calls - before).toBeLessThan(20)
    }),
  )

  it.effect("gives up a failing check 30 days after its watch, unless store or processor is down", () =>
    Effect.gen(function* () {
      const { issue, poisoned, lookups, paid, startReconciler, state, store, chargeStates } = yield* openWorld
      const [odd, payable] = yield* issue(2)
      if (odd === undefined || payable === undefined) return
      yield* TestClock.setTime(payable.watchUntil + 31 * day)
      poisoned.add(odd.id)
      paid.set(payable.id, aNotice(payable))
      const { commit } = store
      Object.assign(store, { commit: () => Effect.fail(new StoreUnavailable({ operation: "commit" })) })
      state.isDown = true
      yield* startReconciler
      yield* pass(minute)
      state.isDown = false
      yield* TestClock.adjust("25 hours")
      const callsBefore = state.calls
      Object.assign(store, { commit })
      poisoned.clear()
      yield* TestClock.adjust("25 hours")
      expect(yield* chargeStates([odd, payable])).toEqual(["Pending", "Paid"])
      expect(lookups.get(odd.id)).toBeUndefined()
      expect(state.calls - callsBefore).toBe(1)
    }),
  )

  it.effect("finds a payment from the watch's last minute even if the last look-up failed", () =>
    Effect.gen(function* () {
      const { issue, paid, poisoned, chargeStates, startReconciler } = yield* openWorld
      yield* startReconciler
      const [charge] = yield* issue(1)
      if (charge === undefined) return
      for (let now = 0; now < charge.watchUntil; now += minute) yield* TestClock.adjust(minute)
      paid.set(charge.id, aNotice(charge))
      poisoned.add(charge.id)
      yield* pass(2 * minute)
      poisoned.clear()
      yield* pass(5 * minute)
      expect(yield* chargeStates([charge])).toEqual(["Paid"])
    }),
  )

  it.effect("resumes refunds less often while the processor is silent, and ends them once it answers", () =>
    Effect.gen(function* () {
      const { issue, charges, refunds, chargeStates, startReconciler, state } = yield* openWorld
      const issued = yield* issue(100)
      for (const charge of issued) {
        yield* charges.confirmPayment(aNotice(charge))
        yield* charges.refund(charge.issuer, charge.id)
      }
      for (const id of refunds.keys()) refunds.set(id, "Returned")
      state.isDown = true
      state.retryAfterMs = minute
      yield* startReconciler
      yield* pass(10 * minute)
      expect(state.calls).toBeLessThan(100)
      state.isDown = false
      yield* pass(5 * minute)
      expect(count(yield* chargeStates(issued), "Refunded")).toBe(100)
    }),
  )

  it.effect("repeats an unanswered check of a new refund soon, even if the charge is old", () =>
    Effect.gen(function* () {
      const { issue, charges, refunds, silentAbout, chargeStates, startReconciler, state } = yield* openWorld
      const issued = yield* issue(1)
      yield* TestClock.setTime(day)
      for (const charge of issued) {
        yield* charges.confirmPayment(aNotice(charge))
        yield* charges.refund(charge.issuer, charge.id)
      }
      for (const id of refunds.keys()) silentAbout.add(id)
      yield* startReconciler
      yield* pass(5 * second)
      expect(state.calls).toBeGreaterThan(0)
      silentAbout.clear()
      for (const id of refunds.keys()) refunds.set(id, "Returned")
      yield* pass(10 * second)
      expect(yield* chargeStates(issued)).toEqual(["Refunded"])
    }),
  )

  it.effect("checks a company's old charges without delay while its bank answers", () =>
    Effect.gen(function* () {
      const { store, startReconciler, state } = yield* openWorld
      const old = { createdAt: 0, updatedAt: 0, watchUntil: 9 * day, checkAt: 8 * day }
      for (let index = 0; index < 8; index++) yield* store.insert(aPendingCharge(old))
      yield* TestClock.setTime(8 * day)
      state.lookupMs = 100
      yield* startReconciler
      yield* pass(10 * second)
      expect(state.calls).toBe(8)
    }),
  )

  it.effect("runs a round for a host without background work", () =>
    Effect.gen(function* () {
      const { issue, paid, store, startReconciler } = yield* openWorld
      const [charge] = yield* issue(1)
      if (charge !== undefined) paid.set(charge.id, aNotice(charge))
      yield* TestClock.adjust(2 * second)
      const reconciler = yield* startReconciler
      expect(yield* reconciler.round).toEqual({ checked: 0, moved: 0, unanswered: 0, more: false })
      // The next background round comes at 47 s.
      yield* TestClock.adjust(43.5 * second)
      expect(yield* reconciler.round).toEqual({ checked: 1, moved: 1, unanswered: 0, more: false })
      // The first claim takes at most eight charges.
      const due = { createdAt: 0, updatedAt: 0, watchUntil: day, checkAt: 45 * second }
      for (let index = 0; index < 9; index++) yield* store.insert(aPendingCharge(due))
      expect((yield* reconciler.round).more).toBe(true)
    }),
  )

  it.effect("works on demand only when called", () =>
    Effect.gen(function* () {
      const { issue, paid, startOnDemand, state, chargeStates } = yield* openWorld
      const reconciler = yield* startOnDemand
      const issued = yield* issue(1)
      for (const charge of issued) paid.set(charge.id, aNotice(charge))
      yield* pass(5 * minute)
      expect(state.calls).toBe(0)
      expect(yield* reconciler.roundWithin(second)).toMatchObject({ checked: 1, moved: 1, more: false })
      expect(yield* chargeStates(issued)).toEqual(["Paid"])
    }),
  )

  it.effect("counts only checks answered within the round's limit", () =>
    Effect.gen(function* () {
      const { issue, paid, down, startOnDemand } = yield* openWorld
      const reconciler = yield* startOnDemand
      for (const charge of [...(yield* issue(1)), ...(yield* issue(1, otherIssuer))]) {
        paid.set(charge.id, aNotice(charge))
      }
      down.set(issuer, minute)
      yield* TestClock.adjust(45 * second)
      const round = yield* Effect.forkChild(reconciler.roundWithin(5 * second))
      yield* pass(5 * second)
      expect(yield* Fiber.join(round)).toEqual({ checked: 1, moved: 1, unanswered: 0, more: true })
    }),
  )

  it.effect("requests no list of payments in a round without time left", () =>
    Effect.gen(function* () {
      const { issue, startOnDemand, state } = yield* openWorld
      const reconciler = yield* startOnDemand
      yield* issue(1)
      expect(yield* reconciler.roundWithin(0)).toEqual({ checked: 0, moved: 0, unanswered: 0, more: true })
      expect(state.lists).toBe(0)
      expect(yield* reconciler.roundWithin(second)).toEqual({ checked: 0, moved: 0, unanswered: 0, more: false })
      expect(state.lists).toBe(1)
    }),
  )

  it.effect("repeats an unanswered check after its lease has ended", () =>
    Effect.gen(function* () {
      const { issue, paid, down, startOnDemand, state } = yield* openWorld
      const reconciler = yield* startOnDemand
      for (const charge of yield* issue(1)) paid.set(charge.id, aNotice(charge))
      down.set(issuer, 10 * minute)
      yield* TestClock.adjust(45 * second)
      const round = yield* Effect.forkChild(reconciler.roundWithin(5 * second))
      yield* pass(5 * second)
      expect(yield* Fiber.join(round)).toEqual({ checked: 0, moved: 0, unanswered: 0, more: true })
      down.clear()
      expect(yield* reconciler.roundWithin(5 * second)).toMatchObject({ checked: 0, more: false })
      yield* TestClock.adjust(90 * second)
      expect(yield* reconciler.roundWithin(5 * second)).toMatchObject({ checked: 1, moved: 1 })
      expect(state.calls).toBe(2)
    }),
  )
})
