import { callbackId, type Credential, type DirectoryEntry, type Endpoint, keyHolder } from "@pixcharge/core/directory"
import type { Cnpj, Company, Reseller } from "@pixcharge/core/party"
import * as Redacted from "effect/Redacted"

/** A holder's key, undefined after its revocation. */
export interface HolderKey {
  readonly key: string | undefined
  readonly earlierKeys: number
}

/** The keys of the maps are CNPJs without punctuation, except in `endpoints`. */
export interface DirectoryState {
  readonly companies: Map<string, Company>
  readonly resellers: Map<string, Reseller>
  readonly keys: Map<string, HolderKey>
  readonly endpoints: Map<string, Endpoint>
}

export const findByPixKey = ({ companies }: DirectoryState, pixKey: string): Company | undefined => {
  for (const company of companies.values()) if (company.pixKey === pixKey) return company
  return undefined
}

/** A company without `reseller` can itself be a reseller. */
const findCompany = ({ companies, resellers }: DirectoryState, cnpj: string): Company | undefined => {
  const company = companies.get(cnpj)
  const reseller = resellers.get(company?.reseller?.cnpj ?? cnpj)
  if (company === undefined || reseller === undefined) return company
  return { ...company, reseller: { ...reseller, associated: company.reseller?.associated ?? true } }
}

const findCredential = ({ keys }: DirectoryState, holder: Cnpj): Credential | undefined => {
  const { key, earlierKeys } = keys.get(holder) ?? noKey
  if (key === undefined) return undefined
  return {
    holder,
    key: { _tag: "Plain", key: Redacted.make(key, { label: "integrator key" }) },
    // A first key has no number: it's the same in every process that has the list in its code.
    ...(earlierKeys > 0 && { registration: String(earlierKeys) }),
  }
}

const noKey: HolderKey = { key: undefined, earlierKeys: 0 }

export const putKey = ({ keys }: DirectoryState, holder: string, key: string | undefined): void => {
  const before = keys.get(holder) ?? noKey
  if (key === before.key) return
  keys.set(holder, { key, earlierKeys: before.earlierKeys + (before.key === undefined ? 0 : 1) })
}

export const findEntry = (state: DirectoryState, cnpj: string): DirectoryEntry | undefined => {
  const company = findCompany(state, cnpj)
  const holder = company && keyHolder(company)
  const credential = holder && findCredential(state, holder)
  return company && { company, ...(credential && { credential }) }
}

export const findEndpoints = (state: DirectoryState, cnpj: string): ReadonlyArray<Endpoint> => {
  const company = findCompany(state, cnpj)
  const receivers = company === undefined ? [] : [cnpj, keyHolder(company) ?? cnpj]
  return [...new Set(receivers)].flatMap((receiver) => state.endpoints.get(callbackId(receiver)) ?? [])
}

export const endpointOwner = ({ companies, resellers }: DirectoryState, endpointId: string): string | undefined =>
  [...resellers.keys(), ...companies.keys()].find((cnpj) => callbackId(cnpj) === endpointId)
