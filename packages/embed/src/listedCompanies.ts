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

/** A company that a host lists in its code. One of a reseller needs a directory. */
export type ListedCompany = Omit<CompanyInput, "reseller" | "associated">

const refuseTwin = (cnpj: string, field: string) =>
  new InvalidRegistration({ cnpj, field, problem: "is registered twice" })

/** Reads the list as the host's own tables would be read; the host changes it by changing its code. */
const indexed = (companies: ReadonlyArray<ListedCompany>) => {
  const byCnpj = new Map<string, HostCompany>()
  const byPixKey = new Map<string, HostCompany>()
  const callbacks = new Map<string, HostEndpoint>()
  for (const listed of companies) {
    const { company } = Result.getOrThrow(parseCompany(listed, undefined))
    const { callback, ...facts } = listed
    if (byCnpj.has(company.cnpj)) throw refuseTwin(listed.cnpj, "cnpj")
    if (byPixKey.has(company.pixKey)) throw refuseTwin(listed.cnpj, "pixKey")
    byCnpj.set(company.cnpj, facts)
    byPixKey.set(company.pixKey, facts)
    if (callback !== undefined) callbacks.set(callbackId(company.cnpj), { ...callback, id: callbackId(company.cnpj) })
  }
  return { byCnpj, byPixKey, callbacks }
}

/**
 * A directory of the companies in a list. Whether a callback is paused is kept in this process only. Throws
 * `InvalidRegistration`, which names the company, the field and what is wrong with it.
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
