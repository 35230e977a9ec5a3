import { InvalidOption } from "@pixcharge/core"
import { type InvalidRefundReason, parseRefundReason } from "@pixcharge/core/charges"
import { unknownField } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { refundFields } from "./checkFields.ts"
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
    const isObject = refund === undefined || Predicate.isObjectOrArray(refund)
    const isKnown = isObject && unknownField(refund, refundFields) === undefined
    if (!isKnown || surplus.some((argument) => argument !== undefined)) {
      return yield* new InvalidOption({
        message: `${call} returns the whole payment, and takes { reason } alone: a part of a charge's goes back by refundPart(issuer, id, { key, amountCents }).`,
      })
    }
    return refund?.reason === undefined ? undefined : yield* Effect.fromResult(parseRefundReason(refund.reason))
  })
