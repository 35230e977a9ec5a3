import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Company } from "../party/Company.ts"
import { type CompanyFacts, parseCompanyFacts, parseResellerFacts, type ResellerFacts } from "./CompanyFacts.ts"
import { resellersKeyRule } from "./CompanyInput.ts"
import { type Parsed, parseFlag, refuse } from "./directoryErrors.ts"

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

/** An integrator key as a host keeps it: as it is, or as `integratorKeyDigest` digests it. */
export type HostKey = string | KeyDigest

interface KeyFacts {
  readonly integratorKey?: HostKey
  /**
   * Names the registration of the key, by a number of its row, say, or by its moment: another text for each time that a key is
   * registered, even with the same key. Without it a key that was revoked and is registered again revives the tokens that were made
   * with it.
   */
  readonly keyRegistration?: string
}

/** A company with its reseller and the keys of both, as a host's own tables have them. */
export interface HostCompany extends CompanyFacts, KeyFacts {
  /** The company's own key; only a company without a reseller has one. */
  readonly integratorKey?: HostKey
  readonly reseller?: ResellerFacts &
    KeyFacts & {
      /** Whether the company belongs to it now. By default true. */
      readonly associated?: boolean
    }
}

const hmacForm = /^[0-9a-f]{64}$/

const parseKey = (cnpj: string, input: HostKey): Parsed<CredentialKey> => {
  if (typeof input === "string") {
    return input === ""
      ? refuse(cnpj, "integratorKey", "must not be empty")
      : Result.succeed({ _tag: "Plain", key: Redacted.make(input, { label: "integrator key" }) })
  }
  const { kid, hmac } = input
  if (!hmacForm.test(hmac))
    return refuse(
      cnpj,
      "integratorKey",
      "must be an HMAC-SHA256 in 64 hexadecimal digits, as integratorKeyDigest makes",
    )
  if (!kid) return refuse(cnpj, "integratorKey", "must have the kid of the pepper under which it was digested")
  return Result.succeed({ _tag: "Digest", kid, hmac })
}

/** What a directory says of a company: its facts, and the one key with which it may authenticate (`keyHolder`). */
export const parseHostCompany = (input: HostCompany): Parsed<DirectoryEntry> =>
  Result.gen(function* () {
    const { reseller } = input
    const facts = yield* parseCompanyFacts(input)
    if (reseller !== undefined && input.integratorKey !== undefined) {
      return yield* refuse(input.cnpj, "integratorKey", resellersKeyRule)
    }
    const company: Company = reseller
      ? {
          ...facts,
          reseller: {
            ...(yield* parseResellerFacts(reseller)),
            associated: yield* parseFlag(input.cnpj, "reseller.associated", reseller.associated, true),
          },
        }
      : facts
    const holder = keyHolder(company)
    const { cnpj, integratorKey, keyRegistration } = reseller ?? input
    if (holder === undefined || integratorKey === undefined) return { company }
    const key = yield* parseKey(cnpj, integratorKey)
    if (keyRegistration === undefined) return { company, credential: { holder, key } }
    if (typeof keyRegistration !== "string") return yield* refuse(cnpj, "keyRegistration", "must be a text")
    return { company, credential: { holder, key, registration: keyRegistration } }
  })
