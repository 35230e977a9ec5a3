import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import { type Charge, isSettledBy, type SettledCharge } from "../../model/charge/Charge.ts"
import { newsEvent } from "../../model/charge/chargeEvents.ts"
import { type Command, decide } from "../../model/charge/decide.ts"
import { unknownReturns } from "../../model/charge/Payment.ts"
import type { Refusal, Transition } from "../../model/charge/Transition.ts"
import { ChargeNotFound } from "../../model/charge/chargeErrors.ts"
import { PaymentOfAnotherCharge } from "../../model/charge/paymentErrors.ts"
import type { DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import type { StoreUnavailable } from "../../ports/portErrors.ts"
import type { AuditChange } from "../../ports/AuditLog.ts"
import type { Change, NewDelivery } from "../../ports/ChargeStore.ts"
import { makeDeliver } from "../events/hostDelivery.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { makeNewExceptions } from "./newExceptions.ts"
import { type Attempt, type Moved, moveUntilCommitted } from "./moveUntilCommitted.ts"

export type CommitError = ChargeNotFound | PaymentOfAnotherCharge | StoreUnavailable | DirectoryUnavailable

export type MoveError = Refusal | CommitError

type Decision<E> = (charge: Charge, now: number) => Result.Result<Transition, E>

type MoveExtras = Pick<Change, "audit" | "onlyAtVersion">

type MovePorts = Pick<ChargePorts, "store" | "exceptions" | "directory" | "endpoints" | "published" | "signal">

export class ChargeMoves {
  readonly #ports: MovePorts
  readonly #deliver: ReturnType<typeof makeDeliver>
  readonly #newExceptions: ReturnType<typeof makeNewExceptions>

  constructor(ports: MovePorts) {
    this.#ports = ports
    this.#newExceptions = makeNewExceptions(ports)
    this.#deliver = makeDeliver(ports)
  }

  readonly load = Effect.fnUntraced({ self: this }, function* ({ issuer, id }: Pick<Charge, "issuer" | "id">) {
    const charge = yield* this.#ports.store.find(issuer, id)
    return charge ?? (yield* new ChargeNotFound({ issuer, id }))
  })

  move(read: Charge, command: Command, audit?: AuditChange): Effect.Effect<Moved<Charge>, MoveError> {
    return this.moveBy(read, (charge, now) => decide(charge, command, now), audit && { audit })
  }

  apply(read: Charge, command: Command, audit?: AuditChange): Effect.Effect<Charge, MoveError> {
    return Effect.map(this.move(read, command, audit), ({ state }) => state)
  }

  /** With `onlyAtVersion`, skips a stale write. */
  moveBy<E>(
    read: Charge,
    decision: Decision<E>,
    extras: MoveExtras = {},
  ): Effect.Effect<Moved<Charge>, E | CommitError> {
    return Effect.suspend(() => {
      let boundAt: number | undefined
      return moveUntilCommitted("charge", read, (charge, now) =>
        Effect.flatMap(Effect.fromResult(decision(charge, now)), (transition) => {
          const settling = settlingPart(charge, transition)
          if (settling === undefined) return this.#commit(charge, transition, extras, false)
          const isBound = charge.version !== boundAt
          boundAt = charge.version
          const isWhole = countFacts(settling) === countFacts(transition)
          return Effect.map(this.#commit(charge, settling, extras, isBound), (attempt) =>
            attempt.isOurs && !isWhole ? { ...attempt, isStale: true } : attempt,
          )
        }),
      )
    })
  }

  /** If it `isBound` and stale, records nothing: it would publish the settling payment as an exception. */
  readonly #commit = Effect.fnUntraced(
    { self: this },
    function* (
      charge: Charge,
      transition: Transition,
      extras: MoveExtras,
      isBound: boolean,
    ): Effect.fn.Return<Attempt<Charge>, CommitError> {
      const { payments, returns, partialRefund, termsRows, unsent } = transition
      const { issuer, id, version } = charge
      if (transition.next === undefined && payments.length === 0 && returns.length === 0)
        return { state: charge, isOurs: false }
      const { store, signal } = this.#ports
      const deliveries = yield* this.#newDeliveries(transition)
      const exceptions = yield* this.#newExceptions.ofMove(charge, transition)
      const next = transition.next && withVersions(transition.next, deliveries)
      const { moved, foreignPayments } = yield* store.commit({
        issuer,
        id,
        expectedVersion: version,
        payments,
        returns,
        deliveries,
        ...(next && { next }),
        ...(partialRefund && { partialRefund }),
        ...(termsRows && { termsRows }),
        ...extras,
        ...(isBound && { onlyAtVersion: true }),
        ...(unsent && { unsent }),
        ...(exceptions.length > 0 && { exceptions }),
      })
      if (moved && unsent === "restore") yield* signal.notifyAll
      else if (deliveries.length + exceptions.length > 0) yield* signal.notify(deliveries.concat(exceptions))
      if (!moved && extras.onlyAtVersion === true) return { state: charge, isOurs: false }
      const [foreign] = isBound && !moved ? [] : foreignPayments
      if (foreign !== undefined) return yield* new PaymentOfAnotherCharge({ issuer, id, endToEndId: foreign })
      if (moved && next !== undefined) return { state: next, isOurs: true }
      const state = yield* this.#reload(charge, next)
      return { state, isOurs: false, isStale: next !== undefined || state.version !== version }
    },
  )

  readonly #newDeliveries = Effect.fnUntraced({ self: this }, function* ({ next, news }: Transition) {
    if (next === undefined || news === undefined) return []
    let deliveries: ReadonlyArray<NewDelivery> = []
    for (const one of news) {
      const each = yield* this.#deliver(next.issuer, one.kind, (companyName) => newsEvent(next, one, companyName))
      deliveries = deliveries.concat(each)
    }
    return deliveries
  })

  /**
   * If another payment settled the charge, adds the recorded returns of `next`'s payment for the next decision. Fails if that
   * payment is already resolved, or being refunded, as an exception.
   */
  readonly #reload = Effect.fnUntraced({ self: this }, function* (read: Charge, next: Charge | undefined) {
    const charge = yield* this.load(read)
    if (!isSettledByAnother(charge, next)) return charge
    const { endToEndId } = next.payment
    const recorded = yield* this.#ports.exceptions.find(charge.issuer, endToEndId)
    const isDecided = recorded?.state._tag === "Resolved" || recorded?.state._tag === "Refunding"
    if (isDecided) return yield* new PaymentOfAnotherCharge({ issuer: charge.issuer, id: charge.id, endToEndId })
    // Keeps returns that an earlier attempt added for another payment.
    const returns = [...charge.returns]
    for (const one of [...read.returns, ...(recorded?.returns ?? [])]) returns.push(...unknownReturns(returns, one))
    return { ...charge, returns }
  })
}

const countFacts = ({ payments, returns }: Transition): number => payments.length + returns.length

/** The other payments wait: if this one can't settle the charge, one of them can. */
const settlingPart = (before: Charge, transition: Transition): Transition | undefined => {
  const { next, payments, returns } = transition
  if (!isSettledByAnother(before, next)) return undefined
  const isOfPayment = ({ endToEndId }: { readonly endToEndId: string }) => endToEndId === next.payment.endToEndId
  return { ...transition, payments: payments.filter(isOfPayment), returns: returns.filter(isOfPayment) }
}

const isSettledByAnother = (before: Charge, next: Charge | undefined): next is SettledCharge =>
  next !== undefined && "payment" in next && !isSettledBy(before, next.payment.endToEndId)

/** Raises the version once for each event, because a charge's events are sent in the order of its versions. */
const withVersions = (next: Charge, deliveries: ReadonlyArray<NewDelivery>): Charge => {
  if (deliveries.length < 2) return next
  const events = new Set(deliveries.map(({ event }) => event.id)).size
  return { ...next, version: next.version + events - 1 }
}
