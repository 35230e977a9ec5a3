import type { ChargeOrder, PaymentPage, PaymentSearch, Period, ProcessorView, RefundOrder } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment, ReturnOrder } from "@pixcharge/simulated-bank"
import type { Charge, RefundOutcome } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type { Ask, Word } from "./Evidence.ts"
import type { SettledCharge } from "./money.ts"
import { shortName } from "./names.ts"
import { processorRules, type SeenWord } from "./processorRules.ts"
import { orderRules } from "./ownerRules.ts"
import { judge } from "./rules.ts"
import type { Judging } from "./Memory.ts"

/**
 * How long before its request a list can end. Banks date and list by the second, the bank's clock is known within 5 s,
 * and the answer that showed the clock took up to 3.5 s.
 */
export const unlistedMs = 12_000

interface Walk {
  /** Epoch milliseconds. */
  readonly since: number
  readonly listed: ReadonlySet<string>
  readonly isWhole: boolean
}

/** Judges that the pages of a list have all of its payments. */
export class ListWalks {
  readonly #walks = new Map<string, Walk>()

  missing({
    ledger,
    accounts,
    listsAfterMs,
    requestedAt: askedAt,
    args,
    answer,
    failure,
  }: SeenWord): ReadonlyArray<string> {
    if (failure !== undefined) return []
    const [issuer, search, cursor] = args as readonly [Cnpj, PaymentSearch, string?]
    const { items, cursor: next, unreadable = 0 } = answer as PaymentPage
    const name = `${issuer} ${JSON.stringify(search)}`
    const none: Walk = { since: askedAt, listed: new Set(), isWhole: true }
    const before = cursor === undefined ? none : this.#walks.get(`${name} ${cursor}`)
    if (before === undefined) return []
    const listed = new Set([...before.listed, ...items.map(({ endToEndId }) => endToEndId)])
    const isWhole = before.isWhole && unreadable === 0
    if (next !== undefined) this.#walks.set(`${name} ${next}`, { since: before.since, listed, isWhole })
    if (next !== undefined || !isWhole) return []
    const { from, until, isReturned } = search
    const isRequested = ({ issuer: of, paidAt, returns }: LedgerPayment): boolean =>
      of === accounts.holder(issuer) &&
      paidAt >= from &&
      paidAt < Math.min(until, before.since - listsAfterMs - unlistedMs) &&
      (isReturned !== true || returns.some(({ status, changedAt }) => status !== "making" && changedAt < before.since))
    return [...ledger.payments.values()]
      .filter((payment) => isRequested(payment) && !listed.has(payment.endToEndId))
      .map(({ endToEndId }) => `${shortName(endToEndId)} is missing from the pages of its list`)
  }
}

/** The settling payment of a charge whose key is now another company's: its refund is refused. */
const findRefusedByKey = ({ method, args: [charge], answer, accounts }: SeenWord): string | undefined => {
  if (method !== "lookup" || !("payment" in (charge as Charge))) return undefined
  const { issuer, payment } = charge as SettledCharge
  return accounts.isKeyOfAnother(issuer, (answer as ProcessorView).pixKey) ? payment.endToEndId : undefined
}

/** A minute, the clocks' difference and the time of a store call. */
const removalMs = 135_000
const usualWays = { creationAheadMs: 0, paymentsInCharges: true }

/** Judges the processes' calls to the bank, and the answers of their processors. */
export class ProcessorCalls {
  readonly #judging: Judging
  readonly #lists = new ListWalks()
  /** When a refund was requested that its processor reported as refused, and when it did: by process and refund. */
  readonly #refused = new Map<string, Period>()
  /** When the last call of a refund arrived, by process and refund. */
  readonly #arrivals = new Map<string, number>()

  constructor(judging: Judging) {
    this.#judging = judging
  }

  readonly begin = (ask: Ask): void => {
    const { world, evidence, requests, looks, refundCalls, report, reportAll } = this.#judging
    looks.begin(ask)
    const { ledger, accounts } = evidence
    const order = ask.args[0] as RefundOrder
    const lookedAfter = refundCalls.findLooked(ask.caller, order)
    const hidesKey = refundCalls.hidesKey(ask.caller, order)
    reportAll(judge(orderRules, { ...ask, ledger, accounts, now: world.now, lookedAfter, hidesKey }))
    if (ask.method === "cancel") this.#judgeRemoval(ask.args[0] as Charge)
    if (ask.method === "change") this.#judgeSending(ask)
    if (ask.method !== "refund") return
    const wrong = refundCalls.judgeCall(order, world.now)
    if (!requests.hasForgotten(order.endToEndId)) for (const what of wrong) report("refusalsAreFinal", what)
  }

  readonly end = (word: Word): void => {
    const { world, evidence, report, reportAll, looks, refundCalls, expiries, comparisons, changes } = this.#judging
    const { ledger, accounts, listsAfterMs, ways = usualWays } = evidence
    const { now } = world
    const arrivedAt = this.#findArrival(word)
    const seen: SeenWord = { ...word, ledger, accounts, listsAfterMs, ways, now, ...(arrivedAt && { arrivedAt }) }
    looks.end(word, word.failure === undefined, now)
    changes.recordAnswer(word, now)
    if (word.failure === undefined) {
      refundCalls.recordAnswer(word)
      const refusedId = findRefusedByKey(seen)
      if (refusedId !== undefined) refundCalls.recordShown(word.caller, refusedId, word.requestedAt)
      expiries.recordAnswer(word)
    }
    if (word.method === "payments" && word.failure === undefined) {
      const [issuer, search, cursor] = word.args as readonly [Cnpj, PaymentSearch, string?]
      comparisons.read(issuer, search, cursor, word.answer as PaymentPage)
    }
    reportAll(judge(processorRules, seen))
    if (word.method === "payments") for (const what of this.#lists.missing(seen)) report("bankIsQuoted", what)
    this.#recordRefusal(seen)
  }

  #findArrival({ method, args, caller, requestedAt }: Word): number | undefined {
    if (method !== "refund") return undefined
    const arrivedAt = this.#arrivals.get(`${caller} ${(args[0] as RefundOrder).refundId}`)
    return arrivedAt !== undefined && arrivedAt >= requestedAt ? arrivedAt : undefined
  }

  #recordRefusal({ ledger, caller, method, args, answer, isAlone, requestedAt, now }: SeenWord): void {
    if (method !== "refund" || !isAlone || (answer as RefundOutcome | undefined)?._tag !== "Rejected") return
    const { endToEndId, refundId } = args[0] as RefundOrder
    const isOnRecord = ledger.payments.get(endToEndId)?.returns.some(({ id }) => id === refundId) === true
    if (!isOnRecord) this.#refused.set(`${caller} ${refundId}`, { from: requestedAt, until: now })
  }

  #judgeSending(ask: Ask): void {
    const { world, changes, report } = this.#judging
    const { sendings } = changes
    for (const what of sendings.judge(ask)) report("termsStay", what)
    const { txid } = ask.args[0] as ChargeOrder
    if (sendings.resumes(ask)) world.note(ask.caller, `resumes the change of ${shortName(txid)}`)
  }

  /** If its process dies, a check finds the removal within minutes (decision 43). */
  #judgeRemoval({ issuer, id, txid }: Charge): void {
    const { world, evidence, read, report } = this.#judging
    const find = Effect.map(evidence.books.charge(issuer, id), (charge) => {
      const isLate = charge?._tag === "Pending" && (charge.checkAt ?? Infinity) > world.now + removalMs
      if (isLate) report("checksKeepTheirTime", `${shortName(txid)} is removed at the bank, and not checked soon`)
    })
    read(find)
  }

  /** Judges a return call that arrives at the bank. It must not arrive after its processor reported it as refused. */
  readonly arrive = ({ name }: { readonly name: string }, id: string, sentAt: number): void => {
    this.#arrivals.set(`${name} ${id}`, this.#judging.world.now)
    const { from, until } = this.#refused.get(`${name} ${id}`) ?? { from: Infinity, until: 0 }
    if (sentAt < from || sentAt > until) return
    this.#judging.report("bankIsQuoted", `${id} was reported as refused by ${name}, but its call arrives only now`)
  }

  readonly judgeReturnOrder = (payment: LedgerPayment, order: ReturnOrder): void =>
    this.#judging.reportAll(this.#judging.requests.judgeOrder(payment, order, this.#findTwins(payment)))

  #findTwins({ issuer, txid, endToEndId }: LedgerPayment): ReadonlyArray<LedgerPayment> {
    if (txid === undefined) return []
    const all = [...this.#judging.evidence.ledger.payments.values()]
    return all.filter((one) => one.issuer === issuer && one.txid === txid && one.endToEndId !== endToEndId)
  }
}
