import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { type Holidays, nationalBankHolidays, withHolidays } from "../model/calendar/Holidays.ts"
import type { CompanyInput, ResellerInput } from "../model/directory/CompanyInput.ts"
import type { Credential, DirectoryEntry } from "../model/directory/HostCompany.ts"
import type { DirectoryUnavailable, InvalidRegistration } from "../model/directory/directoryErrors.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { Company } from "../model/party/Company.ts"

/**
 * Companies that can issue, with their facts and keys. Provided by `memoryDirectory`, `postgresDirectory` and `hostDirectory`
 * (the host's own tables). Answers can be up to 5 s old (decision 4), except for this process's own changes. Every method fails
 * with `DirectoryUnavailable` rather than give an older answer.
 */
export class CompanyDirectory extends Context.Service<
  CompanyDirectory,
  {
    readonly find: (cnpj: Cnpj) => Effect.Effect<DirectoryEntry | undefined, DirectoryUnavailable>
    /**
     * The company's credential if this key authenticates it now. Reads the company again on every call and compares keys in
     * constant work, so timing doesn't reveal companies (decisions 3 and 44). Also refreshes the answer that `find` caches.
     */
    readonly verifyKey: (
      cnpj: Cnpj,
      integratorKey: string,
    ) => Effect.Effect<Credential | undefined, DirectoryUnavailable>
    /** The company that receives under this PIX key, in any spelling (`normalizePixKey`). */
    readonly byPixKey: (pixKey: string) => Effect.Effect<DirectoryEntry | undefined, DirectoryUnavailable>
  }
>()("@pixcharge/core/ports/CompanyDirectory") {}

type Change<A = void> = Effect.Effect<A, InvalidRegistration | DirectoryUnavailable>

/**
 * Registers companies and resellers while the service runs (`pix.directory`). Provided by `memoryDirectory` and
 * `postgresDirectory`. Other processes see a change within 5 s. CNPJs can have punctuation. An `AuditLog` in the same database
 * records each change in the same write, under `currentActor`. Each method fails with `InvalidRegistration`, without a change, if
 * a value breaks a rule or a CNPJ isn't registered. It fails with `DirectoryUnavailable` if the directory can't be written: the
 * change was possibly made, and can be repeated.
 */
export class DirectoryAdmin extends Context.Service<
  DirectoryAdmin,
  {
    /**
     * Adds a company or replaces its facts. A new key ends the tokens made with the old one (decision 4); an absent key or
     * callback keeps the old one. The reseller must be registered, and the PIX key must not belong to another company.
     */
    readonly putCompany: (company: CompanyInput) => Change
    /** Adds a reseller or replaces its facts. Treats key and callback like `putCompany`. */
    readonly putReseller: (reseller: ResellerInput) => Change
    /**
     * Replaces the key of a reseller, or of a company without a reseller. Returns the new key, which can't be read again.
     * `integratorKey` has at least 12 characters; by default it is made of 32 random bytes. Tokens made with the old key are
     * refused from then on (decision 4).
     */
    readonly rotateKey: (cnpj: string, integratorKey?: string) => Change<string>
    /** Removes the key. Until a new one is set, neither its holder nor a reseller's companies can authenticate. */
    readonly revokeKey: (cnpj: string) => Change
    /** Ends or renews a company's association with its reseller (decision 26). */
    readonly setAssociated: (cnpj: string, associated: boolean) => Change
    /** Activates or deactivates the wallet of the reseller or company with this CNPJ, or of both. */
    readonly setWallet: (cnpj: string, active: boolean) => Change
    /** Stops events to this reseller or company; deliveries that wait for its callback become dead letters. */
    readonly removeCallback: (cnpj: string) => Change
  }
>()("@pixcharge/core/ports/DirectoryAdmin") {}

/** Closed days that move a company's due dates. By default the national bank holidays and the company's own. */
export const HolidayCalendar = Context.Reference<{ readonly forCompany: (company: Company) => Holidays }>(
  "@pixcharge/core/ports/HolidayCalendar",
  { defaultValue: () => ({ forCompany: companyHolidays }) },
)

const local = new WeakMap<ReadonlyArray<string>, Holidays>()

export const companyHolidays = ({ localHolidays }: Company): Holidays => {
  if (localHolidays === undefined || localHolidays.length === 0) return nationalBankHolidays
  const known = local.get(localHolidays)
  if (known !== undefined) return known
  const holidays = withHolidays(nationalBankHolidays, localHolidays)
  local.set(localHolidays, holidays)
  return holidays
}
