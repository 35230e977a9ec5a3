import { ChargeStore, CompanyDirectory, HolidayCalendar } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import type { Company } from "@pixcharge/core/party"
import { logFailure } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import { makeSnapshot } from "../state/Snapshot.ts"
import { makeState } from "../state/State.ts"
import { type Findings, type Found, type FoundCharge, placeKey, type WatchedCharge } from "./WatchedCharges.ts"

const none: Findings = []

/** How long a charge is shown as it was read. An erasure takes texts away and doesn't move the version. */
const maxAgeMs = 300_000
/** No charge has this version, so a look-up returns the charge. Version 0 would say that nobody has seen it. */
const anyVersion = -1

/** Finds what has changed of watched charges. A charge that doesn't exist, or can't be shown, is left out. */
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

  /** A charge that can't be shown, or a host's calendar that throws, must not keep other charges from their pages. */
  const isolate = (watched: WatchedCharge, found: Effect.Effect<Found | undefined, unknown>): Effect.Effect<Findings> =>
    found.pipe(
      Effect.map((one): Findings => (one === undefined ? none : [[watched, one]])),
      Effect.catchCause((cause) =>
        Effect.as(logFailure("Warn", "What a payer's page shows could not be made", cause), none),
      ),
    )

  const findCompanyAndDerive = (charge: Charge, now: number) =>
    Effect.map(directory.find(charge.issuer), (entry) => entry && derive(charge, entry.company, now))

  return {
    /** What has changed in the store, by one look-up for all. */
    changed: Effect.fnUntraced(function* (all: ReadonlyArray<WatchedCharge>, now: number) {
      const seen = all.map(({ place, found }) => ({ ...place, version: seenVersion(found, now) }))
      const charges = yield* store.changed(seen)
      if (charges.length === 0) return none
      const byKey = new Map(all.map((watched) => [placeKey(watched.place), watched]))
      const findings = yield* Effect.forEach(charges, (charge) => {
        const watched = byKey.get(placeKey(charge))
        return watched === undefined ? Effect.succeed(none) : isolate(watched, findCompanyAndDerive(charge, now))
      })
      return findings.flat()
    }),
    /** What time alone has changed, without a look-up. */
    aged: Effect.fnUntraced(function* (all: ReadonlyArray<FoundCharge>, now: number) {
      const due = all.filter(({ found }) => (found.state.snapshot.changesAt ?? Infinity) <= now)
      const findings = yield* Effect.forEach(due, (watched) => {
        const { charge, company, readAt } = watched.found
        return isolate(
          watched,
          Effect.sync(() => derive(charge, company, now, readAt)),
        )
      })
      return findings.flat()
    }),
  }
})

export type Finder = Effect.Success<ReturnType<typeof makeFinder>>
