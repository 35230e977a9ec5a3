import { ChargeStore, CompanyDirectory, HolidayCalendar, type StoreUnavailable } from "@pixcharge/core"
import type { Charge, ChargeId } from "@pixcharge/core/charges"
import { logFailure } from "@pixcharge/core/internal"
import type { Company } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { makeSnapshot } from "../snapshot/Snapshot.ts"
import { makeState } from "../wire/State.ts"
import {
  type AnyFound,
  type Findings,
  formatItemKey,
  type Found,
  type FoundItem,
  type WatchedItem,
} from "./WatchedItems.ts"

export interface Finder<F extends AnyFound = Found> {
  /** Skips missing items and items that can't be shown. */
  readonly findChanged: (
    all: ReadonlyArray<WatchedItem<F>>,
    now: number,
  ) => Effect.Effect<Findings<F>, StoreUnavailable>
  /** Changes by time alone, without a query. */
  readonly findAged: (all: ReadonlyArray<FoundItem<F>>, now: number) => Effect.Effect<Findings<F>>
}

/** Logs and skips an item that fails, for example because a host's calendar throws. */
export const isolate = <F extends AnyFound>(
  watched: WatchedItem<F>,
  found: Effect.Effect<F | undefined, unknown>,
): Effect.Effect<Findings<F>> =>
  found.pipe(
    Effect.map((one): Findings<F> => (one === undefined ? [] : [[watched, one]])),
    Effect.catchCause((cause) => Effect.as(logFailure("Warn", "A payer's page could not be prepared", cause), [])),
  )

export const deriveAged = <F extends AnyFound>(
  all: ReadonlyArray<FoundItem<F>>,
  now: number,
  derive: (found: F) => F,
): Effect.Effect<Findings<F>> => {
  const due = all.filter(({ found }) => (found.state.snapshot.changesAt ?? Infinity) <= now)
  const derived = Effect.forEach(due, (watched) =>
    isolate(
      watched,
      Effect.sync(() => derive(watched.found)),
    ),
  )
  return Effect.map(derived, (findings) => findings.flat())
}

/** The maximum age of a read charge, because an erasure removes its texts without changing its version. */
const maxAgeMs = 300_000
/** No charge has this version, so the store always returns the charge. */
const anyVersion = -1

export const makeFinder = Effect.fnUntraced(function* (canRenew: boolean) {
  const store = yield* ChargeStore
  const directory = yield* CompanyDirectory
  const calendar = yield* HolidayCalendar

  const derive = (charge: Charge, company: Company, now: number, readAt = now): Found => {
    const holidays = calendar.forCompany(company)
    return { charge, company, readAt, state: makeState(makeSnapshot(charge, { company, holidays, now, canRenew })) }
  }

  const seenVersion = (found: Found | undefined, now: number): number => {
    if (found === undefined) return 0
    return Math.abs(now - found.readAt) > maxAgeMs ? anyVersion : found.charge.version
  }

  const findCompanyAndDerive = (charge: Charge, now: number) =>
    Effect.map(directory.find(charge.issuer), (entry) => entry && derive(charge, entry.company, now))

  const finder: Finder = {
    findChanged: Effect.fnUntraced(function* (all, now) {
      const seen = all.map(({ key: { issuer, id }, found }) => ({
        issuer,
        id: id as ChargeId,
        version: seenVersion(found, now),
      }))
      const charges = yield* store.changed(seen)
      if (charges.length === 0) return []
      const byKey = new Map(all.map((watched) => [formatItemKey(watched.key), watched]))
      const findings = yield* Effect.forEach(charges, (charge) => {
        const watched = byKey.get(formatItemKey(charge))
        return watched === undefined
          ? Effect.succeed<Findings>([])
          : isolate(watched, findCompanyAndDerive(charge, now))
      })
      return findings.flat()
    }),
    findAged: (all, now) => deriveAged(all, now, ({ charge, company, readAt }) => derive(charge, company, now, readAt)),
  }
  return finder
})
