import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Company } from "../party/Company.ts"
import { type CompanyFacts, parseCompanyFacts, parseResellerFacts, type ResellerFacts } from "./CompanyFacts.ts"
import { resellersKeyRule } from "./CompanyInput.ts"
import { type Parsed, parseFlag, refuse } from "./directoryErrors.ts"

/** The integrator key that authenticates a company. */
export interface Credential {
  readonly holder: Cnpj
  readonly key: CredentialKey
  /**
   * Names one registration of the key. A key that is removed and registered again is another credential and revives no
   * token (decision 4).
   */
  readonly registration?: string
}

/** A key digested by `integratorKeyDigest` for a database. It is valid only for the holder. */
export interface KeyDigest {
  /** The pepper's `kid`. */
  readonly kid: string
  /** 64 lower-case hexadecimal digits. */
  readonly hmac: string
}

export type CredentialKey =
  | { readonly _tag: "Plain"; readonly key: Redacted.Redacted<string> }
  | ({ readonly _tag: "Digest" } & KeyDigest)

export interface DirectoryEntry {
  readonly company: Company
  readonly credential?: Credential
}

/**
 * The CNPJ whose key authenticates a company: the company's own if it has no reseller; the reseller's while they are
 * associated; otherwise undefined. A reseller that issues needs no association with itself (decision 26).
 */
export const keyHolder = ({ cnpj, reseller }: Company): Cnpj | undefined =>
  reseller === undefined || reseller.cnpj === cnpj || reseller.associated ? (reseller?.cnpj ?? cnpj) : undefined

/** An integrator key as a host stores it: plain, or digested by `integratorKeyDigest`. */
export type HostKey = string | KeyDigest

interface KeyFacts {
  readonly integratorKey?: HostKey
  /**
   * Names one registration of the key, such as its row's number: a new string for each registration, even of the same
   * key. Without it, a revoked key that is registered again revives its old tokens.
   */
  readonly keyRegistration?: string
}

/** A company from a host's own tables, with its reseller and both keys. */
export interface HostCompany extends CompanyFacts, KeyFacts {
  /** The company's own key; only for a company without a reseller. */
  readonly integratorKey?: HostKey
  readonly reseller?: ResellerFacts &
    KeyFacts & {
      /** Whether the company belongs to the reseller now. By default true. */
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

/** The facts of a host's company and the one key that authenticates it (`keyHolder`). */
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
    if (typeof keyRegistration !== "string") return yield* refuse(cnpj, "keyRegistration", "must be a string")
    return { company, credential: { holder, key, registration: keyRegistration } }
  })
