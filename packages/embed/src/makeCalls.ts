import { type ChargeId, type Cnpj, parseChargeId, parseCnpj } from "@pixcharge/core"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** How a plain host's calls reach the services: texts are parsed, effects run as promises that reject with their tagged error. */
export const makeCalls = (context: Context.Context<never>) => {
  const run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A> = Effect.runPromiseWith(context)

  /** A call of the company that the host names by its CNPJ. Rejects with `InvalidTaxId`. */
  const asCompany = <A, E>(issuer: string, use: (company: Cnpj) => Effect.Effect<A, E>): Promise<A> =>
    run(Effect.flatMap(Effect.fromResult(parseCnpj(typeof issuer === "string" ? issuer : "")), use))

  /** A call about one of its charges. Rejects with `InvalidChargeId`, too. */
  const onCharge = <A, E>(issuer: string, id: string, use: (company: Cnpj, id: ChargeId) => Effect.Effect<A, E>) =>
    asCompany(issuer, (company) =>
      Effect.flatMap(Effect.fromResult(parseChargeId(id)), (chargeId) => use(company, chargeId)),
    )

  return { run, asCompany, onCharge }
}

export type Calls = ReturnType<typeof makeCalls>
