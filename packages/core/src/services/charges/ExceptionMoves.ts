import * as Effect from "effect/Effect"
import type { Charge } from "../../model/charge/Charge.ts"
import {
  decideException,
  type ExceptionCommand,
  type ExceptionTransition,
  type PaymentException,
} from "../../model/charge/PaymentException.ts"
import { exceptionRefundFailedEvent, exceptionReturnedEvent } from "../../model/charge/chargeEvents.ts"
import { type ExceptionClosed, ExceptionNotFound } from "../../model/charge/paymentErrors.ts"
import { StoreUnavailable } from "../../ports/portErrors.ts"
import type { DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import { makeDeliver } from "../events/hostDelivery.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { AuditChange } from "../../ports/AuditLog.ts"
import type { NewDelivery } from "../../ports/ChargeStore.ts"
import type { ExceptionStore } from "../../ports/ExceptionStore.ts"
import { isStorableText } from "../../runtime/storable.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { noteReason } from "./RefundCalls.ts"
import { type Attempt, type Moved, moveUntilCommitted } from "./moveUntilCommitted.ts"

export type ExceptionMoveError = ExceptionNotFound | ExceptionClosed | StoreUnavailable | DirectoryUnavailable

const toAudit = (endToEndId: string, command: ExceptionCommand): { readonly audit?: AuditChange } => {
  switch (command._tag) {
    case "RequestRefund":
      return { audit: { kind: "exceptionRefundRequested", endToEndId, ...noteReason(command.reason) } }
    case "Resolve":
      return { audit: { kind: "exceptionResolved", endToEndId, hasNote: command.note !== "" } }
    default:
      return {}
  }
}

export interface ExceptionPorts extends Pick<ChargePorts, "directory" | "endpoints" | "published" | "signal"> {
  readonly exceptions: ExceptionStore["Service"]
}

const maxFurther = 100

export class ExceptionMoves {
  readonly #ports: ExceptionPorts
  readonly #deliver: ReturnType<typeof makeDeliver>

  constructor(ports: ExceptionPorts) {
    this.#ports = ports
    this.#deliver = makeDeliver(ports)
  }

  readonly load = Effect.fnUntraced({ self: this }, function* (issuer: Cnpj, endToEndId: string) {
    // Postgres refuses to look for an unstorable id.
    const exception = isStorableText(endToEndId) ? yield* this.#ports.exceptions.find(issuer, endToEndId) : undefined
    return exception ?? (yield* new ExceptionNotFound({ issuer, endToEndId }))
  })

  listFurther(charge: Charge): Effect.Effect<ReadonlyArray<PaymentException>, StoreUnavailable> {
    return Effect.mapError(
      this.#ports.exceptions.ofCharge(charge, maxFurther),
      (cause) => new StoreUnavailable({ operation: "exceptionsOfCharge", cause }),
    )
  }

  move(
    issuer: Cnpj,
    endToEndId: string,
    command: ExceptionCommand,
  ): Effect.Effect<Moved<PaymentException>, ExceptionMoveError> {
    return Effect.flatMap(this.load(issuer, endToEndId), (read) =>
      moveUntilCommitted("exception", read, (state, now) => this.#attempt(state, command, now)),
    )
  }

  apply(
    issuer: Cnpj,
    endToEndId: string,
    command: ExceptionCommand,
  ): Effect.Effect<PaymentException, ExceptionMoveError> {
    return Effect.map(this.move(issuer, endToEndId, command), ({ state }) => state)
  }

  readonly #attempt = Effect.fnUntraced(
    { self: this },
    function* (
      state: PaymentException,
      command: ExceptionCommand,
      now: number,
    ): Effect.fn.Return<Attempt<PaymentException>, ExceptionMoveError> {
      const { issuer, endToEndId } = state.payment
      const transition = yield* Effect.fromResult(decideException(state, command, now))
      const { next, returns } = transition
      if (next === undefined) return { state, isOurs: false }
      const expectedVersion = state.version
      const after = { ...state, state: next, version: expectedVersion + 1, returns: [...state.returns, ...returns] }
      const deliveries = yield* this.#newDeliveries(after, transition, now)
      const audit = toAudit(endToEndId, command)
      const change = { issuer, endToEndId, expectedVersion, next, movedAt: now, returns, deliveries, ...audit }
      if (!(yield* this.#ports.exceptions.commit(change))) {
        return { state: yield* this.load(issuer, endToEndId), isOurs: false, isStale: true }
      }
      if (deliveries.length > 0) yield* this.#ports.signal.notify(deliveries)
      return { state: after, isOurs: true }
    },
  )

  #newDeliveries(
    after: PaymentException,
    { failedRefund, isReturned }: ExceptionTransition,
    occurredAt: number,
  ): Effect.Effect<ReadonlyArray<NewDelivery>, DirectoryUnavailable> {
    const { issuer } = after.payment
    if (isReturned === true) {
      return this.#deliver(issuer, "exception-returned", (companyName) => exceptionReturnedEvent(after, companyName))
    }
    if (failedRefund === undefined) return Effect.succeed([])
    return this.#deliver(issuer, "refund-failed", (companyName) =>
      exceptionRefundFailedEvent(after, failedRefund, { companyName, occurredAt }),
    )
  }
}
