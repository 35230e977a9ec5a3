import { type ChargeId, chargeTxid, parseChargeId } from "@pixcharge/core/charges"
import * as Result from "effect/Result"

/** The id of the n-th charge. */
export const chargeId = (n: number): ChargeId =>
  Result.getOrThrow(parseChargeId(`${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`))

/** The txid of the n-th charge. */
export const chargeTxidAt = (n: number): string => chargeTxid(chargeId(n))

/** The endToEndId of the n-th payment. */
export const endToEndId = (n: number): string => `E${String(n).padStart(31, "0")}`
