import type * as Redacted from "effect/Redacted"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Company } from "../party/Company.ts"

/** The integrator key with which a company authenticates. A company without one can't authenticate. */
export interface Credential {
  /** Whose key it is. */
  readonly holder: Cnpj
  readonly key: CredentialKey
  /**
   * Names the registration of the key, where the directory tells one from another: a key that was taken away and is registered
   * again is another credential, and revives no token (decision 4).
   */
  readonly registration?: string
}

/**
 * What a database should hold of an integrator key: HMAC-SHA256, under a pepper that it doesn't know, of the holder's CNPJ,
 * a bar and the key. It opens nobody else's account.
 */
export interface KeyDigest {
  /** Which pepper of the ring. */
  readonly kid: string
  /** 64 hexadecimal digits in lower case. */
  readonly hmac: string
}

/** An integrator key as it is kept. */
export type CredentialKey =
  | { readonly _tag: "Plain"; readonly key: Redacted.Redacted<string> }
  | ({ readonly _tag: "Digest" } & KeyDigest)

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
