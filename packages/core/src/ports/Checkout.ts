import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { ChargeId } from "../model/charge/index.ts"
import type { ChargeNotFound } from "../model/charge/chargeErrors.ts"
import type { ChargeWithoutPage, InvalidLink, StoreUnavailable } from "./portErrors.ts"
import type { Exchange, Reply } from "../runtime/exchange.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { RecurrenceId } from "../model/cycle/RecurrenceId.ts"
import type { RecurrenceNotFound } from "../model/recurrence/recurrenceErrors.ts"

/** How long a link to the page of a charge or a recurrence holds. */
export interface LinkTerms {
  /**
   * Epoch milliseconds of business time, a year after the charge's `watchUntil` at most. By default 30 days after its
   * `payableUntil`, or after today once that has passed. Of a recurrence: a year from now at most, and by default 30 days after today.
   */
  readonly expiresAt?: number | undefined
}

/**
 * The pages on which payers pay charges and authorise recurrences, each reached by a link that holds for that one alone. `respond` and
 * `pix.checkout` use it; `@pixcharge/checkout` provides it.
 */
export class Checkout extends Context.Service<
  Checkout,
  {
    /**
     * The address of the page of a charge, which anybody can read who has it, until it expires. The same terms give the same
     * address. Fails with `InvalidLink` for a moment that has passed, or that is later than a year after the charge's last, and with
     * `ChargeWithoutPage` for the charge of a recurrence's cycle.
     */
    readonly link: (
      issuer: Cnpj,
      id: ChargeId,
      terms: LinkTerms,
    ) => Effect.Effect<string, ChargeNotFound | ChargeWithoutPage | InvalidLink | StoreUnavailable>
    /** The same for the page of a recurrence, on which its payer authorises it. */
    readonly recurrenceLink: (
      issuer: Cnpj,
      id: RecurrenceId,
      terms: LinkTerms,
    ) => Effect.Effect<string, RecurrenceNotFound | InvalidLink | StoreUnavailable>
    /**
     * Answers a request to the route's path or below it. `below` is the part of the path that is below the route's, without
     * doubled slashes and a last one.
     */
    readonly handle: (exchange: Exchange, below: string) => Effect.Effect<Reply>
  }
>()("@pixcharge/core/ports/Checkout") {}

/** The route of the payers' pages, mounted by the same bindings as ours. */
export interface CheckoutRoute<out E = never, out R = never> {
  /** Below the mount, like `/pagar`. The links lead below it. */
  readonly path: string
  readonly layer: Layer.Layer<Checkout, E, R>
}
