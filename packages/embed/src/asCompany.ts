import {
  type ChargeId,
  type Cnpj,
  type InvalidChargeId,
  type InvalidTaxId,
  parseChargeId,
  parseCnpj,
} from "@pixcharge/core"
import * as Effect from "effect/Effect"

/** Runs an operation of the services; rejects with its tagged error. */
export type Run = <A, E>(effect: Effect.Effect<A, E>) => Promise<A>

/** An operation of a company that the host names by its CNPJ as text. */
export const asCompany = <A, E>(
  issuer: string,
  use: (company: Cnpj) => Effect.Effect<A, E>,
): Effect.Effect<A, E | InvalidTaxId> => Effect.flatMap(Effect.fromResult(parseCnpj(issuer)), use)

/** A company and a charge from a host's plain text. */
export const named = (
  issuer: string,
  id: string,
): Effect.Effect<readonly [Cnpj, ChargeId], InvalidTaxId | InvalidChargeId> =>
  Effect.all([Effect.fromResult(parseCnpj(issuer)), Effect.fromResult(parseChargeId(id))])
