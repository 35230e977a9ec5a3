import type * as Redacted from "effect/Redacted"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Company } from "../party/Company.ts"

/** The integrator key with which a company authenticates. A company without one can't authenticate. */
export interface Credential {
  /** Whose key it is. */
  readonly holder: Cnpj
  /** Counts the holder's keys, from 1; tokens of an older version are refused (decision 4). */
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
 * Whose key authenticates a company: its own if it has no reseller, its reseller's while they are associated, undefined
 * after that. A reseller uses its own and needs no association with itself (decision 26).
 */
export const keyHolder = ({ cnpj, reseller }: Company): Cnpj | undefined =>
  reseller === undefined || reseller.cnpj === cnpj || reseller.associated ? (reseller?.cnpj ?? cnpj) : undefined
