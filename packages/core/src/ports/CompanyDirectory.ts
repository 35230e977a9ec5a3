import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { DirectoryUnavailable } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Company } from "../party/Company.ts"

/**
 * The integrator key with which a company authenticates: its own, or its reseller's while the association stands
 * (decision 26). A company without one can't authenticate.
 */
export interface Credential {
  /** Whose key it is. */
  readonly holder: Cnpj
  /** Counts the holder's keys; tokens of an older version are refused (decision 4). */
  readonly version: number
  readonly key: CredentialKey
}

/** An integrator key as it is kept. */
export type CredentialKey =
  | { readonly _tag: "Plain"; readonly key: Redacted.Redacted<string> }
  /** HMAC-SHA256 of the key under the host's pepper, in hexadecimal: what a database should hold. */
  | { readonly _tag: "Digest"; readonly hmac: string }

/** A company and the key with which it authenticates. */
export interface DirectoryEntry {
  readonly company: Company
  readonly credential?: Credential
}

/**
 * Who may issue, and under which facts. Answers may be up to 5 s old (decision 4); a change made through this process is
 * seen at once. It never answers from an older memory when it can't be read.
 */
export class CompanyDirectory extends Context.Service<
  CompanyDirectory,
  {
    readonly find: (cnpj: Cnpj) => Effect.Effect<DirectoryEntry | undefined, DirectoryUnavailable>
    /** The company that receives under this PIX key. */
    readonly byPixKey: (pixKey: string) => Effect.Effect<DirectoryEntry | undefined, DirectoryUnavailable>
  }
>()("@pixcharge/core/ports/CompanyDirectory") {}
