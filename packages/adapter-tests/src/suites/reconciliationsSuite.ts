import { type ClaimedReconciliation, DueChecks, Reconciliations } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { cents, fixtureNow } from "../fixtures/Charges.ts"
import { aCnpj, anotherCnpj, cnpj } from "../fixtures/Companies.ts"
import { insertCharge, insertPaid } from "./commits.ts"
import { type StoreHooks, type TestedPorts, storeTests } from "./StoreDriver.ts"

const hour = 3_600_000
const day = 24 * hour
const leaseMs = 60_000
const aThirdCnpj = cnpj("12ABC34501DE35")
const now = fixtureNow + day

const enter = (at = now) => Effect.flatMap(Reconciliations, (port) => port.enter(at))
const claim = (at = now) => Effect.flatMap(Reconciliations, (port) => port.claim({ now: at, leaseMs }))

const wake = (at: number, issuer = aCnpj) => Effect.flatMap(Reconciliations, (port) => port.wake(issuer, at))

const save = (claimed: ClaimedReconciliation, turn: Parameters<Reconciliations["Service"]["save"]>[1]) =>
  Effect.flatMap(Reconciliations, (port) => port.save(claimed, turn))

const claimOne = Effect.fnUntraced(function* (at = now) {
  const found = yield* claim(at)
  return found ?? (yield* Effect.die(new Error("expected a company whose turn has come")))
})

/** Enters two companies with charges. */
const enterCompanies = Effect.fnUntraced(function* (other = anotherCnpj) {
  yield* insertCharge({ createdAt: fixtureNow + 5 })
  yield* insertCharge({ createdAt: fixtureNow })
  yield* insertCharge({ createdAt: fixtureNow + 9, issuer: other })
  expect(yield* enter()).toBe(2)
})

/** Tests of a store's `Reconciliations`. */
export const reconciliationsSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: Reconciliations`, () => {
    const { test, neighbour } = storeTests(layer, hooks)

    test("enters each company with charges once, reconciled up to its first charge", () =>
      Effect.gen(function* () {
        expect(yield* enter()).toBe(0)
        expect(yield* claim()).toBeUndefined()
        yield* enterCompanies()
        expect(yield* enter()).toBe(0)
        const both = [yield* claimOne(), yield* claimOne()]
        const all = (since: number) => ({ since, reconciledUntil: since, expiryEventsSince: since })
        expect(
          both.map(({ leaseToken: _, ...rest }) => rest).toSorted((a, b) => a.reconciledUntil - b.reconciledUntil),
        ).toEqual([
          { issuer: aCnpj, ...all(fixtureNow), returnsDueAt: now + day },
          { issuer: anotherCnpj, ...all(fixtureNow + 9), returnsDueAt: now + day },
        ])
        expect(yield* claim()).toBeUndefined()
      }))

    test("keeps the start of a company's expiry events until a turn clears it, and sets it for all companies", () =>
      Effect.gen(function* () {
        const port = yield* Reconciliations
        expect(yield* port.expiryEventsSince(aCnpj)).toBe(0)
        yield* enterCompanies()
        yield* port.enter(now, true)
        expect(yield* port.expiryEventsSince(aCnpj)).toBe(fixtureNow)
        const { expiryEventsSince: _, ...first } = yield* claimOne()
        yield* save(first, { _tag: "Release", nextAt: now + day })
        expect(yield* port.expiryEventsSince(first.issuer)).toBeUndefined()
        yield* enter(now + 5)
        expect(yield* port.expiryEventsSince(first.issuer)).toBeUndefined()
        yield* port.enter(now + 6, true)
        yield* port.enter(now + 7, true)
        expect(yield* port.expiryEventsSince(first.issuer)).toBe(now + 6)
        const other = first.issuer === aCnpj ? anotherCnpj : aCnpj
        expect(yield* port.expiryEventsSince(other)).toBe(other === aCnpj ? fixtureNow : fixtureNow + 9)
        expect(yield* port.expiryEventsSince(aThirdCnpj)).toBe(0)
      }))

    test("publishes a company's expiries from its first charge on if a wake enters it", () =>
      Effect.gen(function* () {
        const port = yield* Reconciliations
        yield* insertCharge()
        yield* port.wake(aCnpj, now)
        expect(yield* port.expiryEventsSince(aCnpj)).toBe(fixtureNow)
      }))

    test("enters a company after its first charge, even if other companies were entered before", () =>
      Effect.gen(function* () {
        yield* insertCharge()
        expect(yield* enter()).toBe(1)
        yield* insertCharge({ issuer: anotherCnpj })
        expect(yield* enter()).toBe(1)
      }))

    test("gives each company to one of many concurrent processes", () =>
      Effect.gen(function* () {
        yield* enterCompanies()
        const all = yield* Effect.all(
          Array.from({ length: 8 }, () => claim()),
          { concurrency: "unbounded" },
        )
        const rest = yield* claim()
        const issuers = [...all, rest].flatMap((one) => (one === undefined ? [] : [one.issuer]))
        expect(issuers.toSorted()).toEqual([aCnpj, anotherCnpj].toSorted())
      }))

    test("saves a run page by page under its claim, so that another process can continue the run", () =>
      Effect.gen(function* () {
        yield* insertCharge()
        yield* enter()
        const first = yield* claimOne()
        const run = { until: now, cursor: "página 2", hasFailed: true } as const
        expect(yield* save({ ...first, run }, { _tag: "Keep", leaseUntil: now + 2 * leaseMs })).toBe(true)
        expect(yield* claim(now + 2 * leaseMs - 1)).toBeUndefined()
        const other = yield* claimOne(now + 2 * leaseMs)
        expect(other).toEqual({ ...first, run, leaseToken: other.leaseToken, isWoken: true })
        const release = { _tag: "Release", nextAt: now } as const
        expect(yield* save(first, release)).toBe(false)
        expect(yield* save({ ...other, issuer: anotherCnpj }, release)).toBe(false)
        const { run: _, isWoken: __, ...rest } = other
        const next = {
          ...rest,
          returnsRun: { until: now - 1, cursor: "p3" },
          lookedUp: { from: now - 5, until: now - 2 },
          returnsDueAt: now - 3,
        }
        expect(yield* save(next, release)).toBe(true)
        expect(yield* save(other, release)).toBe(false)
        const last = yield* claimOne(now + 2 * leaseMs)
        expect(last).toEqual({ ...next, leaseToken: last.leaseToken })
        const failing = { ...last, returnsRun: { until: now - 1, hasFailed: true }, run: { until: now } } as const
        expect(yield* save(failing, release)).toBe(true)
        const again = yield* claimOne(now + 2 * leaseMs)
        expect(again).toEqual({ ...failing, leaseToken: again.leaseToken })
      }))

    test("makes a released company due at its next turn, with the saved progress", () =>
      Effect.gen(function* () {
        yield* insertCharge()
        yield* enter()
        const { run: _, ...first } = yield* claimOne()
        const done = { ...first, reconciledUntil: now, failingSince: now - day }
        expect(yield* save(done, { _tag: "Release", nextAt: now + day })).toBe(true)
        expect(yield* claim(now + day - 1)).toBeUndefined()
        const again = yield* claimOne(now + day)
        expect(again).toEqual({ ...done, leaseToken: again.leaseToken })
        expect(again.leaseToken).not.toBe(first.leaseToken)
      }))

    test("claims the earliest turn first", () =>
      Effect.gen(function* () {
        yield* enterCompanies(neighbour)
        const both = [yield* claimOne(), yield* claimOne()]
        for (const [index, one] of both.entries()) yield* save(one, { _tag: "Release", nextAt: now + hour - index })
        const order = [yield* claimOne(now + hour), yield* claimOne(now + hour)]
        expect(order.map(({ issuer }) => issuer)).toEqual(both.map(({ issuer }) => issuer).toReversed())
      }))

    test("gives a woken company a turn after a pause, even during its run", () =>
      Effect.gen(function* () {
        yield* insertCharge()
        yield* wake(now)
        const first = yield* claimOne(now)
        yield* wake(now + 1)
        yield* save({ ...first, reconciledUntil: now }, { _tag: "Release", nextAt: now + hour })
        expect(yield* claim(now + 29_999)).toBeUndefined()
        const second = yield* claimOne(now + 30_000)
        expect(second.isWoken).toBe(true)
        yield* save({ ...second, reconciledUntil: now + 30_000 }, { _tag: "Release", nextAt: now + hour })
        expect(yield* claim(now + hour - 1)).toBeUndefined()
        yield* wake(now + hour - 2)
        const third = yield* claimOne(now + hour - 1)
        expect(third.isWoken).toBe(true)
        // The pause also protects a bank that refuses its list.
        yield* save(
          { ...third, lookedUp: { from: now + 1, until: now + hour } },
          { _tag: "Release", nextAt: now + day },
        )
        yield* wake(now + hour)
        expect(yield* claim(now + hour + 29_999)).toBeUndefined()
        const fourth = yield* claimOne(now + hour + 30_000)
        // The turn is due at +2 h even without the wake, which still marks it as woken.
        yield* save({ ...fourth, reconciledUntil: now + hour }, { _tag: "Release", nextAt: now + 2 * hour })
        yield* wake(now + 3 * hour)
        const { lookedUp: _, ...fifth } = yield* claimOne(now + 3 * hour)
        expect(fifth.isWoken).toBe(true)
        // Two hosts whose clocks differ by hours wake the company.
        const swept = now + 3 * hour + 60_000
        yield* save({ ...fifth, reconciledUntil: swept }, { _tag: "Release", nextAt: now + day })
        for (const at of [4, 2]) yield* wake(now + at * hour)
        expect(yield* claim(now + 3 * hour)).toBeUndefined()
        // The clock was set back by more than a minute.
        expect((yield* claimOne(swept - 60_001)).isWoken).toBe(true)
      }))

    test("keeps the turn of a woken company after the process that claimed it crashed", () =>
      Effect.gen(function* () {
        yield* insertCharge()
        yield* enter()
        yield* save({ ...(yield* claimOne()), reconciledUntil: now }, { _tag: "Release", nextAt: now + day })
        yield* wake(now + hour)
        yield* claimOne(now + hour)
        expect(yield* claim(now + hour + leaseMs - 1)).toBeUndefined()
        expect((yield* claimOne(now + hour + leaseMs)).isWoken).toBe(true)
      }))

    test("doesn't wake a company without a charge", () =>
      Effect.gen(function* () {
        yield* wake(now)
        expect(yield* claim()).toBeUndefined()
      }))

    test("wakes companies for due charges that are new or wait for their look-up", () =>
      Effect.gen(function* () {
        const claimCharges = (at: number) =>
          Effect.flatMap(DueChecks, (checks) => checks.claimCharges({ now: at, limit: 10, leaseMs }))
        yield* insertCharge({ createdAt: now - 45_000, checkAt: now, lookUpAt: now + 555_000 })
        yield* insertCharge({ createdAt: now - 9, checkAt: now, issuer: neighbour })
        yield* insertCharge({ createdAt: now - 720_000, checkAt: now, issuer: aThirdCnpj })
        expect((yield* claimCharges(now)).length).toBe(2)
        const woken = [yield* claimOne(), yield* claimOne()]
        expect(woken.map(({ issuer }) => issuer).toSorted()).toEqual([aCnpj, neighbour].toSorted())
        expect(woken.find(({ issuer }) => issuer === aCnpj)).toMatchObject({
          youngestAt: now - 45_000,
          since: now - 45_000,
        })
        expect(yield* claim()).toBeUndefined()
        for (const one of woken) yield* save({ ...one, reconciledUntil: now }, { _tag: "Release", nextAt: now + day })
        yield* claimCharges(now + 555_000)
        const again = [yield* claim(now + 555_000), yield* claim(now + 555_000)]
        // The neighbour's charge is also younger than twelve minutes, and its lease has ended.
        expect(again.map((one) => one?.issuer).toSorted()).toEqual([aCnpj, neighbour].toSorted())
      }))

    test("lists unpaid charges, the youngest first, page by page, and by amounts", () =>
      Effect.gen(function* () {
        const insertDue = (amountCents: number, createdAt: number, more: Partial<PendingCharge> = {}) =>
          insertCharge({ amountCents: cents(amountCents), createdAt, checkAt: now + hour, ...more })
        const oldest = yield* insertDue(500, now - 9)
        const middle = yield* insertDue(700, now - 8)
        const twins = [yield* insertDue(500, now - 7), yield* insertDue(700, now - 7)].toSorted((a, b) =>
          a.id < b.id ? 1 : -1,
        )
        yield* insertDue(500, now - 6, { lookUpAt: now + day })
        yield* insertCharge({ amountCents: cents(500), createdAt: now - 5 })
        yield* insertDue(500, now - 4, { issuer: neighbour })
        yield* insertPaid({ amountCents: cents(500), createdAt: now - 3, checkAt: now + hour })
        const toUnsettled = (charge: PendingCharge) => ({
          issuer: charge.issuer,
          id: charge.id,
          version: 1,
          checkAt: charge.checkAt,
          createdAt: charge.createdAt,
        })
        const port = yield* Reconciliations
        const first = yield* port.waiting(aCnpj, { limit: 1 })
        expect(first).toMatchObject(twins.slice(0, 1).map(toUnsettled))
        const [last] = first
        const rest = yield* port.waiting(aCnpj, { limit: 9, ...(last && { after: last }) })
        expect(rest).toMatchObject([...twins.slice(1), middle, oldest].map(toUnsettled))
        const fives = yield* port.waiting(aCnpj, { limit: 9, amounts: [cents(500), cents(9)] })
        expect(fives.map(({ createdAt }) => createdAt)).toEqual([now - 7, now - 9])
        expect(yield* port.waiting(aThirdCnpj, { limit: 9 })).toEqual([])
        yield* enter()
        const both = [yield* claimOne(), yield* claimOne()]
        expect(both.map(({ youngestAt }) => youngestAt).toSorted()).toEqual([now - 4, now - 7].toSorted())
      }))

    test("doesn't delay a company whose turn was planned by a clock that ran ahead", () =>
      Effect.gen(function* () {
        yield* insertCharge()
        yield* enter()
        const ahead = now + 30 * day
        const first = yield* claimOne(ahead)
        expect((yield* claimOne(now)).issuer).toBe(first.issuer)
        for (const nextAt of [ahead + day, now + hour]) {
          const held = yield* claimOne(now + leaseMs)
          yield* save({ ...held, reconciledUntil: ahead }, { _tag: "Release", nextAt })
        }
        expect((yield* claimOne(now + leaseMs)).reconciledUntil).toBe(ahead)
      }))
  })
}
