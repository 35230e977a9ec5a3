import { ChargeStore, CompanyDirectory, HolidayCalendar } from "@pixcharge/core"
import type { Charge, ChargeId } from "@pixcharge/core/charges"
import type { Company } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { makeSnapshot } from "../state/Snapshot.ts"
import { makeState } from "../state/State.ts"
import { deriveAged, type Finder, isolate } from "./Finder.ts"
import { type Findings, type Found, placeKey } from "./WatchedCharges.ts"

/** How long a charge is shown as it was read. An erasure takes texts away and doesn't move the version. */
const maxAgeMs = 300_000
/** No charge has this version, so a look-up returns the charge. Version 0 would say that nobody has seen it. */
const anyVersion = -1

/** Finds what has changed of watched charges. */
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
    // One look-up for all.
    changed: Effect.fnUntraced(function* (all, now) {
      const seen = all.map(({ place: { issuer, id }, found }) => ({
        issuer,
        id: id as ChargeId,
        version: seenVersion(found, now),
      }))
      const charges = yield* store.changed(seen)
      if (charges.length === 0) return []
      const byKey = new Map(all.map((watched) => [placeKey(watched.place), watched]))
      const findings = yield* Effect.forEach(charges, (charge) => {
        const watched = byKey.get(placeKey(charge))
        return watched === undefined
          ? Effect.succeed<Findings>([])
          : isolate(watched, findCompanyAndDerive(charge, now))
      })
      return findings.flat()
    }),
    aged: (all, now) => deriveAged(all, now, ({ charge, company, readAt }) => derive(charge, company, now, readAt)),
  }
  return finder
})
