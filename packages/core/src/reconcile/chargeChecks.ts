import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Charge } from "../charges/rules/Charge.ts"
import { livePart } from "../charges/rules/chargeParts.ts"
import {
  nextPaidCheckAt,
  nextRefundCheckAt,
  paymentChecksEndAt,
  repeatedPaymentCheckAt,
} from "../charges/rules/checkSchedule.ts"
import type { Refund } from "../charges/rules/Refund.ts"
import { safeSpan } from "../runtime/telemetry/index.ts"
import { makeCheckCharge } from "./checkCharge.ts"
import type { CheckJob, DueCheck } from "./DueCheck.ts"
import type { ReconcilerPorts } from "./ReconcilerPorts.ts"

const checks = Metric.counter("pix_reconciler_checks", {
  description: "Charges about which the processor was asked, by what was found",
  incremental: true,
})

/** The refund of a charge that is under way, of all that was paid or of a part. */
const refundUnderWay = (charge: Charge): Refund | undefined =>
  charge._tag === "Refunding" ? charge.refund : livePart(charge)?.refund

/** When the next check is due after one that fails at `now`. */
const retryAt = (charge: Charge, now: number): number => {
  if (charge._tag === "Refunding") return nextRefundCheckAt(charge.refund, now)
  const followedAt = charge._tag === "Paid" ? nextPaidCheckAt(charge, now) : undefined
  return followedAt ?? repeatedPaymentCheckAt(charge, now)
}

/** The checks of charges: unpaid ones about which a sweep can't tell, and refunds without an answer. */
export const chargeChecks = (ports: ReconcilerPorts): CheckJob => {
  const { dueChecks } = ports
  const checkCharge = makeCheckCharge(ports)

  const dueCheck = (charge: Charge): DueCheck => ({
    label: `Charge ${charge.id}`,
    issuer: charge.issuer,
    waitsSince: refundUnderWay(charge)?.requestedAt ?? charge.createdAt,
    ...(charge._tag === "Pending" && { giveUpAt: paymentChecksEndAt(charge) }),
    run: Effect.suspend(() => checkCharge(charge)).pipe(
      Effect.map((after) => after.version !== charge.version),
      safeSpan("pix.charge.reconcile", { "charge.id": charge.id, "charge.state": charge._tag }),
    ),
    retryAt: (now) => retryAt(charge, now),
    reschedule: (checkAt) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        dueChecks.scheduleCharge(charge, checkAt, checkAt === undefined ? { endedAt: now } : {}),
      ),
  })

  return {
    claim: (request) => Effect.map(dueChecks.claimCharges(request), (charges) => charges.map(dueCheck)),
    onFinding: (finding) => Metric.update(Metric.withAttributes(checks, { finding }), 1),
    maxAtOnce: 64,
    idleMs: { firstMs: 1_000, maxMs: 5_000 },
  }
}
