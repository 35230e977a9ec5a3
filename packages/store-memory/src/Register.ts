import {
  callbackId,
  type Cnpj,
  type Company,
  type Credential,
  type DirectoryEntry,
  type Endpoint,
  keyHolder,
  type Reseller,
} from "@pixcharge/core"
import * as Redacted from "effect/Redacted"

/** Who is registered; all but endpoints by the CNPJ without a mask. */
export interface Register {
  readonly companies: Map<string, Company>
  readonly resellers: Map<string, Reseller>
  /** The company that receives under each PIX key. */
  readonly pixKeys: Map<string, string>
  /** Each holder's key; one that was revoked leaves its version behind. */
  readonly keys: Map<string, { readonly version: number; readonly key: string | undefined }>
  /** By their id. */
  readonly endpoints: Map<string, Endpoint>
}

export const emptyRegister = (): Register => ({
  companies: new Map(),
  resellers: new Map(),
  pixKeys: new Map(),
  keys: new Map(),
  endpoints: new Map(),
})

/** Another key is the holder's next version (decision 4). */
export const putKey = ({ keys }: Register, holder: string, key: string | undefined): void => {
  const before = keys.get(holder)
  const isAnother = before !== undefined && before.key !== key
  keys.set(holder, { key, version: (before?.version ?? 1) + (isAnother ? 1 : 0) })
}

/** A changed callback keeps its status. */
export const putEndpoint = ({ endpoints }: Register, endpoint: Endpoint): void => {
  const { status } = endpoints.get(endpoint.id) ?? endpoint
  endpoints.set(endpoint.id, { ...endpoint, status })
}

/** The company as registered, with its reseller as that is now; a reseller that issues for itself need not name itself. */
const currentCompany = ({ companies, resellers }: Register, cnpj: string): Company | undefined => {
  const company = companies.get(cnpj)
  const reseller = resellers.get(company?.reseller?.cnpj ?? cnpj)
  if (company === undefined || reseller === undefined) return company
  return { ...company, reseller: { ...reseller, associated: company.reseller?.associated ?? true } }
}

const findCredential = ({ keys }: Register, holder: Cnpj): Credential | undefined => {
  const { version, key } = keys.get(holder) ?? {}
  if (version === undefined || key === undefined) return undefined
  return { holder, version, key: { _tag: "Plain", key: Redacted.make(key, { label: "integrator key" }) } }
}

/** What the directory says of a company. */
export const findEntry = (register: Register, cnpj: string): DirectoryEntry | undefined => {
  const company = currentCompany(register, cnpj)
  const holder = company && keyHolder(company)
  const credential = holder && findCredential(register, holder)
  return company && { company, ...(credential && { credential }) }
}

/** The company's own endpoint, and its reseller's while it belongs to it. */
export const findEndpoints = (register: Register, cnpj: string): ReadonlyArray<Endpoint> => {
  const company = currentCompany(register, cnpj)
  if (company === undefined) return []
  const receivers = new Set([cnpj, keyHolder(company) ?? cnpj])
  return [...receivers].flatMap((receiver) => register.endpoints.get(callbackId(receiver)) ?? [])
}
