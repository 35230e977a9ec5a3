import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { RecurrenceStore } from "../ports/RecurrenceStore.ts"
import { deferredCheckAt } from "../charges/rules/checkSchedule.ts"
import type { Recurrences } from "../recurring/Recurrences.ts"
import { safeSpan } from "../runtime/telemetry/index.ts"
import type { CheckJob } from "./DueCheck.ts"

/** The checks of recurrences: their authorisation, their cycles' windows and debits. */
export const recurrenceChecks = (store: RecurrenceStore["Service"], recurrences: Recurrences["Service"]): CheckJob => ({
  claim: (request) =>
    Effect.map(store.claim(request), (due) =>
      due.map(({ recurrence, dueAt }) => ({
        label: `Recurrence ${recurrence.id}`,
        issuer: recurrence.issuer,
        waitsSince: dueAt,
        run: Effect.suspend(() => recurrences.check(recurrence)).pipe(
          safeSpan("pix.recurrence.check", { "recurrence.id": recurrence.id, "recurrence.state": recurrence._tag }),
        ),
        retryAt: (now: number) => deferredCheckAt(recurrence.updatedAt, now),
        reschedule: (checkAt: number | undefined) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const { issuer, id, updatedAt, version } = recurrence
            return store.schedule(issuer, id, checkAt ?? deferredCheckAt(updatedAt, now), version)
          }),
      })),
    ),
  maxAtOnce: 16,
  idleMs: { firstMs: 1_000, maxMs: 5_000 },
})
