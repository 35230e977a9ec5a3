import { currentActor, DirectoryAdmin, DirectoryUnavailable } from "@pixcharge/core"
import {
  checkIntegratorKey,
  type CompanyInput,
  type Endpoint,
  integratorKeyDigest,
  InvalidRegistration,
  type KeyRing,
  newIntegratorKey,
  parseCompany,
  parseReseller,
  resellerCnpj,
  resellersKeyRule,
} from "@pixcharge/core/directory"
import { hasTag, hideCause } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import { type Cnpj, normalizeTaxId, type Reseller } from "@pixcharge/core/party"
import type { Database } from "../database/Database.ts"
import type { SchemaSql } from "../database/Sql.ts"
import { SqlFailure } from "../database/SqlFailure.ts"
import {
  findCompanyByCnpj,
  findReseller,
  putCompany,
  putKey,
  putReseller,
  removeCallback,
  removeKey,
  setAssociated,
  setWallet,
} from "./directory.sql.ts"
import type { Seal } from "./keys.ts"

/** With what keys and secrets are kept. */
interface Keeping {
  readonly pepper: KeyRing
  readonly seal: Seal | undefined
}

const refusal = (cnpj: string, field: string, problem: string) => new InvalidRegistration({ cnpj, field, problem })

const uniqueViolation = "23505"

/** The PIX key is the only unique thing beside the CNPJ itself. */
const isTakenPixKey = (error: unknown): boolean => error instanceof SqlFailure && error.sqlState === uniqueViolation

/** What is kept of a key, and a name for this registration of it. */
const keptKey = async ([newest]: KeyRing, holder: string, integratorKey: string) => ({
  ...(await integratorKeyDigest(newest, holder, integratorKey)),
  registration: randomUUID(),
})

/** The columns of a key and of a callback; absent for what stays as it was. */
const keyAndCallback = async (
  holder: Cnpj,
  { cnpj, integratorKey }: Pick<CompanyInput, "cnpj" | "integratorKey">,
  callback: Endpoint | undefined,
  { pepper, seal }: Keeping,
) => {
  const key = integratorKey === undefined ? {} : { key: await keptKey(pepper, holder, integratorKey) }
  if (callback?.target._tag !== "Http") return key
  if (seal === undefined) throw refusal(cnpj, "callback", "can't be kept: postgresDirectory was given no sealingKey")
  const { id, kinds, target } = callback
  const secrets = JSON.stringify(target.secrets.map((secret) => Redacted.value(secret)))
  return { ...key, endpointId: id, url: target.url, sealed: seal.seal(secrets, id), kinds }
}

/** Changes of the tables; `changed` is called after each, whether it was carried out or not. */
export const makeDirectoryAdmin = ({ read }: Database, keeping: Keeping, changed: () => void) => {
  const change = <A>(operation: string, make: (by: string | null) => Promise<A>) =>
    Effect.flatMap(currentActor, (by) =>
      Effect.tryPromise({
        try: () => make(by ?? null),
        catch: (cause) =>
          hasTag<InvalidRegistration>(cause, "InvalidRegistration")
            ? cause
            : new DirectoryUnavailable({ operation, cause: hideCause(cause) }),
      }),
    ).pipe(Effect.ensuring(Effect.sync(changed)))

  /** A change that returns a row for each that has the CNPJ. */
  const changeRegistered = (operation: string, statement: SchemaSql, cnpj: string, ...values: Array<unknown>) =>
    change(operation, async (by) => {
      const rows = await read(statement, [normalizeTaxId(cnpj), ...values, by])
      if (rows.length === 0) throw refusal(cnpj, "cnpj", "is not registered")
    })

  const resellerAt = async (cnpj: string): Promise<Reseller | undefined> => {
    const [row] = await read(findReseller, [cnpj])
    return row && (JSON.parse(String(row["reseller"])) as Reseller)
  }

  const rotateKey = async (cnpj: string, integratorKey: string, by: string | null): Promise<string> => {
    Result.getOrThrow(checkIntegratorKey(cnpj, integratorKey))
    const holder = normalizeTaxId(cnpj)
    const { kid, hmac, registration } = await keptKey(keeping.pepper, holder, integratorKey)
    const rows = await read(putKey, [holder, kid, hmac, registration, by])
    if (rows.length > 0) return integratorKey
    const [company] = await read(findCompanyByCnpj, [holder])
    throw company ? refusal(cnpj, "integratorKey", resellersKeyRule) : refusal(cnpj, "cnpj", "is not registered")
  }

  return DirectoryAdmin.of({
    putCompany: (input) =>
      change("putCompany", async (by) => {
        const parsed = parseCompany(input, await resellerAt(resellerCnpj(input)))
        const { company, callback } = Result.getOrThrow(parsed)
        const { cnpj: reseller, associated = true } = company.reseller ?? {}
        const row = {
          ...company,
          reseller,
          associated,
          ...(await keyAndCallback(company.cnpj, input, callback, keeping)),
        }
        await read(putCompany, [JSON.stringify(row), by]).catch((error: unknown) => {
          throw isTakenPixKey(error) ? refusal(input.cnpj, "pixKey", "is another company's") : error
        })
      }),
    putReseller: (input) =>
      change("putReseller", async (by) => {
        const { reseller, callback } = Result.getOrThrow(parseReseller(input))
        const row = { ...reseller, ...(await keyAndCallback(reseller.cnpj, input, callback, keeping)) }
        await read(putReseller, [JSON.stringify(row), by])
      }),
    rotateKey: (cnpj, integratorKey = newIntegratorKey()) =>
      change("rotateKey", (by) => rotateKey(cnpj, integratorKey, by)),
    revokeKey: (cnpj) => changeRegistered("revokeKey", removeKey, cnpj),
    setAssociated: (cnpj, associated) => changeRegistered("setAssociated", setAssociated, cnpj, associated),
    setWallet: (cnpj, active) => changeRegistered("setWallet", setWallet, cnpj, active),
    removeCallback: (cnpj) =>
      change("removeCallback", async (by) => {
        await read(removeCallback, [normalizeTaxId(cnpj), by])
      }),
  })
}
