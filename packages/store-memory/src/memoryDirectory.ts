import {
  CallbackEndpoints,
  CompanyDirectory,
  type CompanyInput,
  DirectoryAdmin,
  type DirectoryEntry,
  normalizeTaxId,
  type ResellerInput,
} from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeDirectoryAdmin, putCompany, putReseller, refuse } from "./MemoryDirectoryAdmin.ts"
import { emptyRegister, findEndpoints, findEntry, type Register } from "./Register.ts"

/** Who is registered from the beginning. */
export interface MemoryDirectoryOptions {
  readonly companies: ReadonlyArray<CompanyInput>
  readonly resellers?: ReadonlyArray<ResellerInput>
}

const refuseTwins = (inputs: ReadonlyArray<{ readonly cnpj: string }>): void => {
  const seen = new Set<string>()
  for (const { cnpj } of inputs) {
    if (seen.has(normalizeTaxId(cnpj))) Result.getOrThrow(refuse(cnpj, "cnpj", "is registered twice"))
    seen.add(normalizeTaxId(cnpj))
  }
}

const filledRegister = ({ companies, resellers = [] }: MemoryDirectoryOptions): Register => {
  refuseTwins(resellers)
  refuseTwins(companies)
  const register = emptyRegister()
  for (const reseller of resellers) Result.getOrThrow(putReseller(register, reseller))
  for (const company of companies) Result.getOrThrow(putCompany(register, company))
  return register
}

/**
 * Companies, resellers and their callbacks in this process's memory: for tests and trials, and for hosts that write their
 * few companies into code. Throws `InvalidRegistration`, which says in one sentence what can't be used and why.
 */
export const memoryDirectory = (
  options: MemoryDirectoryOptions,
): Layer.Layer<CompanyDirectory | CallbackEndpoints | DirectoryAdmin> => {
  const register = filledRegister(options)
  /** Entries keep their identity until something changes: what is derived from a company can be remembered for it. */
  const entries = new Map<string, DirectoryEntry>()

  const find = (cnpj: string): DirectoryEntry | undefined => {
    const known = entries.get(cnpj)
    if (known !== undefined) return known
    const entry = findEntry(register, cnpj)
    if (entry !== undefined) entries.set(cnpj, entry)
    return entry
  }

  const directory = CompanyDirectory.of({
    find: (cnpj) => Effect.sync(() => find(cnpj)),
    byPixKey: (pixKey) =>
      Effect.sync(() => {
        const cnpj = register.pixKeys.get(pixKey)
        return cnpj === undefined ? undefined : find(cnpj)
      }),
  })
  const endpoints = CallbackEndpoints.of({
    forCompany: (issuer) => Effect.sync(() => findEndpoints(register, issuer)),
    find: (endpointId) => Effect.sync(() => register.endpoints.get(endpointId)),
    setStatus: (endpointId, status) =>
      Effect.sync(() => {
        const endpoint = register.endpoints.get(endpointId)
        if (endpoint !== undefined) register.endpoints.set(endpointId, { ...endpoint, status })
      }),
  })
  return Layer.succeedContext(
    Context.make(CompanyDirectory, directory).pipe(
      Context.add(CallbackEndpoints, endpoints),
      Context.add(
        DirectoryAdmin,
        makeDirectoryAdmin(register, () => entries.clear()),
      ),
    ),
  )
}
