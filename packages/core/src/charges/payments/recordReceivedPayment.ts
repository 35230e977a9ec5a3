import * as Effect from "effect/Effect"
import type { Charge } from "../rules/Charge.ts"
import { chargeIdFromTxid } from "../rules/ChargeId.ts"
import { isSettledBy } from "../rules/chargeParts.ts"
import type { PaymentNotice } from "../rules/PaymentNotice.ts"
import { isBehind, isSettled, newReturns } from "../rules/PaymentStanding.ts"
import type { ShownPlace } from "../../ports/ChargeStore.ts"
import type { ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import type { ApplyView } from "./applyView.ts"
import type { ChargePorts } from "../ChargePorts.ts"
import type { ConfirmPayment } from "./confirmPayment.ts"
import { isAwaitedBy, makeFindSpelled, spellReceived } from "./spellings.ts"

/** What was not in the books before, and whose payment it is. */
export interface NewlyRecorded {
  readonly payments: number
  readonly returns: number
  /** No charge is known that the payment was made for. */
  readonly isUnmatched: boolean
}

/** The query to the books about a payment that the processor shows. */
export const shownPlace = ({ issuer, endToEndId, txid }: PaymentNotice): ShownPlace => {
  const named = chargeIdFromTxid(issuer, txid)
  return { issuer, endToEndId, ...(named && { chargeId: named }) }
}

/** Records payments that the processor lists. One that is in the books already costs reads alone. */
export const makeRecordReceivedPayment = (
  { store, lists }: ChargePorts,
  { confirm, recordUnmatched, expectRecorded, findNamed }: ConfirmPayment,
  { applySpelled, recordReturn, recordRejection }: ApplyView,
) => {
  const { findSpelled } = makeFindSpelled(lists)

  const findStanding = (shown: PaymentNotice) =>
    Effect.map(store.standings([shownPlace(shown)]), ([standing]) => standing)

  const record = Effect.fnUntraced(function* (shown: ReceivedPayment) {
    const exact = yield* findStanding(shown)
    const named = yield* findNamed(shown)
    const spelled = exact === undefined ? yield* findSpelled(shown, named) : undefined
    const received = spelled === undefined ? shown : spellReceived(shown, spelled)
    const known = spelled === undefined ? exact : yield* findStanding(received)
    const { pixKey: _, isForeign: __, rejections: ___, returns, ...notice } = received
    const charge = named ?? (known?.chargeId && (yield* store.find(known.issuer, known.chargeId)))
    const unknown = newReturns(known, received)
    const recorded: NewlyRecorded = {
      payments: known === undefined ? 1 : 0,
      returns: unknown.length,
      isUnmatched: charge === undefined,
    }
    if (known !== undefined && isSettled(known, received)) return recorded
    const toRecord = known !== undefined && isBehind(known) ? returns : unknown
    if (charge !== undefined) {
      const after = yield* applySpelled(charge, { payments: [notice], returns: toRecord })
      if (known === undefined && !isSettledBy(after, notice.endToEndId)) yield* expectRecorded(notice)
    } else {
      if (known === undefined) yield* recordUnmatched(notice, toRecord)
      for (const returned of toRecord) yield* recordReturn(returned)
    }
    return recorded
  })

  /** Settles a charge that was read and awaits the payment. Writes nothing if the charge has moved meanwhile. */
  const settle = Effect.fnUntraced(function* (
    read: Charge,
    { pixKey: _, isForeign: __, rejections: ___, returns, ...notice }: ReceivedPayment,
  ) {
    const after = yield* confirm(read, [notice], returns, { onlyAtVersion: true })
    return after.version === read.version ? undefined : { payments: 1, returns: returns.length, isUnmatched: false }
  })

  return Effect.fnUntraced(function* (shown: ReceivedPayment, read?: Charge) {
    const { issuer, chargeId } = shownPlace(shown)
    const isRead = read?.issuer === issuer && read.id === chargeId && isAwaitedBy(read, shown)
    const recorded = (isRead ? yield* settle(read, shown) : undefined) ?? (yield* record(shown))
    for (const rejected of shown.rejections ?? []) yield* recordRejection(shown, rejected)
    return recorded
  })
}
