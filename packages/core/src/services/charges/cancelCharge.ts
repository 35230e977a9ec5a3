import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import { ProcessorRejected } from "../../ports/portErrors.ts"
import type { ChargeMoves } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import type { ApplyView } from "./applyView.ts"
import { makeIsKeyOfAnother } from "./findReceivers.ts"
import type { PendingCharge } from "../../model/charge/Charge.ts"
import { CancelTooLate, isCancellable } from "../../model/cycle/Debit.ts"
import { ChargeAlreadyPaid } from "../../model/charge/chargeErrors.ts"
import type { ChargeId } from "../../model/charge/ChargeId.ts"

/** Longer than a processor's answer takes. */
const removalCheckMs = 60_000

const cancelled = { _tag: "Cancelled" } as const

/** Cancels a charge at its processor, and then in the books. */
export const makeCancel = (
  { checks, processor, recurrences, directory }: ChargePorts,
  moves: ChargeMoves,
  applyView: ApplyView["applyView"],
) => {
  const isKeyOfAnother = makeIsKeyOfAnother({ directory })

  /**
   * How a charge has ended whose key another company has now: nothing is sent for it. Undefined of our own. Fails where the
   * processor's charge is another one, or still pays another company: it stays.
   */
  const findEnd = Effect.fnUntraced(function* (charge: PendingCharge) {
    const view = yield* processor.lookup(charge)
    const paysAnother = yield* isKeyOfAnother(charge.issuer, view.pixKey)
    if (view.isOfAnother !== true) {
      if (!paysAnother) return undefined
      if (view.status === "removed") return view.payments.length === 0 ? cancelled : ({ _tag: "Paid", view } as const)
    }
    const reason = Redacted.make("the charge under the txid is another one")
    return yield* new ProcessorRejected({ operation: "cancel", reason })
  })

  const scheduleRemovalCheck = Effect.fnUntraced(function* (charge: PendingCharge, now: number) {
    const { issuer, cycle } = charge
    if (cycle === undefined) return yield* checks.scheduleCharge(charge, now + removalCheckMs)
    if (!isCancellable(charge, now)) return yield* new CancelTooLate({ issuer, chargeId: charge.id })
    yield* recurrences.schedule(issuer, cycle.recurrenceId, now + removalCheckMs)
  })

  /** Removes an unpaid charge at the processor, whose view of it is recorded; fails where that calls it paid. */
  const remove = Effect.fnUntraced(function* (charge: PendingCharge) {
    const end = yield* findEnd(charge)
    // The check finds a removal that reached the processor and not our books: nobody must be shown the dead code. A check that
    // was due sooner moves, because before the removal it would find nothing.
    yield* scheduleRemovalCheck(charge, yield* Clock.currentTimeMillis)
    const outcome = end ?? (yield* processor.cancel(charge))
    if (outcome._tag !== "Paid") return
    const after = yield* applyView(charge, outcome.view)
    const { status, payments } = outcome.view
    // The processor has removed it, and its payments are exceptions: it can't be paid any more.
    const isGone = !("payment" in after) && status === "removed" && payments.length > 0
    // Otherwise what the processor calls paid is not ours to cancel, even if it shows no payment.
    if (!isGone) return yield* new ChargeAlreadyPaid({ issuer: charge.issuer, id: charge.id })
  })

  return Effect.fnUntraced(function* (issuer: Cnpj, id: ChargeId) {
    const charge = yield* moves.load({ issuer, id })
    if (charge._tag === "Pending") yield* remove(charge)
    const audit = yield* ifNamed({ kind: "chargeCancelled", chargeId: id } as const)
    const after = yield* moves.apply(yield* moves.load(charge), { _tag: "Cancel" }, audit)
    return after._tag === "Cancelled" ? after : yield* new ChargeAlreadyPaid({ issuer, id })
  })
}
