import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { currentActor, ifNamed } from "../../ports/AuditLog.ts"
import { ProcessorRejected } from "../../ports/portErrors.ts"
import { ChargeMoves } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { isKeyOfAnother } from "./Receivers.ts"
import { Booking } from "./Booking.ts"
import type { CancelledBy, PendingCharge } from "../../model/charge/Charge.ts"
import { CancelTooLate, isCancellable } from "../../model/cycle/Debit.ts"
import { ChargeAlreadyPaid } from "../../model/charge/chargeErrors.ts"
import type { ChargeId } from "../../model/charge/ChargeId.ts"
import { removalCheckMs } from "../../model/charge/decide.ts"

const cancelled = { _tag: "Cancelled" } as const

export class Cancelling {
  readonly #ports: ChargePorts
  readonly #moves: ChargeMoves
  readonly #booking: Booking

  constructor(ports: ChargePorts) {
    this.#ports = ports
    this.#moves = new ChargeMoves(ports)
    this.#booking = new Booking(ports)
  }

  readonly cancel = Effect.fnUntraced({ self: this }, function* (issuer: Cnpj, id: ChargeId, cause?: CancelledBy) {
    const charge = yield* this.#moves.load({ issuer, id })
    const by = cause ?? ((yield* currentActor) === undefined ? "host" : "portal")
    if (charge._tag === "Pending") yield* this.#remove(charge)
    const audit = yield* ifNamed({ kind: "chargeCancelled", chargeId: id } as const)
    const after = yield* this.#moves.apply(yield* this.#moves.load(charge), { _tag: "Cancel", by }, audit)
    return after._tag === "Cancelled" ? after : yield* new ChargeAlreadyPaid({ issuer, id })
  })

  readonly #remove = Effect.fnUntraced({ self: this }, function* (charge: PendingCharge) {
    const end = yield* this.#findEnd(charge)
    yield* this.#scheduleCheck(charge, yield* Clock.currentTimeMillis)
    const outcome = end ?? (yield* this.#ports.processor.cancel(charge))
    if (outcome._tag !== "Paid") return
    const after = yield* this.#booking.applyView(charge, outcome.view)
    const { status, payments } = outcome.view
    // The processor has removed the charge.
    const isGone = !("payment" in after) && status === "removed" && payments.length > 0
    // The processor reports a paid charge, even if it shows no payment.
    if (!isGone) return yield* new ChargeAlreadyPaid({ issuer: charge.issuer, id: charge.id })
  })

  /**
   * How the charge ended if another company now has its key: we must not send anything for it. Undefined for our own key. Fails
   * if the txid names another charge, or if the charge still pays another company.
   */
  readonly #findEnd = Effect.fnUntraced({ self: this }, function* (charge: PendingCharge) {
    const { processor, directory } = this.#ports
    const view = yield* processor.lookup(charge)
    const paysAnother = yield* isKeyOfAnother(directory, charge.issuer, view.pixKey)
    if (view.isOfAnother !== true) {
      if (!paysAnother) return undefined
      if (view.status === "removed") return view.payments.length === 0 ? cancelled : ({ _tag: "Paid", view } as const)
    }
    const reason = Redacted.make("the charge under the txid is another one")
    return yield* new ProcessorRejected({ operation: "cancel", reason })
  })

  readonly #scheduleCheck = Effect.fnUntraced({ self: this }, function* (charge: PendingCharge, now: number) {
    const { issuer, cycle } = charge
    if (cycle === undefined) {
      yield* this.#moves.apply(charge, { _tag: "ExpectRemoval" })
      return
    }
    if (!isCancellable(charge, now))
      return yield* new CancelTooLate({ issuer, chargeId: charge.id, cycle: cycle.cycle })
    yield* this.#ports.recurrences.schedule(issuer, cycle.recurrenceId, now + removalCheckMs)
  })
}
