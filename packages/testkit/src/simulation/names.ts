import { type ChargeId, chargeTxid, parseChargeId } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Result from "effect/Result"
import { issuers } from "../fixtures/EventWorld.ts"

/** The id of the n-th charge. */
export const chargeId = (n: number): ChargeId =>
  Result.getOrThrow(parseChargeId(`${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`))

/** The companies of a run. Each has its own endpoint and its reseller's. */
export const companies = issuers.slice(0, 2)

/** The company that issues the n-th charge. */
export const chargeIssuer = (n: number): Cnpj => companies[n % 2] as Cnpj

/** The txid of the n-th charge. */
export const chargeTxidAt = (n: number): string => chargeTxid(chargeIssuer(n), chargeId(n))

/** The endToEndId of the n-th payment. */
export const endToEndId = (n: number): string => `E${String(n).padStart(31, "0")}`
