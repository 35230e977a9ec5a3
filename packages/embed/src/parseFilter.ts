import { parseChargeId } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { checkFilter, type FilterFields } from "./checkFilter.ts"

/** A filter that was checked, its charge id read from text. */
export const parseFilter = <A extends { readonly chargeId?: string }>(filter: A, fields: FilterFields) =>
  Effect.flatMap(checkFilter(filter, fields), ({ chargeId, ...rest }) =>
    chargeId === undefined
      ? Effect.succeed(rest)
      : Effect.map(Effect.fromResult(parseChargeId(chargeId)), (id) => ({ ...rest, chargeId: id })),
  )
