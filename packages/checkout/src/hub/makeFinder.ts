import { type Charge, ChargeStore, CompanyDirectory, type Company, HolidayCalendar } from "@pixcharge/core"
import { logFailure } from "@pixcharge/core/telemetry"
import * as Effect from "effect/Effect"
import { snapshotOf } from "../state/Snapshot.ts"
import { stateOf } from "../state/State.ts"
import { type Found, type FoundWatched, placeKey, type Watched } from "./Watched.ts"

/** What has been found anew of watched charges; a charge that doesn't exist, or can't be shown, is not among them. */
export type FoundAnew = ReadonlyArray<readonly [Watched, Found]>

const none: FoundAnew = []

/** Finds what of watched charges has changed: `renews` as in `Beholding`. */
export const makeFinder = Effect.fnUntraced(function* (renews: boolean) {
  const store = yield* ChargeStore
  const directory = yield* CompanyDirectory
  const calendar = yield* HolidayCalendar

  const found = (charge: Charge, company: Company, now: number): Found => {
    const holidays = calendar.forCompany(company)
    return { charge, company, state: stateOf(snapshotOf(charge, { company, holidays, now, renews })) }
  }

  /** One charge that can't be shown, or a host's calendar that throws, is no other's trouble. */
  const derived = (watched: Watched, deriving: Effect.Effect<Found | undefined, unknown>): Effect.Effect<FoundAnew> =>
    deriving.pipe(
      Effect.map((one): FoundAnew => (one === undefined ? none : [[watched, one]])),
      Effect.catchCause((cause) =>
        Effect.as(logFailure("Warn", "What a payer's page shows could not be made", cause), none),
      ),
    )

  const withCompany = (charge: Charge, now: number) =>
    Effect.map(directory.find(charge.issuer), (entry) => entry && found(charge, entry.company, now))

  return {
    /** One look-up, whatever their number. */
    changed: Effect.fnUntraced(function* (all: ReadonlyArray<Watched>, now: number) {
      const seen = all.map(({ place, found: known }) => ({ ...place, version: known?.charge.version ?? 0 }))
      const charges = yield* store.changed(seen)
      if (charges.length === 0) return none
      const byKey = new Map(all.map((watched) => [placeKey(watched.place), watched]))
      const made = yield* Effect.forEach(charges, (charge) => {
        const watched = byKey.get(placeKey(charge))
        return watched === undefined ? Effect.succeed(none) : derived(watched, withCompany(charge, now))
      })
      return made.flat()
    }),
    /** Those that time alone has changed; without a look-up. */
    aged: Effect.fnUntraced(function* (all: ReadonlyArray<FoundWatched>, now: number) {
      const due = all.filter(({ found: known }) => (known.state.snapshot.changesAt ?? Infinity) <= now)
      const made = yield* Effect.forEach(due, (watched) =>
        derived(
          watched,
          Effect.sync(() => found(watched.found.charge, watched.found.company, now)),
        ),
      )
      return made.flat()
    }),
  }
})

export type Finder = Effect.Success<ReturnType<typeof makeFinder>>
