import type { MadeCheck, RefundOrder } from "@pixcharge/core"
import type { Charge, PaymentException } from "@pixcharge/core/charges"
import { refundSince } from "./checkRules.ts"
import type { StoreCall } from "./describeWrite.ts"
import { shortName } from "./names.ts"
import { type Violation, reportIf } from "./rules.ts"

/** For so long at least a check is put off that was not begun, because its bank is to rest or has no answer; clocks differ. */
const restMs = 125_000
/** The check may have been claimed again while its answer is written: a call of the store takes less. */
const storeMs = 10_000
/** Checks that fail are given up so long after their charge's watch, less a day. */
const givenUpMs = 29 * 86_400_000

type Owner = Charge | PaymentException

/** What a process asks its bank, at a moment and by its own clock. Epoch milliseconds. */
export interface Ask {
  readonly caller: string
  readonly method: string
  readonly args: ReadonlyArray<unknown>
  readonly askedAt: number
  readonly clockAt: number
}

/** Who has claimed a check, when, and what time it is now. */
interface Claim {
  readonly caller: string
  readonly claimedAt: number
  readonly now: number
}

/** Charges and payments about which the bank can be asked: a txid, or an endToEndId. */
const askedKey = ({ method, args: [about] }: Ask): string => {
  if (method === "lookup") return (about as Charge).txid
  return method === "refund" || method === "lookupRefund" ? (about as RefundOrder).endToEndId : ""
}

/** Which process has asked the bank about what it has claimed the check of, and what it knew of that check. */
export class Looks {
  /** By process and charge or payment: what was asked last, and the last that was answered. */
  readonly #asked = new Map<string, Ask>()
  readonly #answered = new Map<string, Ask>()
  /** By process and charge or exception: when its check was claimed. */
  readonly #claimedAt = new Map<string, number>()

  setBack(): void {
    this.#claimedAt.clear()
  }

  readonly begin = (ask: Ask): void => {
    const key = `${ask.caller} ${askedKey(ask)}`
    this.#asked.set(key, ask)
  }

  /** It was answered, or given up: who waits so long may claim the check again meanwhile. */
  readonly end = (ask: Ask, isAnswered: boolean, now: number): void => {
    const key = `${ask.caller} ${askedKey(ask)}`
    if (isAnswered) this.#answered.set(key, ask)
    else this.#asked.set(key, { ...ask, askedAt: now })
  }

  /** A call of the store was carried out. */
  recordClaims({ port, method, answer }: StoreCall, caller: string, now: number): void {
    if (port !== "checks" || !method.startsWith("claim")) return
    for (const one of answer as ReadonlyArray<Owner>) this.#claimedAt.set(`${caller} ${ownerId(one)}`, now)
  }

  /** What is wrong with a check that a process has set, whose calls of the store failed last at a moment. */
  judgeSchedule(
    { args }: StoreCall,
    after: Owner,
    caller: string,
    now: number,
    failedAt: number,
  ): ReadonlyArray<Violation> {
    const [read, checkAt, made] = args as readonly [Owner, number?, MadeCheck?]
    const id = ownerId(read)
    const isApplied = ("state" in after ? true : after.checkAt === checkAt) && after.version === read.version
    const claimedAt = this.#claimedAt.get(`${caller} ${id}`)
    if (!isApplied || claimedAt === undefined || failedAt >= claimedAt) return []
    const isPending = "id" in after && after._tag === "Pending"
    const by = { caller, now, claimedAt }
    const isEnd = made?.endedAt !== undefined
    return (isPending ? this.#pending(after, by, isEnd) : this.#waiting(after, by, checkAt)).map((what): Violation => ({
      rule: "checksKeepTheirTime",
      what,
    }))
  }

  /** An unpaid charge is looked at once its watch is over. */
  #pending({ id, txid, watchUntil }: Charge, { caller, now }: Claim, isEnd: boolean): ReadonlyArray<string> {
    const look = this.#answered.get(`${caller} ${txid}`)
    return reportIf(
      isEnd && now < watchUntil + givenUpMs && (look === undefined || look.clockAt < watchUntil),
      `the last look at ${shortName(id)} came before its watch ended`,
    )
  }

  /** Of what may go back the bank is asked at each check; one that is not begun is put off by a 32nd of its age. */
  #waiting(owner: Owner, { caller, now, claimedAt }: Claim, checkAt: number | undefined): ReadonlyArray<string> {
    const since = waitsSince(owner, now)
    const isPutOff = since !== undefined && (checkAt ?? Infinity) > now + restMs + (now - since) / 32
    const about = ["txid" in owner ? owner.txid : "", "payment" in owner ? owner.payment.endToEndId : ""]
    const isAsked = about.some(
      (key) => (this.#asked.get(`${caller} ${key}`)?.askedAt ?? -Infinity) > claimedAt - storeMs,
    )
    return reportIf(
      isPutOff && !isAsked,
      `the check of ${shortName(ownerId(owner))} is put off, and the bank was not asked`,
    )
  }
}

/** Since when something waits for the bank that may go back; of a charge since it was made. */
const waitsSince = (owner: Owner, now: number): number | undefined => {
  if ("state" in owner) return owner.state._tag === "Refunding" ? owner.state.refund.requestedAt : undefined
  return refundSince(owner, now) === undefined ? undefined : owner.createdAt
}

const ownerId = (owner: Owner): string => ("id" in owner ? owner.id : owner.payment.endToEndId)
