import { clockToleranceMs } from "../../ports/portErrors.ts"
import type { Reconciliation } from "../../ports/Reconciliations.ts"
import { paymentCheckIntervalMs } from "../../model/charge/checkSchedule.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Each page costs a call: a list of many pages is followed by a longer pause. */
const pageMs = 2 * second
const maxPagesMs = 5 * minute
/** The bank's clock may be behind ours by so much. */
const skewMs = 5 * minute

/** Once in `everyMs` a list begins `backMs` before the last one: it finds what the bank has listed late, up to the difference. */
const reaches: ReadonlyArray<{ readonly everyMs: number; readonly backMs: number }> = [
  { everyMs: 8 * hour, backMs: 56 * hour },
  { everyMs: 3 * hour, backMs: 11 * hour },
  { everyMs: hour, backMs: 3 * hour },
]

/**
 * When a company has its next turn after that of `sweptAt`: after half the age of its youngest unpaid charge, 45 s to an hour, later
 * where the list has many pages; without such a charge, when its older returns are due. While its list fails, after half the
 * time since it began to, a minute to an hour, at the latest. Epoch milliseconds.
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
  const failsUntil =
    lookedUp === undefined ? returnsDueAt : sweptAt + Math.min(Math.max((sweptAt - lookedUp.from) / 2, minute), hour)
  return Math.round(Math.min(waitsUntil, failsUntil))
}

/**
 * From when on the payments are listed by a sweep that ends at `until`: twice as far before the last one as it is ago, and once
 * in one, three and eight hours further, for banks list payments late. Epoch milliseconds.
 */
export const sweptFrom = (
  { since, reconciledUntil }: Pick<Reconciliation, "since" | "reconciledUntil">,
  until: number,
): number => {
  const aheadMs = reconciledUntil - until
  // Another host listed last, or the clock was set back: then nobody knows what of the last days was listed.
  const isAhead = aheadMs > clockToleranceMs
  const last = Math.min(reconciledUntil, until)
  const hasTurnAt = (everyMs: number): boolean =>
    isAhead || Math.floor((last - since) / everyMs) < Math.floor((until - since) / everyMs)
  const overlapMs = aheadMs > 0 ? 2 * clockToleranceMs : -2 * aheadMs
  const backMs = reaches.find(({ everyMs }) => hasTurnAt(everyMs))?.backMs ?? overlapMs
  // It knows no first charge, either, if that was made while a clock ran ahead.
  return since > until ? last - backMs : Math.max(since - skewMs, last - backMs)
}

/** How many times something of this age has come due: every 45 s at first, then after half its age, once an hour in the end. */
const timesDue = (ageMs: number): number => {
  if (ageMs < 90 * second) return Math.floor(ageMs / (45 * second))
  if (ageMs < 2 * hour) return 2 + Math.floor(Math.log(ageMs / (90 * second)) / Math.log(1.5))
  return 12 + Math.floor(ageMs / hour)
}

/** Whether what began at `since` has come due after `from` and until `until`, by the ages at which unpaid charges are. */
export const isDueBetween = (since: number, from: number, until: number): boolean =>
  since <= until && (since > from || timesDue(until - since) > timesDue(from - since))
