import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Credential, DirectoryEntry } from "../directory/DirectoryEntry.ts"
import type { DirectoryUnavailable } from "../directory/directoryErrors.ts"
import type { Cnpj } from "../party/Cnpj.ts"

/**
 * Who may issue, and under which facts. Answers may be up to 5 s old (decision 4); a change made through this process is
 * seen at once. When it can't be read, every method fails with `DirectoryUnavailable`: an older answer is never
 * given.
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
