import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Company } from "../party/Company.ts"
import {
  type CompanyInput,
  InvalidRegistration,
  parseCompany,
  parseReseller,
  type ResellerInput,
} from "../party/Registration.ts"
import type { Credential, CredentialKey, DirectoryEntry } from "../ports/CompanyDirectory.ts"

/** An integrator key as a host keeps it: as it is, or as its HMAC; `version` is 1 unless told and grows with each new key. */
export type IntegratorKeyInput =
  | string
  | { readonly key: string; readonly version?: number }
  | { readonly hmac: string; readonly version?: number }

/** A company with its reseller and the keys of both, as a host's own tables say. */
export interface RegisteredCompany extends CompanyInput {
  /** The company's own key; only a company without a reseller has one. */
  readonly integratorKey?: IntegratorKeyInput
  readonly reseller?: ResellerInput & {
    readonly integratorKey?: IntegratorKeyInput
    /** Whether the company belongs to it now. True unless told. */
    readonly associated?: boolean
  }
}

const hmacForm = /^[0-9a-f]{64}$/

const parseKey = (
  cnpj: string,
  input: IntegratorKeyInput,
): Result.Result<Omit<Credential, "holder">, InvalidRegistration> => {
  const refuse = (problem: string) => Result.fail(new InvalidRegistration({ cnpj, field: "integratorKey", problem }))
  const { version = 1, ...held } = typeof input === "string" ? { key: input } : input
  if (!Number.isSafeInteger(version) || version < 1) return refuse("has a version that is no whole number from 1")
  if ("hmac" in held) {
    return hmacForm.test(held.hmac)
      ? Result.succeed({ version, key: { _tag: "Digest", hmac: held.hmac } })
      : refuse("is no HMAC-SHA256 in 64 hexadecimal digits")
  }
  if (typeof held.key !== "string" || held.key === "") return refuse("is empty")
  const key: CredentialKey = { _tag: "Plain", key: Redacted.make(held.key, { label: "integrator key" }) }
  return Result.succeed({ version, key })
}

/** Whose key opens the door for a company (decision 26). */
const keyFor = (
  company: Company,
  { cnpj, integratorKey, reseller }: RegisteredCompany,
): readonly [string, IntegratorKeyInput | undefined] => {
  if (company.reseller === undefined) return [cnpj, integratorKey]
  const isItself = company.reseller.cnpj === company.cnpj
  if (reseller === undefined || !(isItself || company.reseller.associated)) return [cnpj, undefined]
  return [reseller.cnpj, reseller.integratorKey]
}

const withReseller = (
  company: Company,
  { cnpj, integratorKey, reseller }: RegisteredCompany,
): Result.Result<Company, InvalidRegistration> => {
  if (reseller === undefined) return Result.succeed(company)
  if (integratorKey !== undefined) {
    const problem = "is not the company's own: a company of a reseller uses the reseller's key"
    return Result.fail(new InvalidRegistration({ cnpj, field: "integratorKey", problem }))
  }
  return Result.map(parseReseller(reseller), (parsed) => ({
    ...company,
    reseller: { ...parsed, associated: reseller.associated ?? true },
  }))
}

/**
 * What a directory says of a registration: the company, and the one key with which it may authenticate. A company
 * without a reseller uses its own; a company of a reseller the reseller's, only while the association stands; a reseller
 * its own, without a link to itself (decision 26).
 */
export const parseRegisteredCompany = (input: RegisteredCompany): Result.Result<DirectoryEntry, InvalidRegistration> =>
  Result.gen(function* () {
    const company = yield* withReseller(yield* parseCompany(input), input)
    const [holder, held] = keyFor(company, input)
    if (held === undefined) return { company }
    const credential = yield* parseKey(holder, held)
    const isOwn = company.reseller === undefined
    return { company, credential: { ...credential, holder: isOwn ? company.cnpj : company.reseller.cnpj } }
  })
