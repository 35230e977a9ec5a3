import { Actor, type AuditChange, InvalidOption } from "@pixcharge/core"
import { type ChargeId, parseChargeId } from "@pixcharge/core/charges"
import { ifNamed, isLegible } from "@pixcharge/core/internal"
import { type Cnpj, parseCnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Booted, Instance } from "../instance/Instance.ts"
import type { Services } from "../instance/services.ts"

/**
 * A plain host's calls to the services. The first call boots them. Texts are parsed, effects run as promises that reject with their
 * tagged error, and changes are made in the name of `actor`.
 */
export const makeCalls = <S>(instance: Instance<S>, actor?: string) => {
  const provideActor = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    actor === undefined ? effect : Effect.provideService(effect, Actor, actor)

  const run = <A, E>(use: (services: S) => Effect.Effect<A, E>): Promise<A> => {
    const { booted } = instance
    // An exception of `use` rejects, too.
    const start = (ready: Booted<S>) => ready.run(provideActor(Effect.suspend(() => use(ready.services))))
    return booted === undefined ? instance.boot().then(start) : start(booted)
  }

  /** A call of a company, by its CNPJ. Rejects with `InvalidTaxId`. */
  const asCompany = <A, E>(issuer: string, use: (services: S, company: Cnpj) => Effect.Effect<A, E>): Promise<A> =>
    run((services) =>
      Effect.flatMap(Effect.fromResult(parseCnpj(typeof issuer === "string" ? issuer : "")), (company) =>
        use(services, company),
      ),
    )

  /** A call about one of the company's charges. Rejects with `InvalidChargeId`, too. */
  const onCharge = <A, E>(
    issuer: string,
    id: string,
    use: (services: S, company: Cnpj, id: ChargeId) => Effect.Effect<A, E>,
  ) =>
    asCompany(issuer, (services, company) =>
      Effect.flatMap(Effect.fromResult(parseChargeId(id)), (chargeId) => use(services, company, chargeId)),
    )

  return { run, asCompany, onCharge }
}

export type Calls<S> = ReturnType<typeof makeCalls<S>>

/**
 * The actor's name. Throws `InvalidOption` at once for an empty one, because the change would have no author, and for characters
 * that make a name look like another one on a page.
 */
export const checkActor = (actor: string): string => {
  if (typeof actor === "string" && isLegible(actor)) return actor
  throw new InvalidOption({
    message: "by needs who acts, as a text with a visible character, and without control and direction characters.",
  })
}

/** Records a change that is only recorded for a named actor; run it before the answer is given. */
export const recordIfNamed = (audit: Services["audit"], company: Cnpj, change: AuditChange) =>
  Effect.flatMap(ifNamed(change), (named) => (named === undefined ? Effect.void : audit.append(company, named)))
