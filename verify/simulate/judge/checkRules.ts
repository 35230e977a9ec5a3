import type { Charge, PaymentException, Refund } from "@pixcharge/core/charges"
import { lastPayableAt } from "./marks.ts"
import { isPartBack, liveParts } from "./money.ts"
import { shortName } from "./names.ts"
import { type Rules, reportIf } from "./rules.ts"

const [second, hour, day] = [1_000, 3_600_000, 86_400_000]
/** More than the clocks' difference plus the time of a store call. */
const toleranceMs = 75 * second
const leaseMs = 90 * second

/** The time from a charge's creation to its first check, which lists the company's payments. */
const lookedAfterMs = 45 * second
/**
 * The time from a charge's creation to its first look-up at the bank, unless it ends before. Later ones come every two days until
 * the day before the last payable moment, after that moment, and after the watch.
 */
const lookedUpAfterMs = 660 * second
/** The time from the last payable moment to the look-up after it. */
const endedAfterMs = 61 * second

export interface SeenCheck {
  readonly of: Charge | PaymentException
  readonly now: number
}

/** The maximum wait for the next check: half the time since `since`, at least a lease and at most an hour. */
export const maxWaitMs = (since: number, now: number): number => Math.max(leaseMs, Math.min((now - since) / 2, hour))

const latestAt = (since: number | undefined, now: number): number | undefined =>
  since === undefined ? undefined : now + maxWaitMs(since, now) + toleranceMs

const mayStillReturn = ({ requestedAt, unanswered = [] }: Refund, now: number): boolean =>
  unanswered.length > 0 && now < requestedAt + 2 * day - hour - toleranceMs

/**
 * When the earliest refund of the charge was requested that needs checks: it is under way, or refused but can still be
 * made.
 */
export const refundSince = (charge: Charge, now: number): number | undefined => {
  if (charge._tag === "Refunding") return charge.refund.requestedAt
  if (charge._tag !== "Paid") return undefined
  const { failedRefund, partialRefunds = [], returns } = charge
  const [live] = liveParts(charge)
  if (live !== undefined) return live.refund.requestedAt
  const refused = partialRefunds.filter((part) => !isPartBack(part, returns)).map(({ refund }) => refund)
  const open = [...(failedRefund ? [failedRefund] : []), ...refused].filter((refund) => mayStillReturn(refund, now))
  return open.length === 0 ? undefined : Math.min(...open.map(({ requestedAt }) => requestedAt))
}

const latestCheckAt = (of: SeenCheck["of"], now: number): number | undefined => {
  if ("state" in of) return latestAt(of.state._tag === "Refunding" ? of.state.refund.requestedAt : undefined, now)
  if (of._tag !== "Pending") return latestAt(refundSince(of, now), now)
  const { createdAt, watchUntil, checkAt, lookUpAt, termsRows } = of
  // The first check sweeps the company.
  if (lookUpAt !== undefined) return createdAt + lookedAfterMs + toleranceMs
  if (now < watchUntil - toleranceMs) {
    const endedAt = (termsRows === undefined ? watchUntil - day : lastPayableAt(of, undefined)) + endedAfterMs
    const lookedUpAt = Math.min(createdAt + lookedUpAfterMs, endedAt)
    const usual = now < lookedUpAt - toleranceMs ? lookedUpAt : now + 2 * day
    const isBeforeEnd = now < endedAt && usual > endedAt - day - endedAfterMs
    const next = Math.min(isBeforeEnd ? Math.max(usual, endedAt) : usual, watchUntil)
    // A check that gets no answer from the bank is repeated after half the charge's age.
    return Math.max(next + leaseMs, now + maxWaitMs(createdAt, now)) + toleranceMs
  }
  // A failed last look-up is repeated.
  return checkAt === undefined ? undefined : now + day + toleranceMs
}

/** The rules of timely checks (decision 38). */
export const checkRules: Rules<SeenCheck> = {
  checksKeepTheirTime: ({ of, now }) => {
    const latest = latestCheckAt(of, now)
    if (latest === undefined) return []
    const name = shortName("id" in of ? of.id : of.payment.endToEndId)
    const checkAt = "state" in of ? (of.state._tag === "Refunding" ? of.state.checkAt : undefined) : of.checkAt
    return [
      ...reportIf(checkAt === undefined, `${name} waits for the bank, but has no check`),
      ...reportIf((checkAt ?? 0) > latest, `${name} is checked only in ${((checkAt ?? 0) - now) / second} s`),
    ]
  },
}
