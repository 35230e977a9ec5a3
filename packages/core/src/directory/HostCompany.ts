import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Company } from "../party/Company.ts"
import { type CompanyFacts, parseCompanyFacts, parseResellerFacts, type ResellerFacts } from "./CompanyFacts.ts"
import { resellersKeyRule } from "./CompanyInput.ts"
import { type Credential, type CredentialKey, type DirectoryEntry, keyHolder } from "./DirectoryEntry.ts"
import { type Parsed, refuse } from "./InvalidRegistration.ts"

/**
 * An integrator key as a host keeps it: as it is, or as its HMAC-SHA256 in hexadecimal. `version` is 1 by default and
 * grows with each new key (decision 4).
 */
export type HostKey =
  | string
  | { readonly key: string; readonly version?: number }
  | { readonly hmac: string; readonly version?: number }

/** A company with its reseller and the keys of both, as a host's own tables have them. */
export interface HostCompany extends CompanyFacts {
  /** The company's own key; only a company without a reseller has one. */
  readonly integratorKey?: HostKey
  readonly reseller?: ResellerFacts & {
    readonly integratorKey?: HostKey
    /** Whether the company belongs to it now. By default true. */
    readonly associated?: boolean
  }
}

const hmacForm = /^[0-9a-f]{64}$/

const parseKey = (cnpj: string, input: HostKey): Parsed<Omit<Credential, "holder">> => {
  const { version = 1, ...kept } = typeof input === "string" ? { key: input } : input
  if (!Number.isSafeInteger(version) || version < 1) {
    return refuse(cnpj, "integratorKey", "has a version that is no whole number from 1")
  }
  if ("hmac" in kept) {
    return hmacForm.test(kept.hmac)
      ? Result.succeed({ version, key: { _tag: "Digest", hmac: kept.hmac } })
      : refuse(cnpj, "integratorKey", "is no HMAC-SHA256 in 64 hexadecimal digits")
  }
  if (typeof kept.key !== "string" || kept.key === "") return refuse(cnpj, "integratorKey", "is empty")
  const key: CredentialKey = { _tag: "Plain", key: Redacted.make(kept.key, { label: "integrator key" }) }
  return Result.succeed({ version, key })
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
      ? { ...facts, reseller: { ...(yield* parseResellerFacts(reseller)), associated: reseller.associated ?? true } }
      : facts
    const holder = keyHolder(company)
    const { cnpj, integratorKey } = reseller ?? input
    if (holder === undefined || integratorKey === undefined) return { company }
    return { company, credential: { holder, ...(yield* parseKey(cnpj, integratorKey)) } }
  })
