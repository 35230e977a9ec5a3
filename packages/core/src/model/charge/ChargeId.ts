import * as Result from "effect/Result"
import type { Cnpj } from "../party/Cnpj.ts"
import { makeRecentMap } from "../../runtime/RecentMap.ts"
import { TaggedError } from "../../runtime/error.ts"
import { isUuid } from "../../runtime/storable.ts"
import { sha256 } from "./sha256.ts"

declare const brand: unique symbol

/** The caller's UUID for a charge, in lower case; unique within one company (decision 6). */
export type ChargeId = string & { readonly [brand]: "ChargeId" }

/** The charge's id at the processor, made of company and charge id: 35 characters (API Pix: `[a-zA-Z0-9]{26,35}`). */
export type Txid = string & { readonly [brand]: "Txid" }

/**
 * A text that should identify a charge is no UUID.
 *
 * @remedy Give the UUID under which the charge was issued.
 * @repeat No, only with another id.
 */
export class InvalidChargeId extends TaggedError("InvalidChargeId") {
  override get message(): string {
    return "The id of a charge must be a UUID: give the one under which it was issued."
  }
}

/** Accepts a UUID of any version and case; returns it in lower case (decision 6). */
export const parseChargeId = (text: string): Result.Result<ChargeId, InvalidChargeId> =>
  isUuid(text) ? Result.succeed(text.toLowerCase() as ChargeId) : Result.fail(new InvalidChargeId())

// In base 36: 25 digits of the UUID, 6 of the company, 4 check digits. One in four million foreign txids passes the check
// by chance.
const txidForm = /^[0-9a-z]{35}$/i
const uuidCount = 2n ** 128n
const companyCount = 36n ** 6n
const checkCount = 36n ** 4n
const partCount = 36n ** 7n
/** The largest prime below 36^4: the check finds every error in one or two digits. */
const checkModulus = 1_679_609n

const companyNumbers = makeRecentMap<Cnpj, bigint>(20_000)

const companyNumber = (issuer: Cnpj): bigint => {
  const known = companyNumbers.get(issuer)
  if (known !== undefined) return known
  const number = BigInt(`0x${sha256(`pixcharge txid of ${issuer}`)}`) % companyCount
  companyNumbers.set(issuer, number)
  return number
}

/**
 * The charge's txid, computed from company and id. A repeated registration never makes a second charge, and companies that
 * share an account never make the same txid (decision 59).
 *
 * @example
 * ```ts
 * import { chargeTxid, parseChargeId } from "@pixcharge/core/charges"
 * import { parseCnpj } from "@pixcharge/core/party"
 * import * as Result from "effect/Result"
 *
 * const issuer = Result.getOrThrow(parseCnpj("11222333000181"))
 * const id = Result.getOrThrow(parseChargeId("7F9C2B1A-3D4E-4F5A-8B6C-0D1E2F3A4B5C"))
 * chargeTxid(issuer, id) // => "7jz1t7vt6ma95bx7v03l6ch24ylro7h268g"
 * ```
 */
export const chargeTxid = (issuer: Cnpj, id: ChargeId): Txid => {
  const named = BigInt(`0x${id.replaceAll("-", "")}`) * companyCount + companyNumber(issuer)
  return (named * checkCount + (named % checkModulus)).toString(36).padStart(35, "0") as Txid
}

interface TxidParts {
  readonly id: ChargeId
  readonly company: bigint
}

const parseTxid = (txid: string): TxidParts | undefined => {
  if (!txidForm.test(txid)) return undefined
  let number = 0n
  for (let index = 0; index < 35; index += 7)
    number = number * partCount + BigInt(Number.parseInt(txid.slice(index, index + 7), 36))
  const named = number / checkCount
  const uuid = named / companyCount
  if (named % checkModulus !== number % checkCount || uuid >= uuidCount) return undefined
  const hex = uuid.toString(16).padStart(32, "0")
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") as ChargeId
  return { id, company: named % companyCount }
}

let lastRead: { readonly txid: string; readonly parts: TxidParts | undefined } | undefined

const readTxid = (txid: string | undefined): TxidParts | undefined => {
  if (txid === undefined) return undefined
  if (lastRead?.txid !== txid) lastRead = { txid, parts: parseTxid(txid) }
  return lastRead.parts
}

/** Undefined for a txid that `chargeTxid` didn't make for this company; ignores case. */
export const chargeIdFromTxid = (issuer: Cnpj, txid: string | undefined): ChargeId | undefined => {
  const read = readTxid(txid)
  return read?.company === companyNumber(issuer) ? read.id : undefined
}

export const companiesInTxids = (companies: ReadonlyArray<Cnpj>, txids: ReadonlyArray<string>): ReadonlyArray<Cnpj> => {
  const numbers = new Set(txids.map((txid) => readTxid(txid)?.company))
  return companies.filter((company) => numbers.has(companyNumber(company)))
}

export const isTxidOfAnother = (issuer: Cnpj, txid: string | undefined): boolean => {
  const read = readTxid(txid)
  return read !== undefined && read.company !== companyNumber(issuer)
}
