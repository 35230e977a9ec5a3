import type { CompanyInput, ResellerInput } from "../party/Registration.ts"
import type { CallbackInput } from "./registeredEndpoint.ts"

/** A company in the list. */
export interface CompanyRegistration extends CompanyInput {
  /** Its own key; a company of a reseller has none, for it uses the reseller's. */
  readonly integratorKey?: string
  /** The CNPJ of its reseller, which is in the list too. A reseller that issues for itself may leave it out. */
  readonly reseller?: string
  /** Whether it belongs to the reseller now. True unless told. */
  readonly associated?: boolean
  /** Where its own events go, besides the reseller's callback. */
  readonly callback?: CallbackInput
}

/** A reseller in the list. */
export interface ResellerRegistration extends ResellerInput {
  readonly integratorKey: string
  readonly callback?: CallbackInput
}

/** Who takes part, as a list in code. */
export interface Registrations {
  readonly companies: ReadonlyArray<CompanyRegistration>
  readonly resellers?: ReadonlyArray<ResellerRegistration>
}
