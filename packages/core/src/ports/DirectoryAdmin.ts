import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CompanyInput, ResellerInput } from "../directory/CompanyInput.ts"
import type { InvalidRegistration } from "../directory/InvalidRegistration.ts"
import type { DirectoryUnavailable } from "../directory/directoryErrors.ts"

type Change<A = void> = Effect.Effect<A, InvalidRegistration | DirectoryUnavailable>

/**
 * Registers companies and resellers while the service runs. A change is seen at once in this process, and within the
 * directory's 5 s in others. CNPJs may be masked. Where the `AuditLog` is of the same database, what a change comes to is
 * recorded with it, under `currentActor`.
 *
 * Each fails with `InvalidRegistration`, and changes nothing, for what breaks a rule or names a CNPJ that is not
 * registered; and with `DirectoryUnavailable` when the directory can't be written: then the change may have been made or
 * not, and may be made again.
 */
export class DirectoryAdmin extends Context.Service<
  DirectoryAdmin,
  {
    /**
     * Adds a company, or replaces its facts. Another key than before ends the tokens made with that (decision 4); a key or
     * callback that is left out stays as it was. Its reseller must be registered, and its PIX key be nobody else's.
     */
    readonly putCompany: (company: CompanyInput) => Change
    /** Adds a reseller, or replaces its facts; key and callback as with a company's. */
    readonly putReseller: (reseller: ResellerInput) => Change
    /**
     * Replaces the key of a reseller or of a company that has none, and returns the new one, which may be shown
     * nowhere else: the given one, of at least 12 characters, or one of 32 random bytes. Tokens made with the old key are refused from then on (decision 4).
     */
    readonly rotateKey: (cnpj: string, integratorKey?: string) => Change<string>
    /** Takes the key away: its holder, and a reseller's companies, can't authenticate until there is another. */
    readonly revokeKey: (cnpj: string) => Change
    /** Ends a company's association with its reseller, or renews it (decision 26). */
    readonly setAssociated: (cnpj: string, associated: boolean) => Change
    /** Switches the wallet of the reseller, the company or both that have this CNPJ. */
    readonly setWallet: (cnpj: string, active: boolean) => Change
    /** Sends events to this reseller or company no more; those that wait for its callback become dead letters. */
    readonly removeCallback: (cnpj: string) => Change
  }
>()("@pixcharge/core/ports/DirectoryAdmin") {}
