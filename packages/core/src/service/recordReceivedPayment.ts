import * as Effect from "effect/Effect"
import type { Charge, Payment, Return } from "../charge/index.ts"
import { settles } from "../charge/chargeParts.ts"
import { returnedCents, unknownReturns } from "../charge/Payment.ts"
import type { ReceivedPayment } from "../ports/PaymentProcessor.ts"
import type { ApplyView } from "./applyView.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import type { ConfirmPayment } from "./confirmPayment.ts"
import { makeFindKnown, spellReceived } from "./spellings.ts"

/** What was not in the books before, and whose payment it is. */
export interface NewlyRecorded {
  readonly payments: number
  readonly returns: number
  /** No charge is known that the payment was made for. */
  readonly isUnmatched: boolean
}

const none: { readonly returns: ReadonlyArray<Return>; readonly isBehind: boolean } = { returns: [], isBehind: false }

/** Payments as the processor lists them, into the books: what is there already costs reads alone. */
export const makeRecordReceivedPayment = (
  { lists, exceptions }: ChargePorts,
  { recordUnmatched, expectRecorded, findNamed }: ConfirmPayment,
  { applySpelled, recordReturn, findByPayment }: ApplyView,
) => {
  /** The returns that are known, and whether what the payment belongs to still stands as if they were not. */
  const knownReturns = Effect.fnUntraced(function* (payment: Payment, charge: Charge | undefined) {
    const { issuer, endToEndId, amountCents } = payment
    const isWhole = (returns: ReadonlyArray<Return>) => returnedCents(endToEndId, returns) >= amountCents
    if (charge !== undefined && settles(charge, endToEndId)) {
      return { returns: charge.returns, isBehind: charge._tag === "Paid" && isWhole(charge.returns) }
    }
    const exception = yield* exceptions.find(issuer, endToEndId)
    if (exception === undefined) return none
    return { returns: exception.returns, isBehind: exception.state._tag === "Open" && isWhole(exception.returns) }
  })

  /** A payment is in its place unless its charge still waits for one, or came to be known after it. */
  const isInPlace = (payment: Payment, charge: Charge): boolean =>
    charge._tag !== "Pending" && payment.chargeId === charge.id

  const { findKnown } = makeFindKnown(lists)

  return Effect.fnUntraced(function* (shown: ReceivedPayment) {
    const named = yield* findNamed(shown)
    const known = yield* findKnown(shown, named)
    const {
      pixKey: _,
      isForeign: __,
      returns,
      ...notice
    } = known === undefined ? shown : spellReceived(shown, known.endToEndId)
    const charge = named ?? (yield* findByPayment(notice))
    const before = known ? yield* knownReturns(known, charge) : none
    const unknown = returns.filter((returned) => unknownReturns(before.returns, returned).length > 0)
    const recorded: NewlyRecorded = {
      payments: known === undefined ? 1 : 0,
      returns: unknown.length,
      isUnmatched: charge === undefined,
    }
    // A commit that came too late to move anything recorded its return all the same, and its process may have died then.
    const toRecord = before.isBehind ? returns : unknown
    if (charge === undefined) {
      if (known === undefined) yield* recordUnmatched(notice, toRecord)
      for (const returned of toRecord) yield* recordReturn(returned)
    } else if (toRecord.length > 0 || known === undefined || !isInPlace(known, charge)) {
      const after = yield* applySpelled(charge, { status: "completed", payments: [notice], returns: toRecord })
      if (known === undefined && !settles(after, notice.endToEndId)) yield* expectRecorded(notice)
    }
    return recorded
  })
}
