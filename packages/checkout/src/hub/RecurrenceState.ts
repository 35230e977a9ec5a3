import { ChargeStore, CompanyDirectory } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import type { Company } from "@pixcharge/core/party"
import type { Recurrence, RecurrenceId } from "@pixcharge/core/recurrence"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import { deriveAged, type Finder, isolate } from "./Finder.ts"
import type { AnyFound, ItemKey } from "./WatchedItems.ts"
import { type AnyState, hashShown } from "../wire/State.ts"
import { type RecurrenceFacts, recurrenceFacts } from "../wire/StateBody.ts"
import { makeRecurrenceSnapshot, type RecurrenceSnapshot } from "../snapshot/RecurrenceSnapshot.ts"

export interface RecurrenceState extends AnyState {
  readonly snapshot: RecurrenceSnapshot
  readonly facts: RecurrenceFacts
}

const makeRecurrenceState = (snapshot: RecurrenceSnapshot): RecurrenceState => ({
  snapshot,
  id: hashShown(snapshot),
  facts: recurrenceFacts(snapshot),
})

export interface FoundRecurrence extends AnyFound {
  readonly recurrence: Recurrence
  readonly charge: Charge | undefined
  readonly company: Company
  readonly state: RecurrenceState
}

const maxAtOnce = 8

/** Looks up each recurrence alone, because payers seldom open one. */
export const makeRecurrenceFinder = Effect.gen(function* () {
  const recurrences = yield* RecurrenceStore
  const charges = yield* ChargeStore
  const directory = yield* CompanyDirectory

  const derive = (known: Omit<FoundRecurrence, "state">, now: number): FoundRecurrence => {
    const { recurrence, ...others } = known
    return { ...known, state: makeRecurrenceState(makeRecurrenceSnapshot(recurrence, { ...others, now })) }
  }

  const read = Effect.fnUntraced(function* ({ issuer, id }: ItemKey) {
    const recurrence = yield* recurrences.find(issuer, id as RecurrenceId)
    if (recurrence === undefined) return undefined
    const { journey } = recurrence
    return { recurrence, charge: journey.by === "payment" ? yield* charges.find(issuer, journey.chargeId) : undefined }
  })

  const finder: Finder<FoundRecurrence> = {
    findChanged: Effect.fnUntraced(function* (all, now) {
      const findings = yield* Effect.forEach(
        all,
        Effect.fnUntraced(function* (watched) {
          const known = yield* read(watched.key)
          const entry = Effect.map(
            directory.find(watched.key.issuer),
            (found) => known && found && derive({ ...known, company: found.company }, now),
          )
          return yield* isolate(watched, entry)
        }),
        { concurrency: maxAtOnce },
      )
      return findings.flat()
    }),
    findAged: (all, now) => deriveAged(all, now, (found) => derive(found, now)),
  }
  return finder
})
