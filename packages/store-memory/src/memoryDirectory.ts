import { CallbackEndpoints, CompanyDirectory, DirectoryAdmin } from "@pixcharge/core"
import { normalizePixKey } from "@pixcharge/core/brcode"
import { type CompanyInput, type DirectoryEntry, makeKeyCheck, type ResellerInput } from "@pixcharge/core/directory"
import { normalizeTaxId } from "@pixcharge/core/party"
import { aList, checkOptions, type OptionRules, required } from "@pixcharge/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { MemoryAudit } from "./MemoryAudit.ts"
import {
  type Audited,
  makeAudited,
  makeDirectoryAdmin,
  putCompany,
  putReseller,
  refuse,
} from "./MemoryDirectoryAdmin.ts"
import { type DirectoryState, endpointOwner, findByPixKey, findEndpoints, findEntry } from "./DirectoryState.ts"

/** The initial registrations. */
export interface MemoryDirectoryOptions {
  /** The companies that issue. */
  readonly companies: ReadonlyArray<CompanyInput>
  /** The resellers whose key some of the companies use. */
  readonly resellers?: ReadonlyArray<ResellerInput>
}

const isRegistration = (value: unknown): boolean =>
  Predicate.hasProperty(value, "cnpj") && typeof value.cnpj === "string"

const rules: OptionRules<MemoryDirectoryOptions> = {
  companies: required(aList("registrations, each with its cnpj as a string", isRegistration)),
  resellers: aList("registrations, each with its cnpj as a string", isRegistration),
}

const refuseTwin = (registered: ReadonlyMap<string, unknown>, cnpj: string): void => {
  if (registered.has(normalizeTaxId(cnpj))) Result.getOrThrow(refuse(cnpj, "cnpj", "is registered twice"))
}

const fillState = ({ companies, resellers = [] }: MemoryDirectoryOptions): DirectoryState => {
  const state: DirectoryState = { companies: new Map(), resellers: new Map(), keys: new Map(), endpoints: new Map() }
  for (const reseller of resellers) {
    refuseTwin(state.resellers, reseller.cnpj)
    Result.getOrThrow(putReseller(state, reseller))
  }
  for (const company of companies) {
    refuseTwin(state.companies, company.cnpj)
    Result.getOrThrow(putCompany(state, company))
  }
  return state
}

export interface MemoryDirectory extends Layer.Layer<CompanyDirectory | CallbackEndpoints | DirectoryAdmin> {}

/**
 * Companies, resellers and their callbacks in this process's memory: for tests, trials, and hosts that list their few companies
 * in code. Throws `InvalidRegistration`, whose message is one sentence with the flaw and its reason, or `InvalidOption`.
 */
export const memoryDirectory = (options: MemoryDirectoryOptions): MemoryDirectory => {
  checkOptions("memoryDirectory", options, rules)
  const state = fillState(options)
  /** An entry stays the same object until something changes, so callers can use it as a cache key. */
  const entries = new Map<string, DirectoryEntry>()

  const find = (cnpj: string): DirectoryEntry | undefined => {
    const known = entries.get(cnpj)
    if (known !== undefined) return known
    const entry = findEntry(state, cnpj)
    if (entry !== undefined) entries.set(cnpj, entry)
    return entry
  }

  const checkKey = makeKeyCheck()
  const directory = CompanyDirectory.of({
    find: (cnpj) => Effect.sync(() => find(cnpj)),
    verifyKey: (cnpj, integratorKey) =>
      Effect.suspend(() => checkKey(integratorKey, findEntry(state, cnpj)?.credential)),
    byPixKey: (pixKey) =>
      Effect.sync(() => {
        const company = findByPixKey(state, normalizePixKey(pixKey))
        return company && find(company.cnpj)
      }),
  })
  const makeEndpoints = (audited: Audited) =>
    CallbackEndpoints.of({
      forCompany: (issuer) => Effect.sync(() => findEndpoints(state, issuer)),
      find: (endpointId) => Effect.sync(() => state.endpoints.get(endpointId)),
      setStatus: (endpointId, status) =>
        audited(endpointOwner(state, endpointId) ?? "", () => {
          const endpoint = state.endpoints.get(endpointId)
          if (endpoint !== undefined) state.endpoints.set(endpointId, { ...endpoint, status })
        }),
    })
  return Layer.effectContext(
    Effect.map(MemoryAudit, (audit) => {
      const audited = makeAudited(state, audit)
      return Context.make(CompanyDirectory, directory).pipe(
        Context.add(CallbackEndpoints, makeEndpoints(audited)),
        Context.add(
          DirectoryAdmin,
          makeDirectoryAdmin(state, audited, () => entries.clear()),
        ),
      )
    }),
  ).pipe(Layer.provide(MemoryAudit.layer))
}
