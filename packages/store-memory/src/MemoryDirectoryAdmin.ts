import {
  callbackId,
  checkIntegratorKey,
  type CompanyInput,
  DirectoryAdmin,
  InvalidRegistration,
  newIntegratorKey,
  normalizeTaxId,
  parseCompany,
  parseReseller,
  resellerCnpj,
  type ResellerInput,
  resellersKeyRule,
} from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { putEndpoint, putKey, type Register } from "./Register.ts"

type Change<A = void> = Result.Result<A, InvalidRegistration>

export const refuse = (cnpj: string, field: string, problem: string) =>
  Result.fail(new InvalidRegistration({ cnpj, field, problem }))

const notRegistered = (cnpj: string) => refuse(cnpj, "cnpj", "is not registered")

export const putCompany = (register: Register, input: CompanyInput): Change =>
  Result.gen(function* () {
    const { company, callback } = yield* parseCompany(input, register.resellers.get(resellerCnpj(input)))
    const { cnpj, pixKey } = company
    const owner = register.pixKeys.get(pixKey)
    if (owner !== undefined && owner !== cnpj) return yield* refuse(input.cnpj, "pixKey", "is another company's")
    const before = register.companies.get(cnpj)
    if (before !== undefined) register.pixKeys.delete(before.pixKey)
    register.pixKeys.set(pixKey, cnpj)
    register.companies.set(cnpj, company)
    if (input.integratorKey !== undefined) putKey(register, cnpj, input.integratorKey)
    if (callback !== undefined) putEndpoint(register, callback)
  })

export const putReseller = (register: Register, input: ResellerInput): Change =>
  Result.gen(function* () {
    const { reseller, callback } = yield* parseReseller(input)
    register.resellers.set(reseller.cnpj, reseller)
    if (input.integratorKey !== undefined) putKey(register, reseller.cnpj, input.integratorKey)
    if (callback !== undefined) putEndpoint(register, callback)
  })

const rotateKey = (register: Register, written: string, integratorKey: string = newIntegratorKey()): Change<string> =>
  Result.gen(function* () {
    const cnpj = normalizeTaxId(written)
    const company = register.companies.get(cnpj)
    yield* checkIntegratorKey(written, integratorKey)
    if (!register.resellers.has(cnpj)) {
      if (company === undefined) return yield* notRegistered(written)
      if (company.reseller !== undefined) return yield* refuse(written, "integratorKey", resellersKeyRule)
    }
    putKey(register, cnpj, integratorKey)
    return integratorKey
  })

const revokeKey = (register: Register, written: string): Change => {
  const cnpj = normalizeTaxId(written)
  if (!register.resellers.has(cnpj) && !register.companies.has(cnpj)) return notRegistered(written)
  return Result.succeed(putKey(register, cnpj, undefined))
}

const setAssociated = ({ companies }: Register, written: string, associated: boolean): Change => {
  const company = companies.get(normalizeTaxId(written))
  if (company === undefined) return notRegistered(written)
  const { reseller } = company
  if (reseller !== undefined) companies.set(company.cnpj, { ...company, reseller: { ...reseller, associated } })
  return Result.void
}

const setWallet = ({ companies, resellers }: Register, written: string, walletActive: boolean): Change => {
  const cnpj = normalizeTaxId(written)
  const [company, reseller] = [companies.get(cnpj), resellers.get(cnpj)]
  if (company === undefined && reseller === undefined) return notRegistered(written)
  if (company !== undefined) companies.set(cnpj, { ...company, walletActive })
  if (reseller !== undefined) resellers.set(cnpj, { ...reseller, walletActive })
  return Result.void
}

const removeCallback = ({ endpoints }: Register, written: string): Change => {
  endpoints.delete(callbackId(normalizeTaxId(written)))
  return Result.void
}

/** Changes of a register; `changed` is called before each. */
export const makeDirectoryAdmin = (register: Register, changed: () => void) => {
  const change = <A>(make: () => Change<A>): Effect.Effect<A, InvalidRegistration> =>
    Effect.suspend(() => {
      changed()
      return Effect.fromResult(make())
    })
  return DirectoryAdmin.of({
    putCompany: (company) => change(() => putCompany(register, company)),
    putReseller: (reseller) => change(() => putReseller(register, reseller)),
    rotateKey: (cnpj, integratorKey) => change(() => rotateKey(register, cnpj, integratorKey)),
    revokeKey: (cnpj) => change(() => revokeKey(register, cnpj)),
    setAssociated: (cnpj, associated) => change(() => setAssociated(register, cnpj, associated)),
    setWallet: (cnpj, active) => change(() => setWallet(register, cnpj, active)),
    removeCallback: (cnpj) => change(() => removeCallback(register, cnpj)),
  })
}
