import { Actor, type AuditChange, InvalidOption } from "@pixcharge/core"
import { type ChargeId, parseChargeId } from "@pixcharge/core/charges"
import { ifNamed, isLegible } from "@pixcharge/core/internal"
import { type Cnpj, parseCnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Booted, Instance } from "../instance/Instance.ts"
import type { Services } from "../instance/services.ts"

/**
 * The first call boots the services. A call parses CNPJ and id, rejects with a tagged error, and makes changes in the name of
 * `actor`.
 */
export const makeCalls = <S>(instance: Instance<S>, actor?: string) => {
  const provideActor = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    actor === undefined ? effect : Effect.provideService(effect, Actor, actor)

  const run = <A, E>(use: (services: S) => Effect.Effect<A, E>): Promise<A> => {
    const { booted } = instance
    // If `use` throws, the promise rejects.
    const start = (ready: Booted<S>) => ready.run(provideActor(Effect.suspend(() => use(ready.services))))
    return booted === undefined ? instance.boot().then(start) : start(booted)
  }

  const asCompany = <A, E>(issuer: string, use: (services: S, company: Cnpj) => Effect.Effect<A, E>): Promise<A> =>
    run((services) =>
      Effect.flatMap(Effect.fromResult(parseCnpj(typeof issuer === "string" ? issuer : "")), (company) =>
        use(services, company),
      ),
    )

  const onCharge = <A, E>(
    issuer: string,
    id: string,
    use: (services: S, company: Cnpj, id: ChargeId) => Effect.Effect<A, E>,
  ) =>
    asCompany(issuer, (services, company) =>
      Effect.flatMap(Effect.fromResult(parseChargeId(id)), (chargeId) => use(services, company, chargeId)),
    )

  return { run, asCompany, onCharge, closing: instance.closing }
}

export type Calls<S> = ReturnType<typeof makeCalls<S>>

/** Throws `InvalidOption` for an empty name, and for characters that make it look like another on a page. */
export const checkActor = (actor: string): string => {
  if (typeof actor === "string" && isLegible(actor)) return actor
  throw new InvalidOption({
    message: "by needs the actor's name: a text with a visible character, without control and direction characters.",
  })
}

/** Records the change if the call has an actor. Call this before the caller gets an answer. */
export const recordIfNamed = (audit: Services["audit"], company: Cnpj, change: AuditChange) =>
  Effect.flatMap(ifNamed(change), (named) => (named === undefined ? Effect.void : audit.append(company, named)))
