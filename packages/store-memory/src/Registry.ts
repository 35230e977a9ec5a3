import {
  type CallbackInput,
  type CompanyRegistration,
  type DirectoryEntry,
  type Endpoint,
  normalizeTaxId,
  parseRegisteredEndpoint,
  type Registrations,
  type ResellerRegistration,
} from "@pixcharge/core"
import * as Result from "effect/Result"
import {
  checkCompany,
  checkReseller,
  entryOf,
  isLinked,
  refusal,
  type Register,
  resellerOf,
  succeedingTo,
  tidyCompany,
} from "./Register.ts"

/** Changes the list while the service runs; each change takes effect at once. All throw `InvalidRegistration`. */
export interface Registry {
  /** Adds a company, or replaces what was registered under its CNPJ. Another key is the next version of the key. */
  readonly putCompany: (company: CompanyRegistration) => void
  /** Adds a reseller, or replaces what was registered under its CNPJ. Another key is the next version of the key. */
  readonly putReseller: (reseller: ResellerRegistration) => void
  /** Replaces the key of a reseller or a company: tokens made with the old one are refused from now on. */
  readonly rotateKey: (cnpj: string, integratorKey: string) => void
  /** Ends a company's association with its reseller, or renews it. */
  readonly setAssociated: (cnpj: string, associated: boolean) => void
  /** Switches the wallet of the reseller, the company or both that have this CNPJ. */
  readonly setWallet: (cnpj: string, active: boolean) => void
}

/** What the directory's ports read. */
export interface RegistryReader {
  readonly find: (cnpj: string) => DirectoryEntry | undefined
  readonly byPixKey: (pixKey: string) => DirectoryEntry | undefined
  readonly endpointsOf: (cnpj: string) => ReadonlyArray<Endpoint>
  readonly findEndpoint: (endpointId: string) => Endpoint | undefined
  readonly setStatus: (endpointId: string, status: Endpoint["status"]) => void
}

/** Each CNPJ has one callback at most. */
const endpointIdOf = (cnpj: string): string => `callback-${cnpj}`

const makeEndpoints = (register: Register) => {
  const { companies, resellers } = register
  const statuses = new Map<string, Endpoint["status"]>()

  const parse = (cnpj: string, callback: CallbackInput): Endpoint => {
    const id = endpointIdOf(cnpj)
    const status = statuses.get(id) ?? "enabled"
    return Result.getOrThrow(parseRegisteredEndpoint({ ...callback, id, status }, cnpj))
  }

  const endpointAt = (cnpj: string): Endpoint | undefined => {
    const callback = (resellers.get(cnpj) ?? companies.get(cnpj))?.registration.callback
    return callback && parse(cnpj, callback)
  }

  return {
    check: (cnpj: string, callback: CallbackInput | undefined): void => {
      if (callback !== undefined) parse(cnpj, callback)
    },
    findEndpoint: (endpointId: string) => {
      const cnpj = endpointId.slice(endpointIdOf("").length)
      return endpointId === endpointIdOf(cnpj) ? endpointAt(cnpj) : undefined
    },
    /** A reseller is told of its companies' charges while they belong to it. */
    endpointsOf: (cnpj: string): ReadonlyArray<Endpoint> => {
      const company = companies.get(cnpj)?.registration
      if (company === undefined) return []
      const reseller = resellerOf(register, company)?.registration
      const told = new Set([cnpj, ...(reseller && isLinked(company, reseller) ? [reseller.cnpj] : [])])
      return [...told].flatMap((one) => endpointAt(one) ?? [])
    },
    setStatus: (endpointId: string, status: Endpoint["status"]): void => {
      statuses.set(endpointId, status)
    },
  }
}

const refuseTwins = (registrations: ReadonlyArray<{ readonly cnpj: string }>): void => {
  const seen = new Set<string>()
  for (const { cnpj } of registrations) {
    if (seen.has(normalizeTaxId(cnpj))) throw refusal(cnpj, "cnpj", "is registered twice")
    seen.add(normalizeTaxId(cnpj))
  }
}

/** A list of companies and resellers that is sound at every moment; throws `InvalidRegistration` for one that isn't. */
export const makeRegistry = ({ companies, resellers = [] }: Registrations): Registry & RegistryReader => {
  const register: Register = { companies: new Map(), resellers: new Map(), pixKeys: new Map() }
  const { check, ...endpoints } = makeEndpoints(register)
  /** Entries keep their identity until something changes: what is derived from a company can be remembered for it. */
  const entries = new Map<string, DirectoryEntry>()

  const putCompany = (registration: CompanyRegistration): void => {
    const company = tidyCompany(registration)
    const before = register.companies.get(company.cnpj)
    const next = succeedingTo(before, company)
    checkCompany(register, next)
    check(company.cnpj, company.callback)
    if (before !== undefined) register.pixKeys.delete(before.registration.pixKey)
    register.pixKeys.set(company.pixKey, company.cnpj)
    register.companies.set(company.cnpj, next)
    entries.clear()
  }

  const putReseller = (registration: ResellerRegistration): void => {
    const reseller = { ...registration, cnpj: normalizeTaxId(registration.cnpj) }
    const next = succeedingTo(register.resellers.get(reseller.cnpj), reseller)
    checkReseller(register, next)
    check(reseller.cnpj, reseller.callback)
    register.resellers.set(reseller.cnpj, next)
    entries.clear()
  }

  const resellerAt = (cnpj: string) => register.resellers.get(normalizeTaxId(cnpj))?.registration
  const companyAt = (cnpj: string) => register.companies.get(normalizeTaxId(cnpj))?.registration

  const changeCompany = (cnpj: string, change: Partial<CompanyRegistration>): void => {
    const company = companyAt(cnpj)
    if (company === undefined) throw refusal(cnpj, "cnpj", "is not registered")
    putCompany({ ...company, ...change })
  }

  const find = (cnpj: string): DirectoryEntry | undefined => {
    const known = entries.get(cnpj)
    if (known !== undefined) return known
    const company = register.companies.get(cnpj)
    if (company === undefined) return undefined
    const entry = entryOf(register, company)
    entries.set(cnpj, entry)
    return entry
  }

  refuseTwins(resellers)
  refuseTwins(companies)
  for (const reseller of resellers) putReseller(reseller)
  for (const company of companies) putCompany(company)

  return {
    ...endpoints,
    putCompany,
    putReseller,
    rotateKey: (cnpj, integratorKey) => {
      const reseller = resellerAt(cnpj)
      if (reseller === undefined) changeCompany(cnpj, { integratorKey })
      else putReseller({ ...reseller, integratorKey })
    },
    setAssociated: (cnpj, associated) => changeCompany(cnpj, { associated }),
    setWallet: (cnpj, walletActive) => {
      const reseller = resellerAt(cnpj)
      if (reseller !== undefined) putReseller({ ...reseller, walletActive })
      if (reseller === undefined || companyAt(cnpj)) changeCompany(cnpj, { walletActive })
    },
    find,
    byPixKey: (pixKey) => {
      const cnpj = register.pixKeys.get(pixKey)
      return cnpj === undefined ? undefined : find(cnpj)
    },
  }
}
