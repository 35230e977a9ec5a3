import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import { type Fields, type FieldsOf, unknownField } from "../../runtime/options.ts"
import { crc16, formatCrc16 } from "../brcode/Crc16.ts"
import type { FeesInput } from "../money/Fees.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Company, Reseller } from "../party/Company.ts"
import { normalizeTaxId } from "../party/TaxId.ts"
import { type CompanyFacts, parseCompanyFacts, parseResellerFacts, type ResellerFacts } from "./CompanyFacts.ts"
import { callbackId, type CallbackInput, type Endpoint, parseEndpoint } from "./Endpoint.ts"
import { type Parsed, parseFlag, refuse } from "./directoryErrors.ts"

/** A reseller as a host registers it. */
export interface ResellerInput extends ResellerFacts {
  /** The key that authenticates the reseller and its companies: at least 12 characters. */
  readonly integratorKey?: string
  /** The endpoint that gets the events of its companies. */
  readonly callback?: CallbackInput
}

/** A company as a host registers it. */
export interface CompanyInput extends CompanyFacts {
  /** Its own key: at least 12 characters. Absent for a reseller's company, which uses the reseller's (decision 26). */
  readonly integratorKey?: string
  /** The CNPJ of its reseller, registered before it. Optional for a reseller that issues for itself. */
  readonly reseller?: string
  /** Whether it belongs to the reseller now. By default true. */
  readonly associated?: boolean
  /** The endpoint that gets its own events, besides the reseller's callback. */
  readonly callback?: CallbackInput
}

const callbackFields: FieldsOf<CallbackInput> = { url: true, secrets: true, kinds: true }

const feeFields: Fields = { kind: true, days: true, amountCents: true, basisPoints: true }
const tierFields: Fields = { daysBefore: true, amountCents: true, basisPoints: true }

const resellerFields: FieldsOf<ResellerInput> = {
  cnpj: true,
  name: true,
  walletActive: true,
  integratorKey: true,
  callback: callbackFields,
}

const companyFields: FieldsOf<CompanyInput> = {
  ...resellerFields,
  city: true,
  pixKey: true,
  graceDays: true,
  ownBankDomicile: true,
  fees: {
    fine: feeFields,
    interest: feeFields,
    abatement: feeFields,
    discount: { ...feeFields, tiers: tierFields },
  } satisfies FieldsOf<FeesInput>,
  genericPayer: { name: true, taxId: true },
  localHolidays: true,
  reseller: true,
  associated: true,
}

/** Refuses unknown fields, because a misspelt field would be ignored. */
const refuseUnknown = (cnpj: string, input: object, fields: Fields): Parsed<void> => {
  const flaw = unknownField(input, fields)
  return flaw === undefined ? Result.void : refuse(cnpj, "registration", `is invalid: ${flaw}`)
}

const parseCallback = (
  written: string,
  cnpj: Cnpj,
  callback: CallbackInput | undefined,
): Parsed<Endpoint | undefined> =>
  callback === undefined ? Result.succeed(undefined) : parseEndpoint({ ...callback, id: callbackId(cnpj) }, written)

export const parseReseller = (
  input: ResellerInput,
): Parsed<{ readonly reseller: Reseller; readonly callback: Endpoint | undefined }> =>
  Result.gen(function* () {
    yield* refuseUnknown(input.cnpj, input, resellerFields)
    const reseller = yield* parseResellerFacts(input)
    yield* checkIntegratorKey(input.cnpj, input.integratorKey)
    return { reseller, callback: yield* parseCallback(input.cnpj, reseller.cnpj, input.callback) }
  })

/** The reseller's CNPJ without punctuation; by default the company's own. */
export const resellerCnpj = ({ cnpj, reseller = cnpj }: CompanyInput): string => normalizeTaxId(reseller)

export const resellersKeyRule = "is not the company's own: a company of a reseller uses the reseller's key"

/** Parses a registration, and checks that it fits `reseller`, the reseller registered under `resellerCnpj(input)`. */
export const parseCompany = (
  input: CompanyInput,
  reseller: Reseller | undefined,
): Parsed<{ readonly company: Company; readonly callback: Endpoint | undefined }> =>
  Result.gen(function* () {
    const { cnpj, integratorKey, callback } = input
    yield* refuseUnknown(cnpj, input, companyFields)
    const facts = yield* parseCompanyFacts(input)
    if (reseller === undefined && input.reseller !== undefined) {
      return yield* refuse(
        cnpj,
        "reseller",
        "must be the CNPJ of a registered reseller: list it among the resellers, or register it first",
      )
    }
    if (reseller !== undefined && integratorKey !== undefined) {
      return yield* refuse(cnpj, "integratorKey", resellersKeyRule)
    }
    if (reseller?.cnpj === facts.cnpj && callback !== undefined) {
      return yield* refuse(cnpj, "callback", "is registered with the reseller of this CNPJ")
    }
    yield* checkIntegratorKey(cnpj, integratorKey)
    const company: Company = reseller
      ? {
          ...facts,
          reseller: { ...reseller, associated: yield* parseFlag(cnpj, "associated", input.associated, true) },
        }
      : facts
    return { company, callback: yield* parseCallback(cnpj, facts.cnpj, callback) }
  })

// A global of every supported runtime.
declare const crypto: { readonly getRandomValues: (bytes: Uint8Array) => Uint8Array }

/**
 * A random integrator key that secret scanners can find: `pixk_`, 32 random bytes in Base64url, and a CRC-16 in
 * hexadecimal. It matches `pixk_[A-Za-z0-9_-]{43}[0-9A-F]{4}`.
 */
export const newIntegratorKey = (): string => {
  const key = `pixk_${Base64Url.encode(crypto.getRandomValues(new Uint8Array(32)))}`
  return key + formatCrc16(crc16(key))
}

/** The length of the shortest keys of existing integrators. */
const minKeyLength = 12

export const checkIntegratorKey = (cnpj: string, integratorKey: string | undefined): Parsed<void> =>
  integratorKey !== undefined && !(typeof integratorKey === "string" && integratorKey.length >= minKeyLength)
    ? refuse(cnpj, "integratorKey", `must have at least ${minKeyLength} characters`)
    : Result.void
