import {
  type CompanyRegistration,
  InvalidRegistration,
  normalizeTaxId,
  parseRegisteredCompany,
  parseRegisteredEndpoint,
  parseReseller,
  type ResellerRegistration,
} from "@pixcharge/core"
import * as Result from "effect/Result"
import type { Database, Row } from "../database/Database.ts"
import { SqlFailure } from "../database/SqlFailure.ts"
import { textIn } from "../database/values.ts"
import {
  findReseller,
  putCompany,
  putKey,
  putReseller,
  removeCallback,
  setAssociated,
  setWallet,
} from "./directory.sql.ts"
import { digestOf, newIntegratorKey } from "./keys.ts"
import { companyRowOf, endpointIdOf, type Keeping, resellerRowOf } from "./RegistrationRow.ts"

/** A reseller's registration; a key or callback that is left out stays as it was. */
export interface ResellerToKeep extends Omit<ResellerRegistration, "integratorKey"> {
  readonly integratorKey?: string
}

/**
 * Changes registrations while the service runs; in this process each change takes effect at once, in others within the
 * directory's age. All reject with `InvalidRegistration` or `SqlFailure`.
 */
export interface Registrar {
  /** Adds a reseller, or replaces its facts. Another key is the next version of the key. */
  readonly putReseller: (reseller: ResellerToKeep) => Promise<void>
  /** Adds a company, or replaces its facts; a key or callback that is left out stays as it was. */
  readonly putCompany: (company: CompanyRegistration) => Promise<void>
  /**
   * Replaces the key of a reseller or a company and answers with the new one, which is shown only here: a given one, or
   * 32 random bytes. Tokens made with the old key are refused from now on.
   */
  readonly rotateKey: (cnpj: string, integratorKey?: string) => Promise<string>
  /** Takes the key away: its holder, and a reseller's companies, can't authenticate until there is another. */
  readonly revokeKey: (cnpj: string) => Promise<void>
  /** Ends a company's association with its reseller, or renews it. */
  readonly setAssociated: (cnpj: string, associated: boolean) => Promise<void>
  /** Switches the wallet of the reseller, the company or both that have this CNPJ. */
  readonly setWallet: (cnpj: string, active: boolean) => Promise<void>
  /** Events of this reseller or company go nowhere any more; what waits for its callback becomes a dead letter. */
  readonly removeCallback: (cnpj: string) => Promise<void>
}

const refusal = (cnpj: string, field: string, problem: string) => new InvalidRegistration({ cnpj, field, problem })

const uniqueViolation = "23505"

const checkCallback = ({ cnpj, callback }: Pick<CompanyRegistration, "cnpj" | "callback">): void => {
  if (callback !== undefined) Result.getOrThrow(parseRegisteredEndpoint({ ...callback, id: endpointIdOf(cnpj) }, cnpj))
}

const known = (cnpj: string, rows: ReadonlyArray<Row>): void => {
  if (rows.length === 0) throw refusal(cnpj, "cnpj", "is not registered")
}

/** Statements are run through `write`, which brings the schema up first and makes the change seen after. */
export const makeRegistrar = (
  database: Database,
  keeping: Keeping,
  write: <A>(change: () => Promise<A>) => Promise<A>,
): Registrar => {
  const { schema } = database
  const run = async (statement: Parameters<Database["run"]>[0], values: Array<unknown>): Promise<ReadonlyArray<Row>> =>
    (await database.run(statement, values)).rows

  const resellerAt = async (cnpj: string): Promise<Row | undefined> => (await run(findReseller(schema), [cnpj]))[0]

  const checkCompany = async ({
    reseller: named,
    associated: _,
    callback,
    integratorKey,
    ...facts
  }: CompanyRegistration) => {
    const cnpj = normalizeTaxId(facts.cnpj)
    const reseller = await resellerAt(named === undefined ? cnpj : normalizeTaxId(named))
    if (named !== undefined && reseller === undefined)
      throw refusal(facts.cnpj, "reseller", `${named} is not registered`)
    checkCallback({ cnpj: facts.cnpj, ...(callback && { callback }) })
    const its = reseller && { cnpj: textIn(reseller, "cnpj"), name: textIn(reseller, "name") }
    if (callback !== undefined && its?.cnpj === cnpj) {
      throw refusal(facts.cnpj, "callback", "is registered with the reseller of this CNPJ")
    }
    const key = integratorKey !== undefined && { integratorKey }
    Result.getOrThrow(parseRegisteredCompany({ ...facts, ...key, ...(its && { reseller: its }) }))
  }

  return {
    putReseller: (reseller) =>
      write(async () => {
        Result.getOrThrow(parseReseller(reseller))
        if (reseller.integratorKey === "") throw refusal(reseller.cnpj, "integratorKey", "is empty")
        checkCallback(reseller)
        await run(putReseller(schema), [JSON.stringify(resellerRowOf(reseller, keeping))])
      }),
    putCompany: (company) =>
      write(async () => {
        await checkCompany(company)
        try {
          await run(putCompany(schema), [JSON.stringify(companyRowOf(company, keeping))])
        } catch (error) {
          // The only unique thing beside the CNPJ itself.
          const isTaken = error instanceof SqlFailure && error.code === uniqueViolation
          throw isTaken ? refusal(company.cnpj, "pixKey", "is another company's") : error
        }
      }),
    rotateKey: (cnpj, integratorKey = newIntegratorKey()) =>
      write(async () => {
        if (integratorKey === "") throw refusal(cnpj, "integratorKey", "is empty")
        known(cnpj, await run(putKey(schema), [normalizeTaxId(cnpj), digestOf(keeping.pepper, integratorKey)]))
        return integratorKey
      }),
    revokeKey: (cnpj) => write(async () => known(cnpj, await run(putKey(schema), [normalizeTaxId(cnpj), null]))),
    setAssociated: (cnpj, associated) =>
      write(async () => known(cnpj, await run(setAssociated(schema), [normalizeTaxId(cnpj), associated]))),
    setWallet: (cnpj, active) =>
      write(async () => known(cnpj, await run(setWallet(schema), [normalizeTaxId(cnpj), active]))),
    removeCallback: (cnpj) =>
      write(async () => {
        await run(removeCallback(schema), [normalizeTaxId(cnpj)])
      }),
  }
}
