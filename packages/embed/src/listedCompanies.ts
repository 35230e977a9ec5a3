import { hostDirectory } from "@pixcharge/core"
import {
  callbackId,
  type CompanyInput,
  type Endpoint,
  type HostCompany,
  type HostEndpoint,
  InvalidRegistration,
  parseCompany,
} from "@pixcharge/core/directory"
import { normalizePixKey } from "@pixcharge/core/brcode"
import { normalizeTaxId } from "@pixcharge/core/party"
import * as Result from "effect/Result"

/** A company in a list in the host's code. A reseller's company needs a directory instead. */
export type ListedCompany = Omit<CompanyInput, "reseller" | "associated">

const refuse = (cnpj: string, field: string, problem = "is registered twice") =>
  new InvalidRegistration({ cnpj, field, problem })

const refuseReseller = (listed: CompanyInput): void => {
  const field = (["reseller", "associated"] as const).find((name) => listed[name] !== undefined)
  if (field === undefined) return
  throw refuse(listed.cnpj, field, "needs a directory, postgresDirectory or hostDirectory: a list has no resellers")
}

const indexed = (companies: ReadonlyArray<ListedCompany>) => {
  const byCnpj = new Map<string, HostCompany>()
  const byPixKey = new Map<string, HostCompany>()
  const callbacks = new Map<string, HostEndpoint>()
  for (const listed of companies) {
    refuseReseller(listed)
    const { company } = Result.getOrThrow(parseCompany(listed, undefined))
    const { callback } = listed
    if (byCnpj.has(company.cnpj)) throw refuse(listed.cnpj, "cnpj")
    if (byPixKey.has(company.pixKey)) throw refuse(listed.cnpj, "pixKey")
    // The company isn't copied, because its fields can be getters of a class.
    byCnpj.set(company.cnpj, listed)
    byPixKey.set(company.pixKey, listed)
    if (callback !== undefined) callbacks.set(callbackId(company.cnpj), { ...callback, id: callbackId(company.cnpj) })
  }
  return { byCnpj, byPixKey, callbacks }
}

/**
 * Makes a directory of the listed companies. It keeps in this process only whether a callback is paused. Throws
 * `InvalidRegistration`, which names the company, the field and its flaw.
 */
export const listedCompanies = (companies: ReadonlyArray<ListedCompany>) => {
  const { byCnpj, byPixKey, callbacks } = indexed(companies)
  const findEndpoint = async (id: string) => callbacks.get(id)
  return hostDirectory({
    companies: {
      find: async (cnpj) => byCnpj.get(normalizeTaxId(cnpj)),
      byPixKey: async (pixKey) => byPixKey.get(normalizePixKey(pixKey)),
    },
    endpoints: {
      forCompany: async (cnpj) => [callbacks.get(callbackId(cnpj))].filter((endpoint) => endpoint !== undefined),
      find: findEndpoint,
      setStatus: async (id: string, status: Endpoint["status"]) => {
        const endpoint = await findEndpoint(id)
        if (endpoint !== undefined) callbacks.set(id, { ...endpoint, status })
      },
    },
  })
}
