import type { CancelledBy, Charge, PaymentException, Refund } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { backCents, bankCharge, liveParts, type SettledCharge } from "./money.ts"
import { chargeKey, paymentKey, settlingRank, shortName } from "./names.ts"
import { broken, judge, reportIf, type Violation } from "./rules.ts"
import { auditCharge, auditException } from "./audit.ts"
import { checkRules } from "./Checks.ts"
import type { Facts, StoreCall, Write } from "./describeWrite.ts"
import { findWrongExceptionEvents } from "./eventRules.ts"
import { lastPayableAt } from "./marks.ts"
import { otherAtBank } from "./finalRules.ts"
import type { Begun } from "./Moves.ts"
import { type StoredRefund, storedRefunds } from "./RefundCalls.ts"
import type { Judging } from "./Memory.ts"

const findMissingReturns = ({ id, payment, returns }: SettledCharge, facts?: Facts): ReadonlyArray<Violation> => {
  const its = (facts?.returns ?? []).filter(({ endToEndId }) => endToEndId === payment.endToEndId)
  const missing = its.filter((recorded) => !returns.some((one) => one.id === recorded.id))
  return broken(
    "factsAreRecorded",
    missing.map((recorded) => `the return ${recorded.id} is not in ${shortName(id)}`),
  )
}

/**
 * Judges a charge that has just moved. Its state must follow from its payment and returns, and it must have at most one
 * live refund.
 */
const judgeMoved = ({ id, _tag, payment, returns }: SettledCharge, parts: number): ReadonlyArray<Violation> => {
  const isBack = _tag === "Paid" && parts === 0 && backCents(payment, returns) >= payment.amountCents
  const [name, most] = [shortName(id), _tag === "Paid" ? 1 : 0]
  return [
    ...broken("stateFollowsFromMoney", reportIf(isBack, `${name} becomes Paid, but its whole payment was returned`)),
    ...broken("oneLiveRefund", reportIf(parts > most, `${name} is ${_tag} with ${parts} parts under way`)),
  ]
}

/** A check that failed or was delayed comes again within this time. */
const repeatMs = 2 * 3_600_000

export class WrittenStates {
  readonly #judging: Judging
  /** The payments that were exceptions, also before the store was set back. */
  readonly #knownExceptions = new Set<string>()

  constructor(judging: Judging) {
    this.#judging = judging
  }

  scheduled(call: StoreCall, caller: string): Effect.Effect<void, unknown> {
    const { world, evidence, reportAll, checks, looks, storeFailedAt } = this.#judging
    const { charge, exception } = evidence.books
    const read = call.args[0] as Charge | PaymentException
    const owner: Effect.Effect<Charge | PaymentException | undefined, unknown> =
      "id" in read ? charge(read.issuer, read.id) : exception(read.payment.issuer, read.payment.endToEndId)
    return Effect.flatMap(owner, (of) => {
      if (of === undefined) return Effect.void
      reportAll(checks.judgeSchedule(call, of))
      const failedAt = storeFailedAt.get(caller) ?? -Infinity
      reportAll(looks.judgeSchedule(call, of, caller, world.now, failedAt))
      reportAll(judge(checkRules, { of, now: world.now }))
      const [, checkAt = Infinity] = call.args as readonly [unknown, number?]
      const isChecked = "id" in of && checkAt > world.now + repeatMs && looks.hasChecked(call, of, caller, failedAt)
      if (!isChecked) return Effect.void
      if (checkAt !== Infinity) this.#checkTerms(of, looks.lookedUpAt(caller, of))
      return this.#expiry(of, caller)
    })
  }

  /** The end of a check that has seen the bank's charge: both have the same terms, or the charge is cancelled. */
  #checkTerms(charge: Charge, lookedUpAt = -Infinity): void {
    const { evidence, terms, report } = this.#judging
    if ((bankCharge(evidence, charge)?.changedAt ?? Infinity) >= lookedUpAt) return
    for (const what of otherAtBank(charge, { ...evidence, terms })) report("bankAsksForTerms", what)
  }

  /**
   * An expiry is published once a look-up has shown it, and before the process that looked sets the next check. `checker`
   * is this process, if the charge was checked.
   */
  #expiry(charge: Charge, checker?: string): Effect.Effect<void, unknown> {
    const { evidence, report, expiries } = this.#judging
    const { issuer, id, _tag, txid } = charge
    const endpoints = evidence.endpoints(issuer).filter(({ kinds }) => kinds.includes("expired"))
    if (endpoints.length === 0) return Effect.void
    const payableUntil = lastPayableAt(charge, bankCharge(evidence, charge))
    return Effect.map(evidence.books.deliveries(issuer, id), (deliveries) => {
      const isPublished = deliveries.some(({ event }) => event.kind === "expired")
      const isEarly = isPublished && !expiries.hasShown(charge, payableUntil)
      const isDue = _tag === "Pending" && checker !== undefined && expiries.isDue(charge, payableUntil, checker)
      for (const what of [
        ...reportIf(isEarly, "counts as expired, but no look-up has shown that"),
        ...reportIf(isDue && !isPublished, `has expired as ${checker} saw, but no event reports that`),
      ])
        report("eventForEachTransition", `${shortName(txid)} ${what}`)
    })
  }

  /** Who can have cancelled the charge. */
  #cancelledBy(charge: Charge): ReadonlyArray<CancelledBy> {
    const { evidence, requests, expiries, terms } = this.#judging
    const isContested = terms.isContested(charge) && (bankCharge(evidence, charge)?.revision ?? 0) > 0
    return [
      ...(requests.isCancelRequested(charge.txid) ? (["host"] as const) : []),
      ...(expiries.isSeenRemoved(charge) ? (["bank"] as const) : []),
      ...(isContested ? (["terms"] as const) : []),
    ]
  }

  charge(
    { issuer, id }: Pick<Charge, "issuer" | "id">,
    { movedTo, facts }: Pick<Write, "movedTo" | "facts">,
    caller: string,
  ): Effect.Effect<void, unknown> {
    const { world, evidence, reportAll, requests, deliveries, checks, charges, moves, terms, changes } = this.#judging
    return Effect.gen({ self: this }, function* () {
      const charge = yield* evidence.books.charge(issuer, id)
      if (charge === undefined) return
      const { now } = world
      const isForgotten = requests.hasForgotten(charge.txid)
      if ("payment" in charge) {
        const rankOf = (endToEndId: string) => settlingRank(evidence.ledger.payments.get(endToEndId))
        const rank = rankOf(charge.payment.endToEndId)
        reportAll(moves.judgePayment(charge, now, (before) => isForgotten && rank < rankOf(before)))
      }
      const known = {
        cancelledBy: this.#cancelledBy(charge),
        isForgotten,
        wasUnseen: changes.wasUnseen(charge),
      }
      reportAll(yield* auditCharge(evidence, charge, known))
      const seen = { bank: bankCharge(evidence, charge), isContested: terms.isContested(charge) }
      reportAll(broken("termsStay", changes.rows.judge(charge, seen)))
      reportAll(requests.judgeCharge(charge))
      deliveries.recordCharge(charge, now)
      checks.charge(charge)
      checks.endLease(chargeKey(charge))
      charges.add(chargeKey(charge), now, charge)
      reportAll(judge(checkRules, { of: charge, now }))
      yield* this.#expiry(charge)
      if (!("payment" in charge)) return
      reportAll(moves.judgeReturns(shortName(charge.txid), charge))
      reportAll(findMissingReturns(charge, facts))
      if (charge.version !== movedTo) return
      this.#storedRefunds(storedRefunds(charge), caller)
      if (charge._tag === "Refunding") this.#checkBegun(charge, charge.refund, charge.payment.amountCents)
      const live = liveParts(charge)
      for (const { refund, amountCents } of live) this.#checkBegun(charge, refund, amountCents)
      reportAll(judgeMoved(charge, live.length))
    })
  }

  #storedRefunds(refunds: ReadonlyArray<StoredRefund>, caller: string): void {
    const { world, evidence, report, reportAll, requests, refundCalls } = this.#judging
    const beside = refundCalls.judgeTogether(refunds, world.now)
    const isKnown = refunds.every(({ payment }) => !requests.hasForgotten(payment.endToEndId))
    if (isKnown) for (const what of beside) report("oneLiveRefund", what)
    for (const refund of refunds) {
      const mayBeForgotten = requests.hasForgotten(refund.payment.endToEndId)
      reportAll(refundCalls.judgeStored(refund, caller, evidence.ledger, world.now, mayBeForgotten))
    }
  }

  exception(issuer: Cnpj, id: string, movedTo: number | undefined, caller: string): Effect.Effect<void, unknown> {
    const { world, evidence, reportAll, checks, exceptions, moves } = this.#judging
    return Effect.map(evidence.books.exception(issuer, id), (exception) => {
      if (exception === undefined) return
      reportAll(auditException(evidence, exception))
      const { payment, state, version } = exception
      const { now } = world
      checks.exception(exception)
      checks.endLease(paymentKey({ issuer, endToEndId: id }))
      exceptions.add(paymentKey(exception.payment), now, exception)
      reportAll(judge(checkRules, { of: exception, now }))
      reportAll(moves.judgeReturns(`exception ${shortName(id)} of ${exception.payment.issuer}`, exception))
      if (version !== movedTo) return
      this.#storedRefunds(storedRefunds(exception), caller)
      if (state._tag === "Refunding") this.#checkBegun(exception, state.refund, payment.amountCents)
    })
  }

  /** Judges the exceptions whose payments or returns were recorded, with a charge or without one. */
  recorded({ issuer, payments, returns }: Facts): Effect.Effect<void, unknown> {
    const ids = new Set([...payments, ...returns].map(({ endToEndId }) => endToEndId))
    return Effect.forEach(ids, (id) => this.#recorded(issuer, id), { discard: true })
  }

  #recorded(issuer: Cnpj, endToEndId: string): Effect.Effect<void, unknown> {
    const { world, evidence, report, reportAll, exceptions, moves } = this.#judging
    const { books } = evidence
    const endpoints = evidence.endpoints(issuer)
    const known = this.#knownExceptions
    return Effect.gen(function* () {
      const exception = yield* books.exception(issuer, endToEndId)
      const deliveries = yield* books.deliveries(issuer)
      if (exception === undefined) {
        const isInvented =
          !known.has(paymentKey({ issuer, endToEndId })) &&
          deliveries.some(({ event }) => "exception" in event && event.exception.endToEndId === endToEndId)
        return reportIf(
          isInvented,
          `${shortName(endToEndId)} is published as an exception, but settles its charge`,
        ).forEach((what) => report("eventForEachTransition", what))
      }
      exceptions.add(paymentKey(exception.payment), world.now, exception)
      known.add(paymentKey(exception.payment))
      reportAll(moves.judgeReturns(`exception ${shortName(endToEndId)} of ${issuer}`, exception))
      for (const what of findWrongExceptionEvents({ exception, deliveries, endpoints }))
        report("eventForEachTransition", what)
    })
  }

  #checkBegun(owner: Begun, refund: Refund, amountCents: number): void {
    const { moves, requests, reportAll } = this.#judging
    const wrong = moves.judgeRefund(owner, refund, amountCents)
    if (!requests.hasForgotten(owner.payment.endToEndId)) reportAll(wrong)
  }
}
