import { ChargeStore } from "@pixcharge/core"
import type { Charge, ChargeId } from "@pixcharge/core/charges"
import { memoryStore } from "@pixcharge/store-memory"
import { aPaidCharge, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { type ExpiredCharge, expiredCharge, type LookUpCharge, Renewals } from "../src/routes/Renewals.ts"

const it = itWith(memoryStore())

const dayMs = 86_400_000
const charge = aPendingCharge()
const { issuer, id, payableUntil, watchUntil } = charge
const newId = expiredCharge(charge).newId as ChargeId
const next = aPendingCharge({ id: newId, payableUntil: payableUntil + dayMs, watchUntil: watchUntil + dayMs })
const link = { issuer, id, expiresAt: payableUntil + 3 * dayMs }

const renewing = (renew: (expired: ExpiredCharge) => unknown, lookUp: LookUpCharge = Effect.succeed) =>
  Effect.gen(function* () {
    const store = yield* ChargeStore
    yield* store.insert(charge)
    yield* TestClock.setTime(payableUntil + 1)
    const finds: Array<string> = []
    const find: typeof store.find = (...key) => (finds.push(key[1]), store.find(...key))
    const renewals = new Renewals({ ...store, find }, renew, lookUp)
    const logged: Array<unknown> = []
    const logger = Logger.layer([
      Logger.make(({ message }) => {
        const [text, facts] = [message].flat() as [string, { readonly error: string }?]
        logged.push(facts === undefined ? text : `${text}: ${facts.error}`)
      }),
    ])
    const renewed = (from = link) => Effect.provide(renewals.renew(from), logger)
    return {
      finds,
      logged,
      renewed,
      refusal: Effect.map(Effect.flip(renewed()), (error) => ("reason" in error ? error.reason : error)),
    }
  })

const issuingAfter = Effect.fnUntraced(function* (lookUp?: LookUpCharge) {
  const store = yield* ChargeStore
  const renewCalls: Array<ExpiredCharge> = []
  const host = (expired: ExpiredCharge) => (renewCalls.push(expired), Effect.runPromise(store.insert(next)))
  return { ...(yield* renewing(host, lookUp)), renewCalls }
})
const issuing = issuingAfter()

it.effect("calls the host once for a new charge, and caches the result for five seconds", () =>
  Effect.gen(function* () {
    const { renewCalls, finds, renewed } = yield* issuing
    const links = yield* Effect.all([renewed(), renewed(), renewed()], { concurrency: "unbounded" })
    expect(new Set(links.map((one) => one.id))).toEqual(new Set([newId]))
    expect(renewCalls).toEqual([expiredCharge(charge)])
    yield* TestClock.adjust(4_999)
    yield* renewed()
    expect(finds).toEqual([id, newId, newId])
    yield* TestClock.adjust(1)
    expect(yield* renewed()).toEqual(links[0])
    expect([finds.slice(3), renewCalls.length]).toEqual([[id, newId], 1])
  }),
)

it.effect(
  "lets the new link outlive its charge for as long as the old link did, at least a day, up to the maximum",
  () =>
    Effect.gen(function* () {
      const { renewed } = yield* issuing
      const expiries = [0, 3 * dayMs, 10_000 * dayMs].map((ms) => renewed({ ...link, expiresAt: payableUntil + ms }))
      expect((yield* Effect.all(expiries)).map(({ expiresAt }) => expiresAt)).toEqual([
        next.payableUntil + dayMs,
        next.payableUntil + 3 * dayMs,
        next.watchUntil + 366 * dayMs,
      ])
    }),
)

it.effect("doesn't issue a new charge for a missing or payable charge", () =>
  Effect.gen(function* () {
    const { renewCalls, renewed, refusal } = yield* issuing
    const missing = yield* Effect.flip(renewed({ ...link, id: newId }))
    expect(missing).toEqual({ _tag: "NotRenewed", reason: "notExpired" })
    yield* TestClock.setTime(payableUntil)
    expect(yield* refusal).toBe("notExpired")
    expect(renewCalls).toEqual([])
  }),
)

it.effect("asks the bank once before it calls the host", () =>
  Effect.gen(function* () {
    const lookedUpIds: Array<string> = []
    const { renewCalls, renewed } = yield* issuingAfter((one) => Effect.sync(() => (lookedUpIds.push(one.id), one)))
    yield* renewed()
    yield* renewed()
    expect([lookedUpIds, renewCalls.length]).toEqual([[id], 1])
  }),
)

it.effect("doesn't issue a second code if the bank says that the charge was paid", () =>
  Effect.gen(function* () {
    const paid = yield* issuingAfter(() => Effect.succeed(aPaidCharge(charge)))
    expect(yield* paid.refusal).toBe("notExpired")
    expect(paid.renewCalls).toEqual([])
  }),
)

it.effect("doesn't offer a second code without the bank's answer, and asks the bank again at the next request", () =>
  Effect.gen(function* () {
    const answers: Array<Effect.Effect<Charge, string>> = [Effect.fail("unreachable"), Effect.succeed(charge)]
    const { logged, renewCalls, refusal, renewed } = yield* issuingAfter(() => answers.shift() ?? Effect.fail("asked"))
    expect(yield* refusal).toBe("failed")
    expect(renewCalls).toEqual([])
    expect(logged).toHaveLength(1)
    expect((yield* renewed()).id).toBe(newId)
  }),
)

it.effect(
  "logs a host that issues no charge, rejects or takes 15 s, and calls the host again at the next request",
  () =>
    Effect.gen(function* () {
      const answers = [() => undefined, () => Promise.reject(new RangeError("no")), () => new Promise(() => undefined)]
      const { logged, refusal } = yield* renewing(() => answers.shift()?.())
      expect([yield* refusal, yield* refusal]).toEqual(["failed", "failed"])
      const silent = yield* Effect.forkChild(refusal, { startImmediately: true })
      yield* TestClock.adjust(14_999)
      expect(logged).toEqual([
        "The host's function renew has issued no charge under newId",
        "The host's function renew failed: RangeError",
      ])
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(silent)).toBe("failed")
      expect(logged.slice(2)).toEqual(["The host's function renew failed: no answer within 15000 ms"])
    }),
)
