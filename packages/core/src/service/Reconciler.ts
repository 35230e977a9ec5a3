import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { Charge, PendingCharge, RefundingCharge } from "../charge/Charge.ts"
import {
  deferredCheckAt,
  nextPaymentCheckAt,
  nextRefundCheckAt,
  paymentChecksEndAt,
  repeatedPaymentCheckAt,
} from "../charge/checkSchedule.ts"
import { ChargeArchive } from "../ports/ChargeArchive.ts"
import { PaymentProcessor } from "../ports/PaymentProcessor.ts"
import { survive } from "./survive.ts"
import { PixCharges } from "./PixCharges.ts"
import { type Finding, makeFollowUp } from "./reconcile/followUp.ts"

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

/**
 * Finds what was not told: payments whose notice was lost, and refunds whose answer is out. As long as its layer lives it
 * asks the processor about the charges whose check is due: 64 at once at most, and of each company as many as its bank
 * bears, so that one that is down delays nobody else's. Any number of processes may run one: each charge is checked by
 * one of them.
 */
export class Reconciler extends Context.Service<
  Reconciler,
  {
    /** Checks what is due now, one batch of it. The layer does so by itself; a host without background work calls it. */
    readonly round: Effect.Effect<ReconciledRound>
  }
>()("@pixcharge/core/service/Reconciler") {
  static readonly layer = Layer.effect(Reconciler, Effect.suspend(make))
}

function make() {
  return Effect.gen(function* () {
    const archive = yield* ChargeArchive
    const processor = yield* PaymentProcessor
    const charges = yield* PixCharges

    const checkPending = Effect.fnUntraced(function* (charge: PendingCharge) {
      const after = yield* charges.absorb(charge, yield* processor.lookup(charge))
      if (after._tag === "Pending") {
        yield* archive.scheduleCheck(after, nextPaymentCheckAt(after, yield* Clock.currentTimeMillis))
      }
      return after
    })

    const checkRefunding = Effect.fnUntraced(function* (charge: RefundingCharge) {
      // A refund that was not carried out is an end, too.
      const after = yield* Effect.catchTag(charges.resumeRefund(charge), "RefundRejected", () =>
        charges.find(charge.issuer, charge.id),
      )
      if (after._tag === "Refunding") {
        yield* archive.scheduleCheck(after, nextRefundCheckAt(after.refund, yield* Clock.currentTimeMillis))
      }
      return after
    })

    const checkOne = (charge: Charge) => {
      switch (charge._tag) {
        case "Pending":
          return checkPending(charge)
        case "Refunding":
          return checkRefunding(charge)
        default:
          return Effect.as(archive.scheduleCheck(charge, undefined), charge)
      }
    }

    const followUp = yield* makeFollowUp<Charge>({
      nameOf: ({ id }) => `Charge ${id}`,
      issuerOf: ({ issuer }) => issuer,
      claim: (request) => archive.claimChecks(request),
      ask: (charge) =>
        checkOne(charge).pipe(
          Effect.map((after) => after.version !== charge.version),
          Effect.withSpan("pix.charge.reconcile", {
            attributes: { "charge.id": charge.id, "charge.state": charge._tag },
          }),
        ),
      schedule: archive.scheduleCheck,
      deferredAt: (charge, now) =>
        deferredCheckAt(charge._tag === "Refunding" ? charge.refund.requestedAt : charge.createdAt, now),
      repeatedAt: (charge, now) =>
        charge._tag === "Refunding" ? nextRefundCheckAt(charge.refund, now) : repeatedPaymentCheckAt(charge, now),
      isOver: (charge, now) => charge._tag === "Pending" && now >= paymentChecksEndAt(charge),
      onFinding: (finding) => Metric.update(checksBy[finding], 1),
      mostAtOnce: 64,
      idleMs: { first: 1_000, longest: 5_000 },
    })

    const round = Effect.map(followUp.round, ({ findings, more }) => {
      const count = (wanted: Finding) => findings.filter((finding) => finding === wanted).length
      return { checked: findings.length, moved: count("moved"), unanswered: count("unanswered"), more }
    })
    const nothing: ReconciledRound = { checked: 0, moved: 0, unanswered: 0, more: false }

    return Reconciler.of({
      round: Effect.map(survive("The charges to check could not be read")(round), (done) => done ?? nothing),
    })
  })
}
