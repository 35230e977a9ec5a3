import { ChargeStore, HolidayCalendar } from "@pixcharge/core"
import { nationalBankHolidays } from "@pixcharge/core/calendar"
import type { Company } from "@pixcharge/core/party"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { aChange, aCnpj, anotherCnpj, aPaidCharge, aPendingCharge, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { expect } from "vitest"
import { makeFinder } from "../src/hub/Finder.ts"
import { isFound, type WatchedItem } from "../src/hub/WatchedItems.ts"
import { company } from "./company.ts"

const other = { ...company, cnpj: anotherCnpj, pixKey: anotherCnpj, integratorKey: "key-of-the-other-company" }
const it = itWith(Layer.merge(memoryStore(), memoryDirectory({ companies: [company, other] })))

const watching = (key: WatchedItem["key"]): WatchedItem => ({
  key,
  readers: new Set(),
  found: undefined,
  polledUntilMs: 0,
})

const charge = aPendingCharge({ issuer: aCnpj })
const { payableUntil } = charge

it.effect("finds a watched charge at the first look-up, and again only after a change", () =>
  Effect.gen(function* () {
    const store = yield* ChargeStore
    yield* store.insert(charge)
    const finder = yield* makeFinder(true)
    const watched = watching(charge)
    const statusesAt = (now: number) =>
      Effect.map(finder.findChanged([watched, watching(aPendingCharge())], now), (found) => {
        for (const [one, next] of found) one.found = next
        return found.map(([one, { state, company: by }]) => [one === watched, by.name, state.snapshot.status])
      })
    const { name } = company
    expect(yield* statusesAt(fixtureNow)).toEqual([[true, name, "pending"]])
    expect(yield* statusesAt(fixtureNow)).toEqual([])
    const next = aPaidCharge(charge)
    yield* store.commit(aChange(charge, { next, payments: [next.payment] }))
    expect(yield* statusesAt(fixtureNow)).toEqual([[true, name, "paid"]])
  }),
)

it.effect("reads a charge again after five minutes, because an erasure doesn't change its version", () =>
  Effect.gen(function* () {
    yield* Effect.flatMap(ChargeStore, (store) => store.insert(charge))
    const finder = yield* makeFinder(true)
    const watched = watching(charge)
    const isReadAt = (now: number) =>
      Effect.map(finder.findChanged([watched], now), (found) => {
        for (const [one, next] of found) one.found = next
        return found.length === 1
      })
    const times = [0, 300_000, 300_001, 600_001, 600_002, 1]
    const read = yield* Effect.forEach(times, (ms) => isReadAt(fixtureNow + ms))
    expect(read).toEqual([true, false, true, false, true, true])
  }),
)

it.effect("finds an expiry at its millisecond, without a look-up", () =>
  Effect.gen(function* () {
    const store = yield* ChargeStore
    yield* store.insert(charge)
    const finder = yield* makeFinder(true)
    const watched = watching(charge)
    const [[, found] = []] = yield* finder.findChanged([watched], fixtureNow)
    watched.found = found
    const agedAt = (now: number) =>
      Effect.map(finder.findAged([watched].filter(isFound), now), (aged) =>
        aged.map(([one, { state }]) => [one === watched, state.snapshot.status, state.snapshot.canRenew]),
      )
    expect(yield* agedAt(payableUntil)).toEqual([])
    expect(yield* agedAt(payableUntil + 1)).toEqual([[true, "expired", true]])
    const paid = aPaidCharge(charge)
    yield* store.commit(aChange(charge, { next: paid, payments: [paid.payment] }))
    const [[, next] = []] = yield* finder.findChanged([watched], fixtureNow)
    watched.found = next
    expect(yield* agedAt(Number.MAX_SAFE_INTEGER)).toEqual([])
  }),
)

it.effect("finds a charge beside charges that are unwatched, fail or belong to unknown companies", () => {
  const logged: Array<unknown> = []
  const throws = (of: Company) => {
    if (of.cnpj === anotherCnpj) throw new Error("no calendar")
    return nationalBankHolidays
  }
  return Effect.gen(function* () {
    const store = yield* ChargeStore
    const unshown = aPendingCharge({ issuer: anotherCnpj })
    const foreign = aPendingCharge({ issuer: "11444777000161" as typeof aCnpj })
    const listed = [unshown, foreign, aPendingCharge({ issuer: aCnpj }), charge]
    const finder = yield* makeFinder(false).pipe(
      Effect.provideService(ChargeStore, { ...store, changed: () => Effect.succeed(listed) }),
      Effect.provideService(HolidayCalendar, { forCompany: throws }),
    )
    const found = yield* finder.findChanged([unshown, foreign, charge].map(watching), fixtureNow)
    expect(found.map(([{ key }]) => key.id)).toEqual([charge.id])
    expect(logged).toEqual(["A payer's page could not be prepared"])
  }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push([message].flat()[0]))])))
})
