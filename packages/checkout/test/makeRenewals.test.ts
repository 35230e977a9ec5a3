import { ChargeStore } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aChargeId, aCnpj, aPendingCharge, fixtureNow } from "@pixcharge/testkit/fixtures"
import { it } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { makeRenewals } from "../src/renewal/makeRenewals.ts"
import { type ExpiredCharge, expiredCharge, type Renew } from "../src/renewal/Renew.ts"

const dayMs = 86_400_000

const expired = aPendingCharge()
const linkUntil = (expiresAt: number) => ({ issuer: aCnpj, id: expired.id, expiresAt })

/** What comes of a renewal that a host's function answers, after the charge has expired, and what is logged meanwhile. */
const renewing = (renew: Renew, link = linkUntil(expired.payableUntil + 3 * dayMs)) => {
  const logged: Array<string> = []
  return Effect.gen(function* () {
    yield* TestClock.setTime(expired.payableUntil + 1)
    const store = yield* ChargeStore
    yield* store.insert(expired)
    const renewals = yield* makeRenewals(renew)
    const asked = yield* Effect.forkChild(Effect.result(renewals.renew(link)))
    yield* TestClock.adjust(15_000)
    return { outcome: yield* Fiber.join(asked), logged }
  }).pipe(
    Effect.provide(memoryStore()),
    Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])),
  )
}

/** The same of a host that has issued the next charge before, with this promised moment. */
const renewedBefore = (payableUntil: number, link: ReturnType<typeof linkUntil>, watchUntil = payableUntil + dayMs) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(expired.payableUntil + 1)
    const store = yield* ChargeStore
    yield* store.insert(expired)
    yield* store.insert(aPendingCharge({ id: expiredCharge(expired).newId as never, payableUntil, watchUntil }))
    const asked: Array<ExpiredCharge> = []
    const { renew } = yield* makeRenewals((given) => asked.push(given))
    return { next: yield* renew(link), asked }
  }).pipe(Effect.provide(memoryStore()))

describe("a link to a new code", () => {
  const payableUntil = fixtureNow + 5 * dayMs
  const { newId: id } = expiredCharge(expired)

  it.effect("holds as long after its charge's promised moment as the one before", () =>
    Effect.gen(function* () {
      const { next, asked } = yield* renewedBefore(payableUntil, linkUntil(expired.payableUntil + 3 * dayMs))
      // Who renewed it, this process or another, is known by the store.
      expect([next, asked]).toEqual([{ issuer: aCnpj, id, expiresAt: payableUntil + 3 * dayMs }, []])
    }),
  )

  it.effect("holds a day at least, and no longer than a link may", () =>
    Effect.gen(function* () {
      expect((yield* renewedBefore(payableUntil, linkUntil(expired.payableUntil + 2))).next.expiresAt).toBe(
        payableUntil + dayMs,
      )
      const long = yield* renewedBefore(payableUntil, linkUntil(expired.payableUntil + 900 * dayMs))
      expect(long.next.expiresAt).toBe(payableUntil + dayMs + 366 * dayMs)
    }),
  )
})

describe("a renewal", () => {
  it.effect("of a charge that there isn't, or hasn't expired yet, asks no host", () =>
    Effect.gen(function* () {
      const asked: Array<ExpiredCharge> = []
      const unknown = { ...linkUntil(expired.payableUntil + dayMs), id: aChargeId() }
      const { outcome } = yield* renewing((given) => asked.push(given), unknown)
      expect([outcome, asked]).toMatchObject([{ failure: { _tag: "NotRenewed", reason: "notExpired" } }, []])
    }),
  )

  for (const [what, renew, message] of [
    ["rejects", () => Promise.reject(new Error("no")), "The host's function renew gave no new charge"],
    ["doesn't answer within 15 s", () => new Promise(() => undefined), "The host's function renew gave no new charge"],
    ["issues nothing", () => undefined, "The host's function renew has issued no charge under newId"],
  ] as ReadonlyArray<readonly [string, Renew, string]>) {
    it.effect(`by a host that ${what} fails, and is logged`, () =>
      Effect.gen(function* () {
        const { outcome, logged } = yield* renewing(renew)
        expect(outcome).toMatchObject({ failure: { _tag: "NotRenewed", reason: "failed" } })
        expect(logged).toEqual([expect.stringContaining(message)])
      }),
    )
  }
})
