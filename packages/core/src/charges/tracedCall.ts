import * as Effect from "effect/Effect"
import type { ChargeId } from "./rules/ChargeId.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { isTraced, safeSpan } from "../runtime/telemetry/index.ts"

/** A call about a charge within a span that names it and its company: never who pays. */
export const tracedCall =
  <About extends ChargeId | { readonly id: ChargeId }, A, E>(
    span: string,
    call: (issuer: Cnpj, about: About) => Effect.Effect<A, E>,
  ) =>
  (issuer: Cnpj, about: About): Effect.Effect<A, E> =>
    Effect.withFiber((caller) => {
      if (!isTraced(caller)) return call(issuer, about)
      const id = typeof about === "string" ? about : about.id
      return safeSpan(span, { issuer, "charge.id": id })(call(issuer, about))
    })
