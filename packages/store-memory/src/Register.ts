import {
  type CompanyRegistration,
  type DirectoryEntry,
  InvalidRegistration,
  normalizeTaxId,
  parseRegisteredCompany,
  parseReseller,
  type RegisteredCompany,
  type ResellerRegistration,
} from "@pixcharge/core"
import * as Result from "effect/Result"

/** A registration and how many keys it has had. */
export interface Held<A> {
  readonly registration: A
  readonly keyVersion: number
}

/** Who is registered. CNPJs are without masks in it. */
export interface Register {
  readonly companies: Map<string, Held<CompanyRegistration>>
  readonly resellers: Map<string, Held<ResellerRegistration>>
  /** The company that receives under each PIX key. */
  readonly pixKeys: Map<string, string>
}

/** What keeps a registration out. */
export const refusal = (cnpj: string, field: string, problem: string): InvalidRegistration =>
  new InvalidRegistration({ cnpj, field, problem })

/** The reseller of a company; a reseller that issues for itself need not name itself. */
export const resellerOf = (
  { resellers }: Register,
  { cnpj, reseller = cnpj }: CompanyRegistration,
): Held<ResellerRegistration> | undefined => resellers.get(reseller)

/** Whether the company belongs to the reseller now; a reseller needs no link to itself (decision 26). */
export const isLinked = ({ cnpj, associated = true }: CompanyRegistration, reseller: ResellerRegistration): boolean =>
  associated || reseller.cnpj === cnpj

const heldKey = ({ registration, keyVersion }: Held<{ readonly integratorKey?: string }>) =>
  registration.integratorKey !== undefined && {
    integratorKey: { key: registration.integratorKey, version: keyVersion },
  }

/** The company with its reseller, as the directory's rules read it. */
const joined = (register: Register, company: Held<CompanyRegistration>): RegisteredCompany => {
  const { integratorKey: _, callback: __, reseller: ___, associated = true, ...facts } = company.registration
  const held = resellerOf(register, company.registration)
  if (held === undefined) return { ...facts, ...heldKey(company) }
  const { integratorKey: ____, callback: _____, ...reseller } = held.registration
  return { ...facts, ...heldKey(company), reseller: { ...reseller, associated, ...heldKey(held) } }
}

/** What the directory says of a company; throws `InvalidRegistration` for one that breaks a rule. */
export const entryOf = (register: Register, company: Held<CompanyRegistration>): DirectoryEntry =>
  Result.getOrThrow(parseRegisteredCompany(joined(register, company)))

/** The registration in its next state: another key is the next version of the key. */
export const succeedingTo = <A extends { readonly integratorKey?: string }>(
  before: Held<A> | undefined,
  registration: A,
): Held<A> => {
  if (before === undefined) return { registration, keyVersion: 1 }
  const isSameKey = registration.integratorKey === before.registration.integratorKey
  return { registration, keyVersion: before.keyVersion + (isSameKey ? 0 : 1) }
}

/** Throws `InvalidRegistration` if the company can't stand beside the others. */
export const checkCompany = (register: Register, company: Held<CompanyRegistration>): void => {
  const { cnpj, reseller, callback, pixKey } = company.registration
  if (reseller !== undefined && resellerOf(register, company.registration) === undefined) {
    throw refusal(cnpj, "reseller", `${reseller} is not registered`)
  }
  if (callback !== undefined && register.resellers.has(cnpj)) {
    throw refusal(cnpj, "callback", "is registered with the reseller of this CNPJ")
  }
  entryOf(register, company)
  const owner = register.pixKeys.get(pixKey)
  if (owner !== undefined && owner !== cnpj) throw refusal(cnpj, "pixKey", "is another company's")
}

/** Throws `InvalidRegistration` if the reseller can't be registered, or one of its companies no longer could. */
export const checkReseller = (register: Register, reseller: Held<ResellerRegistration>): void => {
  const { cnpj, integratorKey } = reseller.registration
  Result.getOrThrow(parseReseller(reseller.registration))
  if (integratorKey === "") throw refusal(cnpj, "integratorKey", "is empty")
  const next = { ...register, resellers: new Map(register.resellers).set(cnpj, reseller) }
  for (const company of register.companies.values()) {
    if (resellerOf(next, company.registration) === reseller) checkCompany(next, company)
  }
}

/** A company's registration with its CNPJs as they are compared. */
export const tidyCompany = ({ reseller, ...company }: CompanyRegistration): CompanyRegistration => ({
  ...company,
  cnpj: normalizeTaxId(company.cnpj),
  ...(reseller !== undefined && { reseller: normalizeTaxId(reseller) }),
})
