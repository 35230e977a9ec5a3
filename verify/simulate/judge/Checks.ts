import type { ClaimRequest, MadeCheck } from "@pixcharge/core"
import type { Charge, PaymentException } from "@pixcharge/core/charges"
import type { StoreCall } from "./describeWrite.ts"
import { chargeKey, paymentKey, shortName } from "./names.ts"
import { broken, type Violation, reportIf } from "./rules.ts"

/** More than the clocks' difference plus the time of a store call. */
const toleranceMs = 75_000
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
  /** The end of each check's last lease by the caller's clock, in epoch milliseconds. */
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
