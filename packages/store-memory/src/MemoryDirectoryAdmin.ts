import { type AuditChange, currentActor, DirectoryAdmin } from "@pixcharge/core"
import {
  callbackId,
  checkIntegratorKey,
  type CompanyInput,
  type Endpoint,
  endpointHost,
  InvalidRegistration,
  newIntegratorKey,
  parseCompany,
  parseReseller,
  resellerCnpj,
  type ResellerInput,
  resellersKeyRule,
} from "@pixcharge/core/directory"
import { type Cnpj, type Company, normalizeTaxId, type Reseller } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type DirectoryState, findByPixKey, putKey } from "./DirectoryState.ts"
import type { Audit } from "./MemoryAudit.ts"

type Change<A = void> = Result.Result<A, InvalidRegistration>

export const refuse = (cnpj: string, field: string, problem: string) =>
  Result.fail(new InvalidRegistration({ cnpj, field, problem }))

const failNotRegistered = (cnpj: string) => refuse(cnpj, "cnpj", "is not registered")

/** Without a key or a callback, the stored key or callback stays. A replaced callback keeps its status. */
const putKeyAndCallback = (state: DirectoryState, holder: string, key?: string, callback?: Endpoint): void => {
  if (key !== undefined) putKey(state, holder, key)
  if (callback === undefined) return
  const { status } = state.endpoints.get(callback.id) ?? callback
  state.endpoints.set(callback.id, { ...callback, status })
}

export const putCompany = (state: DirectoryState, input: CompanyInput): Change =>
  Result.gen(function* () {
    const { company, callback } = yield* parseCompany(input, state.resellers.get(resellerCnpj(input)))
    const owner = findByPixKey(state, company.pixKey)
    if ((owner ?? company).cnpj !== company.cnpj) return yield* refuse(input.cnpj, "pixKey", "is another company's")
    state.companies.set(company.cnpj, company)
    putKeyAndCallback(state, company.cnpj, input.integratorKey, callback)
  })

export const putReseller = (state: DirectoryState, input: ResellerInput): Change =>
  Result.map(parseReseller(input), ({ reseller, callback }) => {
    state.resellers.set(reseller.cnpj, reseller)
    putKeyAndCallback(state, reseller.cnpj, input.integratorKey, callback)
  })

const rotateKey = (state: DirectoryState, givenCnpj: string, integratorKey = newIntegratorKey()): Change<string> =>
  Result.gen(function* () {
    const cnpj = normalizeTaxId(givenCnpj)
    const company = state.companies.get(cnpj)
    yield* checkIntegratorKey(givenCnpj, integratorKey)
    if (!state.resellers.has(cnpj)) {
      if (company === undefined) return yield* failNotRegistered(givenCnpj)
      if (company.reseller !== undefined) return yield* refuse(givenCnpj, "integratorKey", resellersKeyRule)
    }
    putKey(state, cnpj, integratorKey)
    return integratorKey
  })

const revokeKey = (state: DirectoryState, givenCnpj: string): Change => {
  const cnpj = normalizeTaxId(givenCnpj)
  if (!state.resellers.has(cnpj) && !state.companies.has(cnpj)) return failNotRegistered(givenCnpj)
  putKey(state, cnpj, undefined)
  return Result.void
}

const setAssociated = ({ companies }: DirectoryState, givenCnpj: string, associated: boolean): Change => {
  const company = companies.get(normalizeTaxId(givenCnpj))
  if (company === undefined) return failNotRegistered(givenCnpj)
  const reseller = company.reseller && { ...company.reseller, associated }
  companies.set(company.cnpj, { ...company, ...(reseller && { reseller }) })
  return Result.void
}

const setWallet = ({ companies, resellers }: DirectoryState, givenCnpj: string, walletActive: boolean): Change => {
  const cnpj = normalizeTaxId(givenCnpj)
  const [company, reseller] = [companies.get(cnpj), resellers.get(cnpj)]
  if (company === undefined && reseller === undefined) return failNotRegistered(givenCnpj)
  if (company !== undefined) companies.set(cnpj, { ...company, walletActive })
  if (reseller !== undefined) resellers.set(cnpj, { ...reseller, walletActive })
  return Result.void
}

export type Audited = <A>(cnpj: string, make: () => A) => Effect.Effect<A>

export const makeAudited =
  (state: DirectoryState, audit: Audit): Audited =>
  (cnpj, make) =>
    Effect.map(currentActor, (by) => {
      const before = findRegistration(state, cnpj)
      const made = make()
      audit.append(cnpj as Cnpj, by, listAuditChanges(before, findRegistration(state, cnpj)))
      return made
    })

export const makeDirectoryAdmin = (state: DirectoryState, audited: Audited, changed: () => void) => {
  const change = <A>(givenCnpj: string, make: () => Change<A>): Effect.Effect<A, InvalidRegistration> =>
    Effect.suspend(() => {
      changed()
      return Effect.flatMap(audited(normalizeTaxId(givenCnpj), make), Effect.fromResult)
    })
  return DirectoryAdmin.of({
    putCompany: (company) => change(company.cnpj, () => putCompany(state, company)),
    putReseller: (reseller) => change(reseller.cnpj, () => putReseller(state, reseller)),
    rotateKey: (cnpj, integratorKey) => change(cnpj, () => rotateKey(state, cnpj, integratorKey)),
    revokeKey: (cnpj) => change(cnpj, () => revokeKey(state, cnpj)),
    setAssociated: (cnpj, associated) => change(cnpj, () => setAssociated(state, cnpj, associated)),
    setWallet: (cnpj, active) => change(cnpj, () => setWallet(state, cnpj, active)),
    removeCallback: (cnpj) =>
      change(cnpj, () => {
        state.endpoints.delete(callbackId(normalizeTaxId(cnpj)))
        return Result.void
      }),
  })
}

interface Registration {
  readonly company: Company | undefined
  readonly reseller: Reseller | undefined
  readonly key: string | undefined
  readonly endpoint: Endpoint | undefined
}

const findRegistration = (state: DirectoryState, cnpj: string): Registration => ({
  company: state.companies.get(cnpj),
  reseller: state.resellers.get(cnpj),
  key: state.keys.get(cnpj)?.key,
  endpoint: state.endpoints.get(callbackId(cnpj)),
})

/** The fields whose changes other kinds of records report. */
const separateFields = new Set(["cnpj", "walletActive", "reseller"])

const findChangedFacts = (before: object, after: object): ReadonlyArray<string> => {
  const [oldFacts, newFacts] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...oldFacts.keys(), ...newFacts.keys()])]
    .filter(
      (fact) => !separateFields.has(fact) && JSON.stringify(oldFacts.get(fact)) !== JSON.stringify(newFacts.get(fact)),
    )
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
  // Every registration makes a new target object, even for the same address.
  if (before.target !== after.target) {
    changes.push({ kind: "endpointReplaced", endpointId, host: readHost(after), hostBefore: readHost(before) })
  }
  if (before.status !== after.status) changes.push({ kind: statusKinds[after.status], endpointId })
  return changes
}

const listAuditChanges = (before: Registration, after: Registration): ReadonlyArray<AuditChange> => [
  ...listFactChanges("reseller", before.reseller, after.reseller),
  ...listFactChanges("company", before.company, after.company),
  ...listAssociationChanges(findReseller(before.company), findReseller(after.company)),
  ...listKeyChanges(before.key, after.key),
  ...listEndpointChanges(before.endpoint, after.endpoint),
]
