import * as Result from "effect/Result"
import type { Charge } from "./Charge.ts"
import { isSettledBy } from "./chargeParts.ts"
import { type Command, decide } from "./decide.ts"
import type { Payment, Return } from "./Payment.ts"
import { bySettlement, settleByAnother, wasException } from "./settleByAnother.ts"
import { stay, type Transition } from "./Transition.ts"

/** What is shown of a charge at once: payments that were made for it, and what went back of these. */
export interface ShownMoney {
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
}

/** One change after the other, as one: what the last of them says of the move counts, and the facts of both. */
const both = (first: Transition, then: Transition): Transition =>
  first === stay
    ? then
    : {
        ...first,
        ...then,
        payments: [...first.payments, ...then.payments],
        returns: [...first.returns, ...then.returns],
      }

/**
 * What is shown at once is decided at once, total and pure like `decide`: a payment counts together with what went back of it,
 * so that a charge whose money is gone again is refunded, and was never published as paid (decision 23). So do the returns
 * that the charge has already. A return of any other payment is left out. Of several partial refunds that end by it the last is
 * changed: where the others stand follows from their returns.
 */
export const decideView = (charge: Charge, { payments, returns }: ShownMoney, now: number): Transition => {
  let [state, whole] = [charge, stay]
  const take = (step: Transition) => {
    state = step.next ?? state
    whole = both(whole, step)
  }
  // A fact is refused in no state.
  const apply = (command: Command) => take(Result.getOrThrow(decide(state, command, now)))
  const all = [...charge.returns, ...returns]
  const inOrder = bySettlement(payments, all)
  const [first] = inOrder
  const replaced = first === undefined ? stay : settleByAnother(charge, first, all, now)
  take(replaced)
  for (const payment of inOrder) {
    if (isSettledBy(charge, payment.endToEndId)) continue
    if (state._tag === "Pending" && wasException(payment, all)) take({ ...stay, payments: [payment] })
    else apply({ _tag: "ConfirmPayment", payment })
  }
  for (const returned of all) {
    const isShown = payments.some(({ endToEndId }) => endToEndId === returned.endToEndId)
    if (isShown || isSettledBy(state, returned.endToEndId)) apply({ _tag: "RecordReturn", returned })
  }
  const { next } = whole
  const version = charge.version + 1
  return next === undefined || next.version === version ? whole : { ...whole, next: { ...next, version } }
}
