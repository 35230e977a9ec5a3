import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DirectoryEntry } from "../directory/DirectoryEntry.ts"
import type { DirectoryUnavailable } from "../errors.ts"
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
     * The company as it is now, read anew whoever is asked for: how long it takes doesn't tell which companies are in use
     * (decision 3). `find` has this answer from then on; that nobody was found isn't remembered.
     */
    readonly renew: (cnpj: Cnpj) => Effect.Effect<DirectoryEntry | undefined, DirectoryUnavailable>
    /** The company that receives under this PIX key, however that is written (`normalizePixKey`). */
    readonly byPixKey: (pixKey: string) => Effect.Effect<DirectoryEntry | undefined, DirectoryUnavailable>
  }
>()("@pixcharge/core/ports/CompanyDirectory") {}
