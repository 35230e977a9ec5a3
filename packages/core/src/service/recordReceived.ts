import * as Effect from "effect/Effect"
import type { Charge } from "../charge/Charge.ts"
import { chargeIdOf } from "../charge/ChargeId.ts"
import type { Payment, Return } from "../charge/Payment.ts"
import type { ChargeArchive } from "../ports/ChargeArchive.ts"
import type { ChargeStore } from "../ports/ChargeStore.ts"
import type { ReceivedPayment } from "../ports/PaymentProcessor.ts"
import { type Absorb, settles } from "./absorbView.ts"
import type { ConfirmPayment } from "./confirmPayment.ts"

/** What was not in the books before. */
export interface NewlyRecorded {
  readonly payments: number
  readonly returns: number
}

/** What recording listed payments needs. */
export interface RecordPorts extends Absorb {
  readonly store: ChargeStore["Service"]
  readonly archive: ChargeArchive["Service"]
  readonly confirmation: ConfirmPayment
}

/** Payments as the processor lists them, into the books: what is there already costs reads alone. */
export const makeRecordReceived = ({
  store,
  archive,
  confirmation,
  absorb,
  recordReturn,
  findByPayment,
}: RecordPorts) => {
  /** The charge that the payment names, else the one for which it is recorded. */
  const findCharge = Effect.fnUntraced(function* (received: ReceivedPayment) {
    const id = received.txid === undefined ? undefined : chargeIdOf(received.txid)
    const named = id && (yield* store.find(received.issuer, id))
    return named ?? (yield* findByPayment(received))
  })

  const knownReturns = Effect.fnUntraced(function* ({ issuer, endToEndId }: Payment, charge: Charge | undefined) {
    if (charge !== undefined && settles(charge, endToEndId)) return charge.returns
    const exception = yield* archive.exception(issuer, endToEndId)
    return exception?.returns ?? []
  })

  /** A payment is in its place unless its charge still waits for one, or came to be known after it. */
  const isInPlace = (payment: Payment, charge: Charge | undefined): boolean =>
    charge === undefined || (charge._tag !== "Pending" && payment.chargeId === charge.id)

  return Effect.fnUntraced(function* (received: ReceivedPayment) {
    const { pixKey: _, returns, ...notice } = received
    const known = yield* archive.payment(notice.issuer, notice.endToEndId)
    const charge = yield* findCharge(received)
    const ids = new Set((known ? yield* knownReturns(known, charge) : []).map(({ id }) => id))
    const unknown: ReadonlyArray<Return> = returns.filter(({ id }) => !ids.has(id))
    const recorded: NewlyRecorded = { payments: known === undefined ? 1 : 0, returns: unknown.length }
    if (known !== undefined && isInPlace(known, charge)) {
      yield* Effect.forEach(unknown, (returned) => recordReturn(returned), { discard: true })
    } else if (charge === undefined) {
      yield* confirmation.recordUnmatched(notice)
      yield* Effect.forEach(unknown, (returned) => recordReturn(returned), { discard: true })
    } else {
      yield* absorb(charge, { status: "completed", payments: [notice], returns: unknown })
    }
    return recorded
  })
}
