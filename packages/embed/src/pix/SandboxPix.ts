import type * as Duration from "effect/Duration"
import type { MoveTo } from "../makeRunInPast.ts"
import type { PaymentPlayInput } from "../PaymentPlayInput.ts"
import type { PlainCharge } from "../plain.ts"
import type { SandboxRecurrences } from "./SandboxRecurrences.ts"
import type { Pix } from "./Pix.ts"

/** What the sandbox has besides: a payer to play, and time that can be moved. */
export interface SandboxPix extends Pix {
  /**
   * Pays a charge as its payer would; its cents choose what goes wrong (decision 17), unless `play` does.
   *
   * Each call with a play, an empty one too, is one more payment, of an expired or paid charge as well. A call without one
   * pays once: it may be repeated. Rejects with `ChargeNotFound`, `ChargeExpired` (without a play), `ChargeCancelled`, `ChargeRefunding`,
   * `ChargeRefunded`, `SimulationDeclined` or `ProcessorUnavailable`, and with `InvalidOption` for an invalid play.
   *
   * @example
   * await pix.simulatePayment("12345678000195", id, { outcome: "paidTwice" })
   */
  readonly simulatePayment: (issuer: string, id: string, play?: PaymentPlayInput) => Promise<PlainCharge>
  /** Recurrences, and their payers to play. */
  readonly recurrences: SandboxRecurrences
  readonly clock: Pix["clock"] & {
    /**
     * Moves business time forward, `await pix.clock.advance("3 days")`, and looks for payments whose notice was lost.
     * Tokens don't age by it (decision 4). With the option `recurrences` it stops on the way, at 08:10, 09:10 and 21:10 of each day in
     * Brasília, and does what is due there: cycles are charged and debits followed as by a host that was up.
     */
    readonly advance: (by: Duration.Input) => Promise<void>
    /**
     * Runs `work` at an earlier moment (epoch milliseconds), and returns what it returns; then it is the present again. For
     * data with a history.
     *
     * Business time is frozen there, for all that the instance does; `moveTo` moves it on, and looks for payments whose
     * notice was lost, unless its second argument is `false`. Rejects with `InvalidOption` for an invalid moment, one that is
     * later than the present or before the one that was reached, and while another call runs.
     *
     * @example
     * await pix.clock.runInPast(pix.clock.now() - 86_400_000, async (moveTo) => {
     *   const { id, createdAt } = await pix.issue(cnpj, { id: randomUUID(), amountCents: 1990 })
     *   await moveTo(createdAt + 60_000)
     *   await pix.simulatePayment(cnpj, id)
     * })
     */
    readonly runInPast: <A>(to: number, work: (moveTo: MoveTo) => Promise<A>) => Promise<A>
  }
}
