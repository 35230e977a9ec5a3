import type { Charge, PaymentException, Refund } from "@pixcharge/core/charges"
import type { ClaimRequest, MadeCheck } from "@pixcharge/core"
import { lastPayableAt } from "./marks.ts"
import { isPartBack, liveParts } from "./money.ts"
import { chargeKey, paymentKey, shortName } from "./names.ts"
import { broken, reportIf, type Rules, type Violation } from "./rules.ts"
import type { StoreCall } from "./describeWrite.ts"

const [second, hour, day] = [1_000, 3_600_000, 86_400_000]
/** More than the clocks' difference plus the time of a store call. */
const toleranceMs = 75 * second
const checkLeaseMs = 90 * second

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
export const maxWaitMs = (since: number, now: number): number =>
  Math.max(checkLeaseMs, Math.min((now - since) / 2, hour))

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
    return Math.max(next + checkLeaseMs, now + maxWaitMs(createdAt, now)) + toleranceMs
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

/** If the bank made a charge longer ago than this before it was stored, an earlier call made it. */
const takenOverMs = 180_000

interface Known {
  readonly version: number
  readonly checkAt: number | undefined
}

const readCharge = ({ version, checkAt }: Charge): Known => ({ version, checkAt })

const readException = ({ version, state }: PaymentException): Known => ({
  version,
  checkAt: state._tag === "Refunding" ? state.checkAt : undefined,
})

type Scheduled = readonly [read: { readonly version: number; readonly checkAt?: number }, checkAt?: number, MadeCheck?]

export class Checks {
  readonly #known = new Map<string, Known>()
  /** The end of each check's last lease by the caller's clock. */
  readonly #leasedUntil = new Map<string, number>()

  setBack(): void {
    this.#known.clear()
    this.#leasedUntil.clear()
  }

  readonly charge = (charge: Charge): void => void this.#known.set(chargeKey(charge), readCharge(charge))

  readonly exception = (one: PaymentException): void =>
    void this.#known.set(paymentKey(one.payment), readException(one))

  /**
   * Judges an inserted charge. A charge that the bank made long ago can already be paid, so its check must be due
   * immediately.
   */
  judgeInsert({ port, method, args, answer }: StoreCall, now: number): ReadonlyArray<Violation> {
    if (port !== "store" || method !== "insert") return []
    const { id, createdAt, checkAt = Infinity } = args[0] as Charge
    const isNew = (answer as { readonly _tag: string })._tag === "Inserted"
    const isLate = isNew && createdAt < now - takenOverMs && checkAt > now + toleranceMs
    return broken(
      "checksKeepTheirTime",
      reportIf(isLate, `${shortName(id)} was made long ago, and is not checked at once`),
    )
  }

  /** Forgets the lease after a write, because the write can schedule another check. */
  readonly endLease = (key: string): void => void this.#leasedUntil.delete(key)

  judgeClaim({ port, method, args, answer }: StoreCall): ReadonlyArray<Violation> {
    if (port !== "checks" || !method.startsWith("claim")) return []
    const { now, leaseMs } = args[0] as ClaimRequest
    return (answer as ReadonlyArray<Charge | PaymentException>).flatMap((one) => {
      const isCharge = "id" in one
      const id = isCharge ? chargeKey(one) : paymentKey(one.payment)
      if (isCharge) this.charge(one)
      else this.exception(one)
      const isTaken = now < (this.#leasedUntil.get(id) ?? 0)
      this.#leasedUntil.set(id, now + leaseMs)
      return broken("leasesFence", reportIf(isTaken, `the check of ${id} was claimed while another process made it`))
    })
  }

  /** Judges a scheduled check. Its caller must have read the last version and the last scheduled check. */
  judgeSchedule({ args }: StoreCall, after: Charge | PaymentException): ReadonlyArray<Violation> {
    const [read, checkAt, made] = args as Scheduled
    const isCharge = "id" in after
    const id = isCharge ? chargeKey(after) : paymentKey(after.payment)
    const before = this.#known.get(id)
    const { version, ...is } = isCharge ? readCharge(after) : readException(after)
    this.#known.set(id, { version, ...is })
    this.endLease(id)
    if (before?.version !== version || is.checkAt !== checkAt) return []
    if (before.checkAt === is.checkAt) return []
    const isUnread = made !== undefined && before.checkAt !== read.checkAt
    return broken("checksKeepTheirTime", [
      ...reportIf(
        read.version !== version,
        `the check of ${id} v${version} was scheduled by a process that had read v${read.version}`,
      ),
      ...reportIf(isUnread, `the check of ${id} was postponed by a process that didn't know the last check`),
    ])
  }
}
