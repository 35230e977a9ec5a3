import { parseChargeId } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { checkFilter } from "./checkFilter.ts"

/** A filter that was checked, its charge id read from text. */
export const parseFilter = <A extends { readonly chargeId?: string }>(filter: A) =>
  Effect.flatMap(checkFilter(filter), ({ chargeId, ...rest }) =>
    chargeId === undefined
      ? Effect.succeed(rest)
      : Effect.map(Effect.fromResult(parseChargeId(chargeId)), (id) => ({ ...rest, chargeId: id })),
  )
