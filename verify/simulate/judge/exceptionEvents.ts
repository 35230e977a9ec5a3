import type { PaymentException } from "@pixcharge/core/charges"
import { contradicts, findWrongCount, type SeenEvents } from "./eventRules.ts"
import { type Expected, lastReturn } from "./expectedEvents.ts"
import { shortName } from "./names.ts"
import { backCents } from "./money.ts"
import { reportIf } from "./rules.ts"

interface SeenException extends Pick<SeenEvents, "deliveries" | "endpoints"> {
  readonly exception: PaymentException
  /** True at the end of a run, when each return has moved its exception. */
  readonly isOver?: boolean
}

const expectedOf = (
  { payment, reason, state, version, returns }: PaymentException,
  isOver: boolean,
): ReadonlyArray<Expected> => {
  const { issuer, endToEndId, amountCents, chargeId, txid, paidAt: occurredAt } = payment
  const id = (fact: string) => `evt_${issuer}_${endToEndId.toLowerCase()}_${fact}`
  // The charge of an unmatched payment can be issued later.
  const exception = {
    endToEndId,
    amountCents,
    txid,
    chargeId: [chargeId, undefined],
    reason: [reason, "unmatched"],
  }
  const hasMoved = state._tag === "Refunded" || (state._tag === "Resolved" && state.returnedAt !== undefined)
  const isReturned = hasMoved || backCents(payment, returns) >= payment.amountCents
  const published: Expected = {
    kind: "exception",
    facts: { id: id("exception"), occurredAt, exception },
    isOptional: isReturned,
  }
  const returned: Expected = {
    kind: "exception-returned",
    facts: { id: id("exception-returned"), exception, ...lastReturn(endToEndId, returns) },
    // The return of a resolved or open exception can be recorded with a charge, before the exception's next move. An
    // unmatched payment of version 1 was recorded with its return.
    isOptional: !hasMoved && !isOver && (version !== 1 || chargeId !== undefined),
  }
  return isReturned ? [published, returned] : [published]
}

/** Compares an exception with its events: each to each endpoint that gets its kind, and no others. */
export const findWrongExceptionEvents = ({
  exception,
  isOver = false,
  ...seen
}: SeenException): ReadonlyArray<string> => {
  const { endToEndId } = exception.payment
  const expected = expectedOf(exception, isOver)
  const its = seen.deliveries.filter(({ event }) => "exception" in event && event.exception.endToEndId === endToEndId)
  return [
    ...expected.flatMap((one) => findWrongCount(one, seen)),
    ...its.flatMap((one) => reportIf(contradicts(one, expected), `has a ${one.event.kind} event that contradicts it`)),
  ].map((what) => `exception ${shortName(endToEndId)} is ${exception.state._tag}, and ${what}`)
}
