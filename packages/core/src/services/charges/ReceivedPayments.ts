import * as Effect from "effect/Effect"
import { type Charge, isSettledBy } from "../../model/charge/Charge.ts"
import { type ChargeId, chargeIdFromTxid } from "../../model/charge/ChargeId.ts"
import { isBehind, isSettled, newReturns } from "../../model/charge/PaymentException.ts"
import type { PaymentNotice } from "../../model/charge/PaymentNotice.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { PaymentRef } from "../../ports/ChargeStore.ts"
import type { ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import type { StoreUnavailable } from "../../ports/portErrors.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { Booking } from "./Booking.ts"
import { findSpelled, isAwaitedBy, spellReceived } from "./PaymentIds.ts"

export interface ShownPayment {
  readonly endToEndId: string
  readonly txid?: string
  readonly returnIds: ReadonlyArray<string>
  readonly hasUnnamedReturns: boolean
}

export interface InspectedPayment {
  /** The books have the payment and its shown returns. False for an unpaid charge. */
  readonly isHeld: boolean
  readonly isRecorded: boolean
  /** The charge that the txid names; absent if `isHeld`. */
  readonly charge?: Charge
}

export const inspectShown = Effect.fnUntraced(function* (
  { store, lists }: Pick<ChargePorts, "store" | "lists">,
  issuer: Cnpj,
  shown: ReadonlyArray<ShownPayment>,
): Effect.fn.Return<ReadonlyArray<InspectedPayment>, StoreUnavailable> {
  const ids = new Set(shown.flatMap(({ txid }) => chargeIdFromTxid(issuer, txid) ?? []))
  const found = yield* Effect.forEach(ids, (id) => store.find(issuer, id), { concurrency: "unbounded" })
  const charges = new Map(found.flatMap((charge) => (charge === undefined ? [] : [[charge.id, charge] as const])))
  const named = ({ txid }: ShownPayment) => charges.get(chargeIdFromTxid(issuer, txid) as ChargeId)
  const others = shown.filter((one) => named(one)?._tag !== "Pending")
  const inspect = yield* findHeld(lists, issuer, others)
  return shown.map((one): InspectedPayment => {
    const inspected = inspect(one)
    const charge = inspected.isHeld ? undefined : named(one)
    return { ...inspected, ...(charge && { charge }) }
  })
})

const endToEndIdOf = ({ endToEndId }: ShownPayment): string => endToEndId

const findHeld = Effect.fnUntraced(function* (
  lists: ChargePorts["lists"],
  issuer: Cnpj,
  shown: ReadonlyArray<ShownPayment>,
) {
  const payments = shown.length === 0 ? [] : yield* lists.paymentsById(issuer, shown.map(endToEndIdOf))
  const known = new Set(payments.map(({ endToEndId }) => endToEndId))
  const withReturns = shown.filter(({ endToEndId, returnIds }) => known.has(endToEndId) && returnIds.length > 0)
  const returns = withReturns.length === 0 ? [] : yield* lists.returnsOf(issuer, withReturns.map(endToEndIdOf))
  const returned = new Set(returns.map(({ endToEndId, id }) => `${endToEndId} ${id.toLowerCase()}`))
  return ({ endToEndId, returnIds, hasUnnamedReturns }: ShownPayment) => {
    const isRecorded = known.has(endToEndId)
    const hasReturns = !hasUnnamedReturns && returnIds.every((id) => returned.has(`${endToEndId} ${id.toLowerCase()}`))
    return { isRecorded, isHeld: isRecorded && hasReturns }
  }
})

export interface NewlyRecorded {
  readonly payments: number
  readonly returns: number
  readonly isUnmatched: boolean
}

export const paymentRefOf = ({ issuer, endToEndId, txid }: PaymentNotice): PaymentRef => {
  const named = chargeIdFromTxid(issuer, txid)
  return { issuer, endToEndId, ...(named && { chargeId: named }) }
}

/** Makes only reads for a payment that is already in the books. */
export class ReceivedPayments {
  readonly #ports: ChargePorts
  readonly #booking: Booking

  constructor(ports: ChargePorts) {
    this.#ports = ports
    this.#booking = new Booking(ports)
  }

  readonly record = Effect.fnUntraced({ self: this }, function* (shown: ReceivedPayment, read?: Charge) {
    const { issuer, chargeId } = paymentRefOf(shown)
    const isRead = read?.issuer === issuer && read.id === chargeId && isAwaitedBy(read, shown)
    const recorded = (isRead ? yield* this.#settle(read, shown) : undefined) ?? (yield* this.#record(shown))
    for (const rejected of shown.rejections ?? []) yield* this.#booking.recordRejection(shown, rejected)
    return recorded
  })

  /** Skips the write if the charge has moved meanwhile. */
  readonly #settle = Effect.fnUntraced(
    { self: this },
    function* (read: Charge, { pixKey: _, isForeign: __, rejections: ___, returns, ...notice }: ReceivedPayment) {
      const after = yield* this.#booking.confirm(read, [notice], returns, { onlyAtVersion: true })
      const isRecorded = isSettledBy(after, notice.endToEndId)
      return isRecorded ? { payments: 1, returns: returns.length, isUnmatched: false } : undefined
    },
  )

  readonly #record = Effect.fnUntraced({ self: this }, function* (shown: ReceivedPayment) {
    const exact = yield* this.#findStanding(shown)
    const named = yield* this.#booking.findNamed(shown)
    const spelled = exact === undefined ? yield* findSpelled(this.#ports.lists, shown, named) : undefined
    const received = spelled === undefined ? shown : spellReceived(shown, spelled)
    const known = spelled === undefined ? exact : yield* this.#findStanding(received)
    const { pixKey: _, isForeign: __, rejections: ___, returns, ...notice } = received
    const charge = named ?? (known?.chargeId && (yield* this.#ports.store.find(known.issuer, known.chargeId)))
    const unknown = newReturns(known, received)
    const recorded: NewlyRecorded = {
      payments: known === undefined ? 1 : 0,
      returns: unknown.length,
      isUnmatched: charge === undefined,
    }
    if (known !== undefined && isSettled(known, received)) return recorded
    const toRecord = known !== undefined && isBehind(known) ? returns : unknown
    if (charge !== undefined) {
      const after = yield* this.#booking.applySpelled(charge, { payments: [notice], returns: toRecord })
      const isMissing = known === undefined && !isSettledBy(after, notice.endToEndId)
      if (isMissing) yield* this.#booking.expectRecorded(notice)
    } else {
      if (known === undefined) yield* this.#booking.recordUnmatched(notice, toRecord)
      for (const returned of toRecord) yield* this.#booking.recordReturn(returned)
    }
    return recorded
  })

  #findStanding(shown: PaymentNotice) {
    return Effect.map(this.#ports.store.standings([paymentRefOf(shown)]), ([standing]) => standing)
  }
}
