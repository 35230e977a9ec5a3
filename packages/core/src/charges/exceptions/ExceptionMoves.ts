import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { decideException, type ExceptionCommand } from "../rules/decideException.ts"
import type { PaymentException } from "../rules/PaymentException.ts"
import { type ExceptionClosed, ExceptionNotFound } from "../rules/paymentErrors.ts"
import { StoreUnavailable } from "../../ports/portErrors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { AuditChange } from "../../ports/AuditLog.ts"
import type { ExceptionStore } from "../../ports/ExceptionStore.ts"
import { isStorableText } from "../../runtime/storable/StorableText.ts"
import { type Moved, maxRounds } from "../ChargeMoves.ts"
import { noteReason } from "../refunds/noteReason.ts"

/** How a move of an exception can fail. */
export type ExceptionMoveError = ExceptionNotFound | ExceptionClosed | StoreUnavailable

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

/** Commands to exceptions: load, decide, commit, and once more from the start when another writer was faster. */
export const makeExceptionMoves = (store: ExceptionStore["Service"]) => {
  const load = Effect.fnUntraced(function* (issuer: Cnpj, endToEndId: string) {
    // What no store can keep is in none: Postgres refuses to look for it.
    const exception = isStorableText(endToEndId) ? yield* store.find(issuer, endToEndId) : undefined
    return exception ?? (yield* new ExceptionNotFound({ issuer, endToEndId }))
  })

  /** Applies a command to the exception as it is stored: what it is after, and whether this call moved it. */
  const move = Effect.fnUntraced(function* (
    issuer: Cnpj,
    endToEndId: string,
    command: ExceptionCommand,
  ): Effect.fn.Return<Moved<PaymentException>, ExceptionMoveError> {
    for (let round = 0; round < maxRounds; round++) {
      const state = yield* load(issuer, endToEndId)
      const decided = decideException(state, command, yield* Clock.currentTimeMillis)
      const { next, returns } = yield* Effect.fromResult(decided)
      if (next === undefined) return { state, isOurs: false }
      const expectedVersion = state.version
      const audit = toAudit(endToEndId, command)
      if (yield* store.commit({ issuer, endToEndId, expectedVersion, next, returns, ...audit })) {
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
