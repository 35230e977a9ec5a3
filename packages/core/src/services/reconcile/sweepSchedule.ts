import { clockToleranceMs } from "../../ports/portErrors.ts"
import type { Reconciliation } from "../../ports/Reconciliations.ts"
import { paymentCheckIntervalMs } from "../../model/charge/checkSchedule.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** A list of many pages costs many calls: the next pause is longer. */
const pageMs = 2 * second
const maxPagesMs = 5 * minute
/** How far the bank's clock can be behind ours. */
const skewMs = 5 * minute

/** Once in `everyMs`, a list reaches `backMs` further back for payments that the bank listed late. */
const reaches: ReadonlyArray<{ readonly everyMs: number; readonly backMs: number }> = [
  { everyMs: 8 * hour, backMs: 56 * hour },
  { everyMs: 3 * hour, backMs: 11 * hour },
  { everyMs: hour, backMs: 3 * hour },
]

/**
 * Time of the next turn in epoch milliseconds. While an unpaid charge waits, the next list is made after half the age of the
 * youngest charge (45 s to an hour), or later if the list has many pages.
 */
export const nextSweepAt = (
  { lookedUp, returnsDueAt }: Pick<Reconciliation, "lookedUp" | "returnsDueAt">,
  youngestAt: number | undefined,
  sweptAt: number,
  pages: number,
): number => {
  const createdAt = youngestAt ?? -Infinity
  const waitsUntil =
    youngestAt === undefined
      ? Infinity
      : sweptAt + Math.max(paymentCheckIntervalMs({ createdAt }, sweptAt), Math.min(pages * pageMs, maxPagesMs))
  const repeatsAt =
    lookedUp === undefined ? returnsDueAt : sweptAt + Math.min(Math.max((sweptAt - lookedUp.from) / 2, minute), hour)
  return Math.round(Math.min(waitsUntil, repeatsAt))
}

/** Epoch milliseconds. Overlaps the last list, because banks list payments late. */
export const sweptFrom = (
  { since, reconciledUntil }: Pick<Reconciliation, "since" | "reconciledUntil">,
  until: number,
): number => {
  const aheadMs = reconciledUntil - until
  // Another host listed last, or the clock was set back: the last days may be unlisted.
  const isAhead = aheadMs > clockToleranceMs
  const last = Math.min(reconciledUntil, until)
  const hasTurnAt = (everyMs: number): boolean =>
    isAhead || Math.floor((last - since) / everyMs) < Math.floor((until - since) / everyMs)
  const overlapMs = aheadMs > 0 ? 2 * clockToleranceMs : -2 * aheadMs
  const backMs = reaches.find(({ everyMs }) => hasTurnAt(everyMs))?.backMs ?? overlapMs
  // If a clock ran ahead at the first charge, `since` is wrong, too.
  return since > until ? last - backMs : Math.max(since - skewMs, last - backMs)
}

/** A charge comes due every 45 s, then after half its age, finally every hour. */
const timesDue = (ageMs: number): number => {
  if (ageMs < 90 * second) return Math.floor(ageMs / (45 * second))
  if (ageMs < 2 * hour) return 2 + Math.floor(Math.log(ageMs / (90 * second)) / Math.log(1.5))
  return 12 + Math.floor(ageMs / hour)
}

/** True if an item comes due by its age after `from` and until `until`. */
export const isDueBetween = (since: number, from: number, until: number): boolean =>
  since <= until && (since > from || timesDue(until - since) > timesDue(from - since))
