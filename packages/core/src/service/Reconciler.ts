import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Semaphore from "effect/Semaphore"
import type { Charge } from "../charge/Charge.ts"
import {
  deferredCheckAt,
  nextRefundCheckAt,
  paymentChecksEndAt,
  repeatedPaymentCheckAt,
} from "../charge/checkSchedule.ts"
import {
  CompanyNotFound,
  type DirectoryUnavailable,
  type ProcessorUnavailable,
  type StoreUnavailable,
} from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import { DueChecks } from "../ports/DueChecks.ts"
import type { Period } from "../page/Period.ts"
import { PaymentProcessor } from "../ports/PaymentProcessor.ts"
import { Reconciliations } from "../ports/Reconciliations.ts"
import { survive } from "./survive.ts"
import { PixCharges } from "./PixCharges.ts"
import { makeCheckCharge } from "./reconcile/checkCharge.ts"
import { makeDailyReconciliation } from "./reconcile/dailyReconciliation.ts"
import { type Finding, makeFollowUp } from "./reconcile/followUp.ts"
import { makeReconcilePeriod, type ReconciledPeriod } from "./reconcile/reconcilePeriod.ts"
import { makeRecordPage } from "./reconcile/recordPage.ts"
import { storableProcessor } from "./storableProcessor.ts"

/** What a round of checks came to. */
export interface ReconciledRound {
  readonly checked: number
  /** Charges that moved: a payment or return that was missed, a refund that ended. */
  readonly moved: number
  /** Checks that the processor did not answer. */
  readonly unanswered: number
  /** More may be due already. */
  readonly more: boolean
}

const checks = Metric.counter("pix_reconciler_checks", {
  description: "Charges about which the processor was asked, by what was found",
  incremental: true,
})

const checksBy: Readonly<Record<Finding, Metric.Counter<number>>> = {
  moved: Metric.withAttributes(checks, { finding: "moved" }),
  unchanged: Metric.withAttributes(checks, { finding: "unchanged" }),
  unanswered: Metric.withAttributes(checks, { finding: "unanswered" }),
  failed: Metric.withAttributes(checks, { finding: "failed" }),
}

/** Companies that one process compares with their banks' lists at once: a list that is slow delays few others. */
const mostReconciled = 4
/** How often a process looks whether a company's turn has come. */
const turnMs = 60_000
/** Companies that one call of `round` compares. */
const reconciledARound = 16

/** How comparing a period can fail. */
export type ReconcileError = CompanyNotFound | ProcessorUnavailable | StoreUnavailable | DirectoryUnavailable

/**
 * Finds what was not told: payments whose notice was lost, refunds whose answer is out, money that the bank gave back.
 *
 * As long as its layer lives it asks the processor about the charges whose check is due: 64 at once at most, and of each
 * company as many as its bank bears, so that one that is down delays nobody else's. Once a day it compares each company's
 * books with the payments that its bank lists. Any number of processes may run one: each charge is checked, and each
 * company compared, by one of them.
 */
export class Reconciler extends Context.Service<
  Reconciler,
  {
    /** Does what is due now, one batch of it. The layer does so by itself; a host without background work calls it. */
    readonly round: Effect.Effect<ReconciledRound>
    /**
     * Compares the payments that the processor lists for a period, with their returns, with the books, and records what is
     * missing: after a restore from a backup, or when a bank reports a loss of notices. May be repeated without harm.
     */
    readonly reconcile: (issuer: Cnpj, period: Period) => Effect.Effect<ReconciledPeriod, ReconcileError>
  }
>()("@pixcharge/core/service/Reconciler") {
  static readonly layer = Layer.effect(Reconciler, Effect.suspend(make))
}

function make() {
  return Effect.gen(function* () {
    const dueChecks = yield* DueChecks
    const processor = storableProcessor(yield* PaymentProcessor)
    const charges = yield* PixCharges
    const directory = yield* CompanyDirectory
    const recordPage = makeRecordPage({ processor, directory, charges })

    const checkCharge = makeCheckCharge({ dueChecks, processor, directory, charges })

    const followUp = yield* makeFollowUp<Charge>({
      nameOf: ({ id }) => `Charge ${id}`,
      issuerOf: ({ issuer }) => issuer,
      claim: (request) => dueChecks.claimCharges(request),
      ask: (charge) =>
        checkCharge(charge).pipe(
          Effect.map((after) => after.version !== charge.version),
          Effect.withSpan("pix.charge.reconcile", {
            attributes: { "charge.id": charge.id, "charge.state": charge._tag },
          }),
        ),
      schedule: (charge, checkAt) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          dueChecks.scheduleCharge(charge, checkAt, checkAt === undefined ? now : undefined),
        ),
      deferredAt: (charge, now) =>
        deferredCheckAt(charge._tag === "Refunding" ? charge.refund.requestedAt : charge.createdAt, now),
      repeatedAt: (charge, now) =>
        charge._tag === "Refunding" ? nextRefundCheckAt(charge.refund, now) : repeatedPaymentCheckAt(charge, now),
      isOver: (charge, now) => charge._tag === "Pending" && now >= paymentChecksEndAt(charge),
      onFinding: (finding) => Metric.update(checksBy[finding], 1),
      mostAtOnce: 64,
      idleMs: { first: 1_000, longest: 5_000 },
    })

    const daily = makeDailyReconciliation(yield* Reconciliations, recordPage)
    const places = Semaphore.makeUnsafe(mostReconciled)
    const reconciling = Effect.gen(function* () {
      yield* places.take(1)
      const claimed = yield* daily.claim
      if (claimed !== undefined) {
        return yield* Effect.forkScoped(Effect.ensuring(daily.carryOn(claimed), places.release(1)))
      }
      yield* places.release(1)
      return yield* Effect.sleep(turnMs)
    })
    // Not while the host starts.
    yield* Effect.forkScoped(Effect.andThen(Effect.sleep(turnMs), Effect.forever(reconciling)))

    const reconcileDue = Effect.gen(function* () {
      for (let companies = 0; companies < reconciledARound; companies++) {
        const claimed = yield* daily.claim
        if (claimed === undefined) return false
        yield* daily.carryOn(claimed)
      }
      return true
    })

    const checkDue = Effect.map(followUp.round, ({ findings, more }): ReconciledRound => {
      const count = (wanted: Finding) => findings.filter((finding) => finding === wanted).length
      return { checked: findings.length, moved: count("moved"), unanswered: count("unanswered"), more }
    })
    const nothing: ReconciledRound = { checked: 0, moved: 0, unanswered: 0, more: false }

    const round = Effect.gen(function* () {
      const checked = (yield* survive("The charges to check could not be read")(checkDue)) ?? nothing
      const more = yield* reconcileDue
      return { ...checked, more: checked.more || more }
    })

    const reconcilePeriod = makeReconcilePeriod(recordPage)
    const reconcile = Effect.fnUntraced(function* (issuer: Cnpj, period: Period) {
      if ((yield* directory.find(issuer)) === undefined) return yield* new CompanyNotFound({ issuer })
      return yield* reconcilePeriod(issuer, period)
    })

    return Reconciler.of({ round, reconcile })
  })
}
