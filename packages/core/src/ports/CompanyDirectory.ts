import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { type Holidays, nationalBankHolidays, withHolidays } from "../model/calendar/Holidays.ts"
import type { CompanyInput, ResellerInput } from "../model/directory/CompanyInput.ts"
import type { Credential, DirectoryEntry } from "../model/directory/HostCompany.ts"
import type { DirectoryUnavailable, InvalidRegistration } from "../model/directory/directoryErrors.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { Company } from "../model/party/Company.ts"

/**
 * Who may issue, under which facts, and with which key. `PixCharges` and tokens use it; `memoryDirectory`, `postgresDirectory` and
 * `hostDirectory`, over the host's own tables, provide it. Answers may be up to 5 s old (decision 4); a change made through this
 * process is seen at once. When it can't be read, every method fails with `DirectoryUnavailable`: an older answer is never given.
 */
export class CompanyDirectory extends Context.Service<
  CompanyDirectory,
  {
    readonly find: (cnpj: Cnpj) => Effect.Effect<DirectoryEntry | undefined, DirectoryUnavailable>
    /**
     * The company's credential, if it is authenticated by this key now; undefined otherwise. The company is read again, whichever
     * it is, and the key compared by the same work (`makeKeyCheck`): how long it takes doesn't tell which companies are
     * registered or in use (decisions 3 and 44). `find` has what was read from then on; that nobody was found isn't remembered.
     */
    readonly verifyKey: (
      cnpj: Cnpj,
      integratorKey: string,
    ) => Effect.Effect<Credential | undefined, DirectoryUnavailable>
    /** The company that receives under this PIX key, however that is written (`normalizePixKey`). */
    readonly byPixKey: (pixKey: string) => Effect.Effect<DirectoryEntry | undefined, DirectoryUnavailable>
  }
>()("@pixcharge/core/ports/CompanyDirectory") {}

type Change<A = void> = Effect.Effect<A, InvalidRegistration | DirectoryUnavailable>

/**
 * Registers companies and resellers while the service runs: hosts call it as `pix.directory`. `memoryDirectory` and
 * `postgresDirectory` provide it. A change is seen at once in this process, and within the directory's 5 s in others. CNPJs may be
 * masked. Where the `AuditLog` is of the same database, what a change comes to is recorded with it, under `currentActor`.
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

/** The closed days by which a company's due dates move. By default the national bank holidays and the company's own. */
export const HolidayCalendar = Context.Reference<{ readonly forCompany: (company: Company) => Holidays }>(
  "@pixcharge/core/ports/HolidayCalendar",
  { defaultValue: () => ({ forCompany: companyHolidays }) },
)

const local = new WeakMap<ReadonlyArray<string>, Holidays>()

/** The national bank holidays together with the company's local ones. */
export const companyHolidays = ({ localHolidays }: Company): Holidays => {
  if (localHolidays === undefined || localHolidays.length === 0) return nationalBankHolidays
  const known = local.get(localHolidays)
  if (known !== undefined) return known
  const holidays = withHolidays(nationalBankHolidays, localHolidays)
  local.set(localHolidays, holidays)
  return holidays
}
