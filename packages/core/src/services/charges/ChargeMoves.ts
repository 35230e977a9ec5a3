import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import { type Charge, isSettledBy } from "../../model/charge/Charge.ts"
import { newsEvent } from "../../model/charge/chargeEvents.ts"
import { type Command, decide } from "../../model/charge/decide.ts"
import { unknownReturns } from "../../model/charge/Payment.ts"
import type { Refusal, Transition } from "../../model/charge/Transition.ts"
import { ChargeNotFound } from "../../model/charge/chargeErrors.ts"
import { PaymentOfAnotherCharge } from "../../model/charge/paymentErrors.ts"
import type { DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import { StoreUnavailable } from "../../ports/portErrors.ts"
import type { AuditChange } from "../../ports/AuditLog.ts"
import type { Change } from "../../ports/ChargeStore.ts"
import { makeDeliver } from "../events/hostDelivery.ts"
import type { ChargePorts } from "./ChargePorts.ts"

/** How any move of a charge can fail. */
export type CommitError = ChargeNotFound | PaymentOfAnotherCharge | StoreUnavailable | DirectoryUnavailable

/** How a move of a charge by a command can fail. */
export type MoveError = Refusal | CommitError

/** Decides what becomes of a charge; `now` in epoch milliseconds. */
type Decision<E> = (charge: Charge, now: number) => Result.Result<Transition, E>

/** What comes with a move. */
type MoveExtras = Pick<Change, "audit" | "onlyAtVersion">

/** What a command made of a charge or an exception. */
export interface Moved<S> {
  readonly state: S
  /** This call moved it, and no other did so before. */
  readonly isOurs: boolean
}

/** Two writers of one charge seldom conflict: after this many rounds something else is wrong. */
export const maxRounds = 16

/** Commands to charges: load, decide, commit, and once more from the start when another writer was faster. */
export const makeChargeMoves = ({
  store,
  exceptions,
  directory,
  endpoints,
  signal,
}: Pick<ChargePorts, "store" | "exceptions" | "directory" | "endpoints" | "signal">) => {
  const deliver = makeDeliver({ directory, endpoints })

  const newDeliveries = Effect.fnUntraced(function* ({ next, news }: Transition) {
    if (next === undefined || news === undefined) return []
    return yield* deliver(next.issuer, news.kind, (companyName) => newsEvent(next, news, companyName))
  })

  /** The charge as it is now. */
  const load = Effect.fnUntraced(function* ({ issuer, id }: Pick<Charge, "issuer" | "id">) {
    const charge = yield* store.find(issuer, id)
    return charge ?? (yield* new ChargeNotFound({ issuer, id }))
  })

  /**
   * The charge as it is now. One that another payment was to settle comes with the returns that the books have of that:
   * they are a reason why it did not move. Fails if that payment is decided on as an exception: it settles nothing.
   */
  const reload = Effect.fnUntraced(function* (read: Charge, next: Charge | undefined) {
    const charge = yield* load(read)
    if (next === undefined || !("payment" in next) || isSettledBy(charge, next.payment.endToEndId)) return charge
    const { endToEndId } = next.payment
    const recorded = yield* exceptions.find(charge.issuer, endToEndId)
    const isDecided = recorded?.state._tag === "Resolved" || recorded?.state._tag === "Refunding"
    if (isDecided) return yield* new PaymentOfAnotherCharge({ issuer: charge.issuer, id: charge.id, endToEndId })
    // Also those that an earlier round has read: each of two payments may have been returned as an exception.
    const returns = [...charge.returns]
    for (const one of [...read.returns, ...(recorded?.returns ?? [])]) returns.push(...unknownReturns(returns, one))
    return { ...charge, returns }
  })

  /**
   * Moves the charge by a decision: on the charge as it was read, and again on the stored one if another writer was faster.
   * With `onlyAtVersion`, nothing is written if the charge has moved meanwhile.
   */
  const moveBy = Effect.fnUntraced(function* <E>(
    read: Charge,
    decision: Decision<E>,
    extras: MoveExtras = {},
  ): Effect.fn.Return<Moved<Charge>, E | CommitError> {
    const { issuer, id } = read
    let charge = read
    for (let round = 0; round < maxRounds; round++) {
      const transition = yield* Effect.fromResult(decision(charge, yield* Clock.currentTimeMillis))
      const { next, payments, returns, partialRefund, unsent } = transition
      if (next === undefined && payments.length === 0 && returns.length === 0) return { state: charge, isOurs: false }
      const deliveries = yield* newDeliveries(transition)
      const { moved, foreignPayments } = yield* store.commit({
        issuer,
        id,
        expectedVersion: charge.version,
        payments,
        returns,
        deliveries,
        ...(next && { next }),
        ...(partialRefund && { partialRefund }),
        ...extras,
        ...(unsent && { unsent }),
      })
      if (moved && unsent === "restore") yield* signal.notifyAll
      else if (moved && deliveries.length > 0) yield* signal.notify(deliveries)
      if (!moved && extras.onlyAtVersion === true) return { state: charge, isOurs: false }
      const [foreign] = foreignPayments
      if (foreign !== undefined) return yield* new PaymentOfAnotherCharge({ issuer, id, endToEndId: foreign })
      if (moved && next !== undefined) return { state: next, isOurs: true }
      const { version } = charge
      charge = yield* reload(charge, next)
      // Facts alone don't move the charge; a decision on another version is made once more.
      if (next === undefined && charge.version === version) return { state: charge, isOurs: false }
    }
    return yield* new StoreUnavailable({ operation: "commit", cause: "the charge kept changing" })
  })

  /** Applies a command to the charge, in the same way. */
  const move = (read: Charge, command: Command, audit?: AuditChange): Effect.Effect<Moved<Charge>, MoveError> =>
    moveBy(read, (charge, now) => decide(charge, command, now), audit && { audit })

  /** The same, without `isOurs`. */
  const apply = (read: Charge, command: Command, audit?: AuditChange) =>
    Effect.map(move(read, command, audit), ({ state }) => state)

  return { load, move, moveBy, apply }
}

/** Loading charges and applying commands to them. */
export type ChargeMoves = ReturnType<typeof makeChargeMoves>
