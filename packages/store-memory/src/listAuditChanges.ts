import type { AuditChange } from "@pixcharge/core"
import { callbackId, type Endpoint, endpointHost } from "@pixcharge/core/directory"
import type { Company, Reseller } from "@pixcharge/core/party"
import type { DirectoryState } from "./DirectoryState.ts"

/** What is registered under one CNPJ. */
interface Registration {
  readonly company: Company | undefined
  readonly reseller: Reseller | undefined
  readonly key: string | undefined
  readonly endpoint: Endpoint | undefined
}

export const findRegistration = (state: DirectoryState, cnpj: string): Registration => ({
  company: state.companies.get(cnpj),
  reseller: state.resellers.get(cnpj),
  key: state.keys.get(cnpj)?.key,
  endpoint: state.endpoints.get(callbackId(cnpj)),
})

/** What other kinds of records tell. */
const separateFields = new Set(["cnpj", "walletActive", "reseller"])

const findChangedFacts = (before: object, after: object): ReadonlyArray<string> => {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((fact) => !separateFields.has(fact) && JSON.stringify(was.get(fact)) !== JSON.stringify(is.get(fact)))
    .toSorted()
}

const listFactChanges = <Of extends "company" | "reseller">(
  of: Of,
  before: Company | Reseller | undefined,
  after: Company | Reseller | undefined,
): ReadonlyArray<AuditChange> => {
  if (after === undefined) return []
  const changes: Array<AuditChange> = []
  const facts = before && findChangedFacts(before, after)
  if (facts === undefined) changes.push({ kind: `${of}Registered` })
  else if (facts.length > 0) changes.push({ kind: `${of}Changed`, facts })
  if ((before?.walletActive ?? true) !== after.walletActive) {
    changes.push({ kind: after.walletActive ? "walletActivated" : "walletDeactivated", of })
  }
  return changes
}

const findReseller = (company: Company | undefined): string | undefined =>
  company?.reseller?.associated ? company.reseller.cnpj : undefined

const listAssociationChanges = (before: string | undefined, after: string | undefined): ReadonlyArray<AuditChange> => {
  if (before === after) return []
  const end = before === undefined ? [] : [{ kind: "associationEnded", reseller: before } as const]
  return after === undefined ? end : [...end, { kind: "associationBegun", reseller: after }]
}

const listKeyChanges = (before: string | undefined, after: string | undefined): ReadonlyArray<AuditChange> => {
  if (before === after) return []
  if (after === undefined) return [{ kind: "keyRevoked" }]
  return [{ kind: before === undefined ? "keySet" : "keyReplaced" }]
}

const readHost = (endpoint: Endpoint): string => endpointHost(endpoint) ?? ""

const statusKinds = { enabled: "endpointResumed", paused: "endpointPaused", disabled: "endpointDisabled" } as const

const listEndpointChanges = (before: Endpoint | undefined, after: Endpoint | undefined): ReadonlyArray<AuditChange> => {
  const endpointId = (after ?? before)?.id ?? ""
  if (before === undefined || after === undefined) {
    if (after !== undefined) return [{ kind: "endpointSet", endpointId, host: readHost(after) }]
    return before === undefined ? [] : [{ kind: "endpointRemoved", endpointId, host: readHost(before) }]
  }
  const changes: Array<AuditChange> = []
  // Every registration makes a target of its own.
  if (before.target !== after.target) {
    changes.push({ kind: "endpointReplaced", endpointId, host: readHost(after), hostBefore: readHost(before) })
  }
  if (before.status !== after.status) changes.push({ kind: statusKinds[after.status], endpointId })
  return changes
}

/** What is recorded of a change. */
export const listAuditChanges = (before: Registration, after: Registration): ReadonlyArray<AuditChange> => [
  ...listFactChanges("reseller", before.reseller, after.reseller),
  ...listFactChanges("company", before.company, after.company),
  ...listAssociationChanges(findReseller(before.company), findReseller(after.company)),
  ...listKeyChanges(before.key, after.key),
  ...listEndpointChanges(before.endpoint, after.endpoint),
]
