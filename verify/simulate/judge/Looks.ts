import type { MadeCheck, ProcessorView, RefundOrder } from "@pixcharge/core"
import type { Charge, PaymentException } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { refundSince } from "./Checks.ts"
import type { StoreCall } from "./describeWrite.ts"
import type { Ask, Word } from "./Evidence.ts"
import { chargeKey, paymentKey, shortName } from "./names.ts"
import { broken, reportIf, type Violation } from "./rules.ts"

/** The minimum delay that counts as postponing a check because of the bank's cool-down or silence. */
const minPostponedMs = 125_000
/** More than the time of a store call. */
const storeMs = 10_000
/** How long failing checks go on after their charge's watch, less a day. */
const givenUpMs = 29 * 86_400_000

type Owner = Charge | PaymentException

interface Claim {
  readonly caller: string
  readonly claimedAt: number
  readonly now: number
}

/** The txid, endToEndId or company that a call is about. */
const requestedKey = ({ method, args: [about] }: Ask): string => {
  if (method === "payments") return about as Cnpj
  if (method === "lookup") return (about as Charge).txid
  return method === "refund" || method === "lookupRefund" ? (about as RefundOrder).endToEndId : ""
}

export class Looks {
  /** The last call and the last answered one, by process and charge or payment. */
  readonly #asked = new Map<string, Ask>()
  readonly #answered = new Map<string, Ask>()
  /** When a process could not look up or remove a charge, by process and charge. */
  readonly #keptAt = new Map<string, number>()
  /** When a check was claimed, by process and charge or exception. */
  readonly #claimedAt = new Map<string, number>()

  setBack(): void {
    this.#claimedAt.clear()
  }

  readonly begin = (ask: Ask): void => {
    // Of the lists, only those without an answer postpone the check of a refund.
    if (ask.method !== "payments") this.#asked.set(`${ask.caller} ${requestedKey(ask)}`, ask)
  }

  /** Records the end of a call. After a call without an answer, its caller can claim the check again. */
  readonly end = (ask: Ask, isAnswered: boolean, now: number): void => {
    const key = `${ask.caller} ${requestedKey(ask)}`
    if (isAnswered) this.#answered.set(key, ask)
    else this.#asked.set(key, { ...ask, requestedAt: now })
    if (isAnswered || !["lookup", "cancel"].includes(ask.method)) return
    this.#keptAt.set(`${ask.caller} ${(ask.args[0] as Charge).txid}`, now)
  }

  recordClaims({ port, method, answer }: StoreCall, caller: string, now: number): void {
    if (port !== "checks" || !method.startsWith("claim")) return
    for (const one of answer as ReadonlyArray<Owner>) this.#claimedAt.set(`${caller} ${ownerKey(one)}`, now)
  }

  /** When the process sent the charge's last look-up that was answered; undefined without one, or if it could not act on it. */
  lookedUpAt(caller: string, { txid }: Charge): number | undefined {
    const at = this.#answered.get(`${caller} ${txid}`)?.requestedAt
    return at === undefined || at < (this.#keptAt.get(`${caller} ${txid}`) ?? 0) ? undefined : at
  }

  /** True if the process has made the check after which it sets the next one. */
  hasChecked({ args }: Pick<StoreCall, "args">, after: Owner, caller: string, failedAt: number): boolean {
    const [read, checkAt] = args as readonly [Owner, number?]
    const isApplied = ("state" in after ? true : after.checkAt === checkAt) && after.version === read.version
    return isApplied && failedAt < (this.#claimedAt.get(`${caller} ${ownerKey(read)}`) ?? -Infinity)
  }

  judgeSchedule(
    { args }: StoreCall,
    after: Owner,
    caller: string,
    now: number,
    failedAt: number,
  ): ReadonlyArray<Violation> {
    const [read, checkAt, made] = args as readonly [Owner, number?, MadeCheck?]
    const claimedAt = this.#claimedAt.get(`${caller} ${ownerKey(read)}`)
    if (claimedAt === undefined || !this.hasChecked({ args }, after, caller, failedAt)) return []
    const isPending = "id" in after && after._tag === "Pending"
    const by = { caller, now, claimedAt }
    const isEnd = made?.endedAt !== undefined
    return broken(
      "checksKeepTheirTime",
      isPending ? this.#judgePending(after, by, isEnd) : this.#judgeWaiting(after, by, checkAt),
    )
  }

  /** The last look at an unpaid charge comes after its watch. */
  #judgePending({ txid, watchUntil }: Charge, { caller, now }: Claim, isEnd: boolean): ReadonlyArray<string> {
    const look = this.#answered.get(`${caller} ${txid}`)
    return reportIf(
      isEnd && now < watchUntil + givenUpMs && (look === undefined || look.clockAt < watchUntil),
      `the last look at ${shortName(txid)} came before its watch ended`,
    )
  }

  /**
   * Each check of a refund must query the bank. A check that isn't made can be delayed by a 32nd of the refund's age.
   */
  #judgeWaiting(owner: Owner, { caller, now, claimedAt }: Claim, checkAt: number | undefined): ReadonlyArray<string> {
    const since = waitsSince(owner, now)
    const isPutOff = since !== undefined && (checkAt ?? Infinity) > now + minPostponedMs + (now - since) / 32
    const { txid = "", endToEndId = "" } = { ...("payment" in owner && owner.payment), ...("txid" in owner && owner) }
    const issuer = "payment" in owner ? owner.payment.issuer : owner.issuer
    const about = [txid, endToEndId, issuer]
    const isRequested = about.some(
      (key) => (this.#asked.get(`${caller} ${key}`)?.requestedAt ?? -Infinity) > claimedAt - storeMs,
    )
    return reportIf(
      isPutOff && !isRequested,
      `the check of ${ownerKey(owner)} is postponed, but the bank was not asked`,
    )
  }
}

/** When a refund's wait for the bank began, or the charge's creation. */
const waitsSince = (owner: Owner, now: number): number | undefined => {
  if ("state" in owner) return owner.state._tag === "Refunding" ? owner.state.refund.requestedAt : undefined
  return refundSince(owner, now) === undefined ? undefined : owner.createdAt
}

const ownerKey = (owner: Owner): string => ("id" in owner ? chargeKey(owner) : paymentKey(owner.payment))

/** A look-up that is sent later than this after the last payable moment shows that a charge has expired. */
const expiredAfterMs = 60_000

/** A look-up that was sent after a charge's last payable moment, and showed no payment. */
interface Sight {
  /** When it was sent by the clock of its process. */
  readonly clockAt: number
  readonly by: string
}

/** What processes saw of unpaid charges at the bank. */
export class Expiries {
  readonly #sights = new Map<string, ReadonlyArray<Sight>>()
  readonly #removed = new Set<string>()
  /** When each company was first swept: charges that expired before are never published. */
  readonly #sweptAt = new Map<string, number>()

  setBack(): void {
    this.#sweptAt.clear()
  }

  recordSweep(issuer: string, now: number): void {
    if (!this.#sweptAt.has(issuer)) this.#sweptAt.set(issuer, now)
  }

  recordAnswer({ method, args, clockAt, caller: by, answer }: Word): void {
    if (method !== "lookup") return
    const { status, payments } = answer as ProcessorView
    const key = chargeKey(args[0] as Charge)
    // It can show payments that were handled as exceptions.
    if (status === "removed") this.#removed.add(key)
    if (status === "completed" || payments.length > 0) return
    this.#sights.set(key, [...(this.#sights.get(key) ?? []), { clockAt, by }])
  }

  /** True if a look-up has shown that the charge is removed at the bank. */
  isSeenRemoved(charge: Charge): boolean {
    return this.#removed.has(chargeKey(charge))
  }

  /** True if a look-up of this process, by default of any, has shown that the charge has expired. */
  hasShown(charge: Charge, payableUntil: number, caller?: string): boolean {
    const sights = this.#sights.get(chargeKey(charge)) ?? []
    return sights.some(
      ({ by, clockAt }) => (caller === undefined || by === caller) && clockAt > payableUntil + expiredAfterMs,
    )
  }

  /** True if the processes must publish the expiry that a look-up has shown. */
  isDue(charge: Charge, payableUntil: number, caller?: string): boolean {
    const sweptAt = this.#sweptAt.get(charge.issuer) ?? Infinity
    return charge.cycle === undefined && payableUntil > sweptAt && this.hasShown(charge, payableUntil, caller)
  }
}
