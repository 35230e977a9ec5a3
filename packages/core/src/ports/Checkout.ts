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

export interface LinkTerms {
  /**
   * Expiry of the link: epoch milliseconds of business time. For a charge: at most a year after its `watchUntil`; by default 30
   * days after its `payableUntil`, or after today once that has passed. For a recurrence: at most a year from now; by default 30
   * days after today.
   */
  readonly expiresAt?: number | undefined
}

/** Pages where payers pay charges and authorise recurrences. Provided by `@pixcharge/checkout`. */
export class Checkout extends Context.Service<
  Checkout,
  {
    /**
     * Address of a charge's page, open to anyone who has it until it expires. The same terms give the same address. Fails with
     * `InvalidLink` if `expiresAt` has passed or is too late, and with `ChargeWithoutPage` for the charge of a recurrence's
     * cycle.
     */
    readonly link: (
      issuer: Cnpj,
      id: ChargeId,
      terms: LinkTerms,
    ) => Effect.Effect<string, ChargeNotFound | ChargeWithoutPage | InvalidLink | StoreUnavailable>
    /** Address of the page where a payer authorises the recurrence. Otherwise like `link`. */
    readonly recurrenceLink: (
      issuer: Cnpj,
      id: RecurrenceId,
      terms: LinkTerms,
    ) => Effect.Effect<string, RecurrenceNotFound | InvalidLink | StoreUnavailable>
    /** `below` is the rest of the path after the route's, without doubled or trailing slashes. */
    readonly handle: (exchange: Exchange, below: string) => Effect.Effect<Reply>
  }
>()("@pixcharge/core/ports/Checkout") {}

/** The route of the payers' pages, which the bindings mount. */
export interface CheckoutRoute<out E = never, out R = never> {
  /** Below the mount, like `/pagar`. */
  readonly path: string
  readonly layer: Layer.Layer<Checkout, E, R>
}
