import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Charge } from "../../model/charge/Charge.ts"
import { decideException, type ExceptionCommand, type PaymentException } from "../../model/charge/PaymentException.ts"
import { exceptionRefundFailedEvent } from "../../model/charge/chargeEvents.ts"
import type { FailedRefund } from "../../model/charge/Refund.ts"
import { type ExceptionClosed, ExceptionNotFound } from "../../model/charge/paymentErrors.ts"
import { StoreUnavailable } from "../../ports/portErrors.ts"
import type { DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import { makeDeliver } from "../events/hostDelivery.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { AuditChange } from "../../ports/AuditLog.ts"
import type { ExceptionStore } from "../../ports/ExceptionStore.ts"
import { isStorableText } from "../../runtime/storable.ts"
import { type Moved, maxRounds } from "./ChargeMoves.ts"
import type { ChargePorts } from "./ChargePorts.ts"
import { noteReason } from "./callRefund.ts"

/** How a move of an exception can fail. */
export type ExceptionMoveError = ExceptionNotFound | ExceptionClosed | StoreUnavailable | DirectoryUnavailable

/** What is recorded of a command, if somebody has to decide on it. */
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

/** More further payments than a charge has. */
const maxFurther = 100

/** Lists the payments in the books that were made for a charge and didn't settle it. */
export const makeListFurther =
  ({ exceptions }: Pick<ExceptionPorts, "exceptions">) =>
  (charge: Charge) =>
    Effect.mapError(
      exceptions.ofCharge(charge, maxFurther),
      (cause) => new StoreUnavailable({ operation: "exceptionsOfCharge", cause }),
    )

/** What moves of exceptions need: the store, and those who are told of refunds that failed. */
export interface ExceptionPorts extends Pick<ChargePorts, "directory" | "endpoints" | "signal"> {
  readonly exceptions: ExceptionStore["Service"]
}

/** Commands to exceptions: load, decide, commit, and once more from the start when another writer was faster. */
export const makeExceptionMoves = ({ exceptions: store, directory, endpoints, signal }: ExceptionPorts) => {
  const deliver = makeDeliver({ directory, endpoints })

  const load = Effect.fnUntraced(function* (issuer: Cnpj, endToEndId: string) {
    // What no store can keep is in none: Postgres refuses to look for it.
    const exception = isStorableText(endToEndId) ? yield* store.find(issuer, endToEndId) : undefined
    return exception ?? (yield* new ExceptionNotFound({ issuer, endToEndId }))
  })

  const newDeliveries = (exception: PaymentException, refund: FailedRefund, occurredAt: number) =>
    deliver(exception.payment.issuer, "refund-failed", (companyName) =>
      exceptionRefundFailedEvent(exception, refund, { companyName, occurredAt }),
    )

  /** Applies a command to the exception as it is stored: what it is after, and whether this call moved it. */
  const move = Effect.fnUntraced(function* (
    issuer: Cnpj,
    endToEndId: string,
    command: ExceptionCommand,
  ): Effect.fn.Return<Moved<PaymentException>, ExceptionMoveError> {
    for (let round = 0; round < maxRounds; round++) {
      const state = yield* load(issuer, endToEndId)
      const now = yield* Clock.currentTimeMillis
      const { next, returns, failedRefund } = yield* Effect.fromResult(decideException(state, command, now))
      if (next === undefined) return { state, isOurs: false }
      const deliveries = failedRefund ? yield* newDeliveries(state, failedRefund, now) : []
      const expectedVersion = state.version
      const audit = toAudit(endToEndId, command)
      if (yield* store.commit({ issuer, endToEndId, expectedVersion, next, returns, deliveries, ...audit })) {
        if (deliveries.length > 0) yield* signal.notify(deliveries)
        const version = expectedVersion + 1
        return { state: { ...state, state: next, version, returns: [...state.returns, ...returns] }, isOurs: true }
      }
    }
    return yield* new StoreUnavailable({ operation: "commitException", cause: "the exception kept changing" })
  })

  /** The same, answering with what the exception is after. */
  const apply = (issuer: Cnpj, endToEndId: string, command: ExceptionCommand) =>
    Effect.map(move(issuer, endToEndId, command), ({ state }) => state)

  return { load, move, apply }
}

/** Loading exceptions and applying commands to them. */
export type ExceptionMoves = ReturnType<typeof makeExceptionMoves>
