import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error/TaggedError.ts"
import { isUuid } from "../../runtime/storable/Uuid.ts"

declare const brand: unique symbol

/** The UUID that the client application gave its charge, lower-case; unique within one company (decision 6). */
export type ChargeId = string & { readonly [brand]: "ChargeId" }

/** The charge's identifier at the payment processor: the UUID without hyphens, 32 characters (API Pix: `[a-zA-Z0-9]{26,35}`). */
export type Txid = string & { readonly [brand]: "Txid" }

/**
 * A text that should identify a charge is no UUID.
 *
 * @remedy Give the UUID under which the charge was issued.
 * @repeat No: with another id.
 */
export class InvalidChargeId extends TaggedError("InvalidChargeId") {
  override get message(): string {
    return "The id of a charge must be a UUID: give the one under which it was issued."
  }
}

/** A charge id is a UUID in any case, of any version, and is compared in lower case (decision 6). */
export const parseChargeId = (text: string): Result.Result<ChargeId, InvalidChargeId> =>
  isUuid(text) ? Result.succeed(text.toLowerCase() as ChargeId) : Result.fail(new InvalidChargeId())

/**
 * The txid is the charge id without its hyphens, so that registering twice can never make two charges.
 *
 * @example
 * ```ts
 * import { chargeTxid, parseChargeId } from "@pixcharge/core/charges"
 * import * as Result from "effect/Result"
 *
 * const id = Result.getOrThrow(parseChargeId("7F9C2B1A-3D4E-4F5A-8B6C-0D1E2F3A4B5C"))
 * chargeTxid(id) // => "7f9c2b1a3d4e4f5a8b6c0d1e2f3a4b5c"
 * ```
 */
export const chargeTxid = (id: ChargeId): Txid => id.replaceAll("-", "") as Txid

/** The charge id behind a txid of ours; undefined for a txid that no `chargeTxid` made. */
export const chargeIdFromTxid = (txid: string): ChargeId | undefined => {
  const lower = txid.toLowerCase()
  const text = `${lower.slice(0, 8)}-${lower.slice(8, 12)}-${lower.slice(12, 16)}-${lower.slice(16, 20)}-${lower.slice(20)}`
  return isUuid(text) ? (text as ChargeId) : undefined
}
