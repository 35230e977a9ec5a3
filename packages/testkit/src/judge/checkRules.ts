import type { Charge, PaymentException, Refund } from "@pixcharge/core/charges"
import { isPartBack, liveParts } from "./money.ts"
import { shortName } from "./names.ts"
import { type Rules, reportIf } from "./rules.ts"

const [second, hour, day] = [1_000, 3_600_000, 86_400_000]
/** Clocks differ by less, and a call of the store takes some seconds. */
const toleranceMs = 75 * second
/** Whoever makes a check has it for so long. */
const leaseMs = 90 * second

/** So long after it was made an unpaid charge is looked for first: in a list of its company's payments. */
const lookedAfterMs = 45 * second
/** And then at the bank itself; again every two days, and after its watch. */
const lookedUpAfterMs = 600 * second

/** A charge or an exception as it is stored now. */
export interface SeenCheck {
  readonly of: Charge | PaymentException
  readonly now: number
}

/** Half the time since, an hour at most. */
export const maxWaitMs = (since: number, now: number): number => Math.max(leaseMs, Math.min((now - since) / 2, hour))

/** When the next check is due at the latest; undefined where none is due. */
const latestAt = (since: number | undefined, now: number): number | undefined =>
  since === undefined ? undefined : now + maxWaitMs(since, now) + toleranceMs

const mayStillReturn = ({ requestedAt, unanswered = [] }: Refund, now: number): boolean =>
  unanswered.length > 0 && now < requestedAt + 2 * day - hour - toleranceMs

/** When the refund of a charge that has to be looked after first was asked for: under way, or refused and perhaps not. */
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
  const { createdAt, watchUntil, checkAt, lookUpAt } = of
  // Then its company is swept.
  if (lookUpAt !== undefined) return createdAt + lookedAfterMs + toleranceMs
  if (now < watchUntil - toleranceMs) {
    const lookedUpAt = createdAt + lookedUpAfterMs
    const next = Math.min(now < lookedUpAt - toleranceMs ? lookedUpAt : now + 2 * day, watchUntil)
    // One that the bank doesn't answer is repeated after half the charge's age.
    return Math.max(next + leaseMs, now + maxWaitMs(createdAt, now)) + toleranceMs
  }
  // A last look that failed is repeated.
  return checkAt === undefined ? undefined : now + day + toleranceMs
}

/** What waits for an answer of the bank is checked in time (decision 38). */
export const checkRules: Rules<SeenCheck> = {
  checksKeepTheirTime: ({ of, now }) => {
    const latest = latestCheckAt(of, now)
    if (latest === undefined) return []
    const name = shortName("id" in of ? of.id : of.payment.endToEndId)
    const checkAt = "state" in of ? (of.state._tag === "Refunding" ? of.state.checkAt : undefined) : of.checkAt
    return [
      ...reportIf(checkAt === undefined, `${name} waits for the bank, and is not to be checked`),
      ...reportIf((checkAt ?? 0) > latest, `${name} is checked only in ${((checkAt ?? 0) - now) / second} s`),
    ]
  },
}
