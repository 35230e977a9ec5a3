import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { deferredCheckAt } from "../charges/rules/checkSchedule.ts"
import { ProcessorUnavailable } from "../ports/portErrors.ts"
import { hasTag } from "../runtime/error/isOfOurs.ts"
import { logFailure } from "../runtime/telemetry/index.ts"
import { logAndContinue } from "../runtime/telemetry/logAndContinue.ts"
import type { CompanyLimits } from "./CompanyLimits.ts"
import type { DueCheck, Finding } from "./DueCheck.ts"

/** A check that takes longer counts as unanswered. */
const maxCheckMs = 75_000
/** When a check is due again for which the company's other checks left no place. */
const busyMs = 2_000

/** If it can't be written, the check is due again when its lease ends. */
const reschedule = (check: DueCheck, checkAt: number | undefined) =>
  logAndContinue(`The next check of ${check.label} could not be set`)(check.reschedule(checkAt))

/** Delays what may not be begun now: shortly if others of the company are under way, longer if its bank does not answer. */
export const deferCheck = Effect.fnUntraced(function* (check: DueCheck, limits: CompanyLimits) {
  const now = yield* Clock.currentTimeMillis
  const checkAt = limits.isSilent(check.issuer) ? deferredCheckAt(check.waitsSince, now) : now + busyMs
  yield* reschedule(check, Math.max(checkAt, limits.coolDownUntil(check.issuer)))
})

const recordSilence = Effect.fnUntraced(function* (
  check: DueCheck,
  { retryAfterMs }: ProcessorUnavailable,
  limits: CompanyLimits,
) {
  const now = yield* Clock.currentTimeMillis
  // An adapter may have read a header that is no number.
  limits.recordSilence(check.issuer, now, Number.isNaN(retryAfterMs) ? 0 : retryAfterMs)
  // After those that were deferred: a processor that does not answer for one charge may answer for others.
  yield* reschedule(check, Math.max(check.retryAt(now), limits.coolDownUntil(check.issuer)))
})

const recordFailure = Effect.fnUntraced(function* (check: DueCheck, cause: Cause.Cause<unknown>) {
  const error = Cause.squash(cause)
  const now = yield* Clock.currentTimeMillis
  const isOutage = hasTag(error, "StoreUnavailable") || hasTag(error, "DirectoryUnavailable")
  const isGivenUp = !isOutage && now >= (check.giveUpAt ?? Infinity)
  yield* logFailure("Warn", `${check.label} could not be checked${isGivenUp ? ", and is given up" : ""}`, cause)
  yield* reschedule(check, isGivenUp ? undefined : check.retryAt(now))
})

/**
 * Makes one check, of which the company's limit hears, and schedules the next one if it fails. A defect, such as an answer that
 * the adapter can't read, ends nothing but this check.
 */
export const runCheck = (check: DueCheck, limits: CompanyLimits): Effect.Effect<Finding> =>
  check.run.pipe(
    Effect.timeoutOrElse({
      duration: maxCheckMs,
      orElse: () => new ProcessorUnavailable({ operation: "check", cause: `no answer within ${maxCheckMs} ms` }),
    }),
    Effect.matchCauseEffect({
      onSuccess: (hasMoved) =>
        Effect.map(Clock.currentTimeMillis, (now): Finding => {
          limits.recordAnswer(check.issuer, now)
          return hasMoved ? "moved" : "unchanged"
        }),
      onFailure: (cause) => {
        const error = Cause.squash(cause)
        return hasTag<ProcessorUnavailable>(error, "ProcessorUnavailable")
          ? Effect.as(recordSilence(check, error, limits), "unanswered" as const)
          : Effect.as(recordFailure(check, cause), "failed" as const)
      },
    }),
  )
