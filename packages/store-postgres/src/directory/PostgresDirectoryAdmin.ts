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
  type ResellerInput,
  resellerCnpj,
  resellersKeyRule,
} from "@pixcharge/core/directory"
import { hasTag, hideCause, newestKey } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import { type Cnpj, normalizeTaxId, type Reseller } from "@pixcharge/core/party"
import type { Database } from "../sql/Database.ts"
import type { SchemaSql, SqlValue } from "../sql/Sql.ts"
import { SqlFailure } from "../sql/SqlFailure.ts"
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

interface Secrets {
  readonly pepper: KeyRing
  readonly seal: Seal | undefined
}

const refuse = (cnpj: string, field: string, problem: string) => new InvalidRegistration({ cnpj, field, problem })

const uniqueViolation = "23505"

/** The PIX key is the only unique column besides the CNPJ. */
const isTakenPixKey = (error: unknown): boolean => error instanceof SqlFailure && error.sqlState === uniqueViolation

const digestKey = async (pepper: KeyRing, holder: string, integratorKey: string) => ({
  ...(await integratorKeyDigest(newestKey(pepper), holder, integratorKey)),
  registration: randomUUID(),
})

/** A column that is absent stays unchanged. */
const keyAndCallbackColumns = async (
  holder: Cnpj,
  { cnpj, integratorKey }: Pick<CompanyInput, "cnpj" | "integratorKey">,
  callback: Endpoint | undefined,
  { pepper, seal }: Secrets,
) => {
  const key = integratorKey === undefined ? {} : { key: await digestKey(pepper, holder, integratorKey) }
  if (callback?.target._tag !== "Http") return key
  if (seal === undefined) throw refuse(cnpj, "callback", "can't be kept: postgresDirectory was given no sealingKey")
  const { id, kinds, target } = callback
  const secrets = JSON.stringify(target.secrets.map((secret) => Redacted.value(secret)))
  return { ...key, endpointId: id, url: target.url, sealed: seal.seal(secrets, id), kinds }
}

type ActorName = string | null

class Registrations {
  readonly #read: Database["read"]
  readonly #secrets: Secrets

  constructor({ read }: Database, secrets: Secrets) {
    this.#read = read
    this.#secrets = secrets
  }

  async putCompany(input: CompanyInput, by: ActorName): Promise<void> {
    const parsed = parseCompany(input, await this.#findReseller(resellerCnpj(input)))
    const { company, callback } = Result.getOrThrow(parsed)
    const { cnpj: reseller, associated = true } = company.reseller ?? {}
    const columns = await keyAndCallbackColumns(company.cnpj, input, callback, this.#secrets)
    const row = JSON.stringify({ ...company, reseller, associated, ...columns })
    await this.#read(putCompany, [row, by]).catch((error: unknown) => {
      throw isTakenPixKey(error) ? refuse(input.cnpj, "pixKey", "is another company's") : error
    })
  }

  async putReseller(input: ResellerInput, by: ActorName): Promise<void> {
    const { reseller, callback } = Result.getOrThrow(parseReseller(input))
    const columns = await keyAndCallbackColumns(reseller.cnpj, input, callback, this.#secrets)
    await this.#read(putReseller, [JSON.stringify({ ...reseller, ...columns }), by])
  }

  async rotateKey(cnpj: string, integratorKey: string, by: ActorName): Promise<string> {
    Result.getOrThrow(checkIntegratorKey(cnpj, integratorKey))
    const holder = normalizeTaxId(cnpj)
    const { kid, hmac, registration } = await digestKey(this.#secrets.pepper, holder, integratorKey)
    const rows = await this.#read(putKey, [holder, kid, hmac, registration, by])
    if (rows.length > 0) return integratorKey
    const [company] = await this.#read(findCompanyByCnpj, [holder])
    throw company ? refuse(cnpj, "integratorKey", resellersKeyRule) : refuse(cnpj, "cnpj", "is not registered")
  }

  /** The statement returns a row for each reseller and company with the CNPJ. */
  async change(statement: SchemaSql, cnpj: string, ...values: Array<SqlValue>): Promise<void> {
    const rows = await this.#read(statement, [normalizeTaxId(cnpj), ...values])
    if (rows.length === 0) throw refuse(cnpj, "cnpj", "is not registered")
  }

  async removeCallback(cnpj: string, by: ActorName): Promise<void> {
    await this.#read(removeCallback, [normalizeTaxId(cnpj), by])
  }

  async #findReseller(cnpj: string): Promise<Reseller | undefined> {
    const [row] = await this.#read(findReseller, [cnpj])
    return row && (JSON.parse(String(row["reseller"])) as Reseller)
  }
}

/** Calls `onChange` after each change, even a failed one. */
export const makeDirectoryAdmin = (database: Database, secrets: Secrets, onChange: () => void) => {
  const registrations = new Registrations(database, secrets)

  const change = <A>(operation: string, make: (by: ActorName) => Promise<A>) =>
    Effect.flatMap(currentActor, (by) =>
      Effect.tryPromise({
        try: () => make(by ?? null),
        catch: (cause) =>
          hasTag<InvalidRegistration>(cause, "InvalidRegistration")
            ? cause
            : new DirectoryUnavailable({ operation, cause: hideCause(cause) }),
      }),
    ).pipe(Effect.ensuring(Effect.sync(onChange)))

  return DirectoryAdmin.of({
    putCompany: (input) => change("putCompany", (by) => registrations.putCompany(input, by)),
    putReseller: (input) => change("putReseller", (by) => registrations.putReseller(input, by)),
    rotateKey: (cnpj, integratorKey = newIntegratorKey()) =>
      change("rotateKey", (by) => registrations.rotateKey(cnpj, integratorKey, by)),
    revokeKey: (cnpj) => change("revokeKey", (by) => registrations.change(removeKey, cnpj, by)),
    setAssociated: (cnpj, associated) =>
      change("setAssociated", (by) => registrations.change(setAssociated, cnpj, associated, by)),
    setWallet: (cnpj, active) => change("setWallet", (by) => registrations.change(setWallet, cnpj, active, by)),
    removeCallback: (cnpj) => change("removeCallback", (by) => registrations.removeCallback(cnpj, by)),
  })
}
