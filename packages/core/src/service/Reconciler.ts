import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { Charge, PendingCharge, RefundingCharge } from "../charge/Charge.ts"
import { nextPaymentCheckAt, nextRefundCheckAt } from "../charge/checkSchedule.ts"
import { ProcessorUnavailable } from "../errors.ts"
import { ChargeArchive } from "../ports/ChargeArchive.ts"
import { PaymentProcessor } from "../ports/PaymentProcessor.ts"
import { PixCharges } from "./PixCharges.ts"

const fewestAtOnce = 1
const firstAtOnce = 8
const mostAtOnce = 64
/** So many times what is checked at once is claimed at once. */
const batchesAtOnce = 4
/** A charge whose check fails, or whose process dies with it, comes again after so long. */
const leaseMs = 60_000
const firstIdleMs = 1_000
const longestIdleMs = 5_000
const firstRestMs = 1_000
const longestRestMs = 60_000

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

type Finding = "moved" | "unchanged" | "unanswered" | "failed"

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
 * asks the processor about the charges whose check is due, as many at once as the processor bears. Any number of
 * processes may run one: each charge is checked by one of them.
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
    let atOnce = firstAtOnce
    let askedRestMs = 0

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

    const check = Effect.fnUntraced(function* (charge: Charge) {
      const finding: Finding = yield* checkOne(charge).pipe(
        Effect.map((after) => (after.version === charge.version ? "unchanged" : "moved")),
        // Defects too: an odd answer about one charge must not end the work on all others.
        Effect.catchCause((cause) => {
          const error = Cause.squash(cause)
          return error instanceof ProcessorUnavailable
            ? Effect.sync(() => rest(error.retryAfterMs))
            : Effect.as(Effect.logWarning(`Charge ${charge.id} could not be reconciled`, cause), "failed" as const)
        }),
        Effect.withSpan("pix.charge.reconcile", {
          attributes: { "charge.id": charge.id, "charge.state": charge._tag },
        }),
      )
      yield* Metric.update(checksBy[finding], 1)
      return finding
    })

    /** The processor asked for a pause, or needs one. */
    const rest = (askedMs = 0): "unanswered" => {
      askedRestMs = Math.min(Math.max(askedRestMs, askedMs), longestRestMs)
      return "unanswered"
    }

    const claim = Effect.fnUntraced(function* (limit: number) {
      const now = yield* Clock.currentTimeMillis
      return yield* Effect.catchCause(archive.claimChecks({ now, limit, leaseMs }), (cause) =>
        Effect.as(Effect.logWarning("The charges to check could not be read", cause), []),
      )
    })

    const round = Effect.gen(function* () {
      const limit = atOnce * batchesAtOnce
      const due = yield* claim(limit)
      const findings = yield* Effect.forEach(due, check, { concurrency: atOnce })
      const count = (wanted: Finding) => findings.filter((finding) => finding === wanted).length
      const unanswered = count("unanswered")
      const more = due.length === limit
      // More at once while all is answered, half as many as soon as something is not.
      if (unanswered > 0) atOnce = Math.max(fewestAtOnce, Math.floor(atOnce / 2))
      else if (more) atOnce = Math.min(mostAtOnce, atOnce + firstAtOnce)
      return { checked: due.length, moved: count("moved"), unanswered, more }
    })

    const running = Effect.gen(function* () {
      let idleMs = firstIdleMs
      let restMs = firstRestMs
      for (;;) {
        askedRestMs = 0
        const { checked, unanswered, more } = yield* round
        if (unanswered > 0) {
          yield* Effect.sleep(Math.max(restMs, askedRestMs))
          restMs = Math.min(restMs * 2, longestRestMs)
          continue
        }
        restMs = firstRestMs
        idleMs = checked > 0 ? firstIdleMs : Math.min(idleMs * 2, longestIdleMs)
        if (!more) yield* Effect.sleep(idleMs)
      }
    })

    yield* Effect.forkScoped(running)
    return Reconciler.of({ round })
  })
}
