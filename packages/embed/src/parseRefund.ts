import { InvalidOption } from "@pixcharge/core"
import { type InvalidRefundReason, parseRefundReason } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { checkFields, refundFields } from "./checkFields.ts"
import type { RefundInput } from "./pix/RefundInput.ts"

/**
 * The reason in what is said about a whole refund. Plain JavaScript may name an amount, in an object or beside it: to pass it
 * over would return everything.
 */
export const parseRefund = (
  call: string,
  refund: RefundInput | undefined,
  surplus: ReadonlyArray<unknown>,
): Effect.Effect<string | undefined, InvalidOption | InvalidRefundReason> =>
  Effect.gen(function* () {
    const isObject = refund === undefined || (typeof refund === "object" && refund !== null)
    if (!isObject || surplus.some((argument) => argument !== undefined)) {
      return yield* new InvalidOption({ message: `${call} returns the whole payment, and takes { reason } alone.` })
    }
    if (refund?.reason === undefined) return yield* Effect.as(checkFields(call, refund ?? {}, refundFields), undefined)
    yield* checkFields(call, refund, refundFields)
    return yield* Effect.fromResult(parseRefundReason(refund.reason))
  })
