import type { Charge, PaymentException, Refund } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { auditCharge, auditException } from "./audit.ts"
import { findMissingReturns, judgeMovedCharge } from "./chargeWriteRules.ts"
import { checkRules } from "./checkRules.ts"
import type { Checks } from "./Checks.ts"
import type { Deliveries } from "./Deliveries.ts"
import type { StoreCall, Write } from "./describeWrite.ts"
import type { Evidence } from "./Evidence.ts"
import type { Facts } from "./lostFacts.ts"
import type { Looks } from "./Looks.ts"
import { liveParts } from "./money.ts"
import type { Begun, Moves } from "./Moves.ts"
import { chargeKey, paymentKey, shortName } from "./names.ts"
import { type RefundCalls, type StoredRefund, storedRefunds } from "./RefundCalls.ts"
import type { Requests } from "./Requests.ts"
import { judge, type Rule, type Violation } from "./rules.ts"
import type { Standings } from "./Standings.ts"

interface Judging {
  /** Epoch milliseconds. */
  readonly world: { readonly now: number }
  readonly evidence: Evidence
  readonly requests: Requests
  readonly deliveries: Deliveries
  readonly checks: Checks
  readonly looks: Looks
  readonly storeFailedAt: ReadonlyMap<string, number>
  readonly charges: Standings<Charge>
  readonly exceptions: Standings<PaymentException>
  readonly moves: Moves
  readonly refundCalls: RefundCalls
  readonly report: (rule: Rule, what: string) => void
  readonly reportAll: (found: ReadonlyArray<Violation>) => void
}

export class WrittenStates {
  readonly #judging: Judging

  constructor(judging: Judging) {
    this.#judging = judging
  }

  scheduled(call: StoreCall, caller: string): Effect.Effect<void, unknown> {
    const { world, evidence, checks, looks, storeFailedAt, reportAll } = this.#judging
    const { charge, exception } = evidence.books
    const read = call.args[0] as Charge | PaymentException
    const owner: Effect.Effect<Charge | PaymentException | undefined, unknown> =
      "id" in read ? charge(read.issuer, read.id) : exception(read.payment.issuer, read.payment.endToEndId)
    return Effect.map(owner, (of) => {
      if (of === undefined) return
      reportAll(checks.judgeSchedule(call, of))
      const failedAt = storeFailedAt.get(caller) ?? -Infinity
      reportAll(looks.judgeSchedule(call, of, caller, world.now, failedAt))
      reportAll(judge(checkRules, { of, now: world.now }))
    })
  }

  charge(
    { issuer, id }: Pick<Charge, "issuer" | "id">,
    { movedTo, facts }: Pick<Write, "movedTo" | "facts">,
    caller: string,
  ): Effect.Effect<void, unknown> {
    const { world, evidence, requests, deliveries, checks, charges, moves, reportAll } = this.#judging
    return Effect.gen({ self: this }, function* () {
      const charge = yield* evidence.books.charge(issuer, id)
      if (charge === undefined) return
      const { now } = world
      if ("payment" in charge) reportAll(moves.judgePayment(charge, charge.payment.endToEndId, now))
      reportAll(yield* auditCharge(evidence, charge))
      reportAll(requests.judgeCharge(charge))
      deliveries.recordCharge(charge, now)
      checks.charge(charge)
      checks.endLease(chargeKey(charge))
      charges.add(chargeKey(charge), now, charge)
      reportAll(judge(checkRules, { of: charge, now }))
      if (!("payment" in charge)) return
      reportAll(moves.judgeReturns(shortName(charge.txid), charge))
      reportAll(findMissingReturns(charge, facts))
      if (charge.version !== movedTo) return
      this.#storedRefunds(storedRefunds(charge), caller)
      if (charge._tag === "Refunding") this.#checkBegun(charge, charge.refund, charge.payment.amountCents)
      const live = liveParts(charge)
      for (const { refund, amountCents } of live) this.#checkBegun(charge, refund, amountCents)
      reportAll(judgeMovedCharge(charge, live.length))
    })
  }

  #storedRefunds(refunds: ReadonlyArray<StoredRefund>, caller: string): void {
    const { world, evidence, requests, refundCalls, report, reportAll } = this.#judging
    const beside = refundCalls.judgeTogether(refunds, world.now)
    const isKnown = refunds.every(({ payment }) => !requests.hasForgotten(payment.endToEndId))
    if (isKnown) for (const what of beside) report("oneLiveRefund", what)
    for (const refund of refunds) {
      const mayBeForgotten = requests.hasForgotten(refund.payment.endToEndId)
      reportAll(refundCalls.judgeStored(refund, caller, evidence.ledger, world.now, mayBeForgotten))
    }
  }

  exception(issuer: Cnpj, id: string, movedTo: number | undefined, caller: string): Effect.Effect<void, unknown> {
    const { world, evidence, checks, exceptions, moves, reportAll } = this.#judging
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

  /** Judges exceptions whose returns were recorded with a charge. */
  returned({ issuer, returns }: Facts): Effect.Effect<void, unknown> {
    const { world, evidence, exceptions, moves, reportAll } = this.#judging
    const { now } = world
    return Effect.forEach(
      new Set(returns.map(({ endToEndId }) => endToEndId)),
      (id) =>
        Effect.map(evidence.books.exception(issuer, id), (exception) => {
          if (exception === undefined) return
          exceptions.add(paymentKey(exception.payment), now, exception)
          reportAll(moves.judgeReturns(`exception ${shortName(id)} of ${exception.payment.issuer}`, exception))
        }),
      { discard: true },
    )
  }

  #checkBegun(owner: Begun, refund: Refund, amountCents: number): void {
    const { requests, moves, reportAll } = this.#judging
    const wrong = moves.judgeRefund(owner, refund, amountCents)
    if (!requests.hasForgotten(owner.payment.endToEndId)) reportAll(wrong)
  }
}
