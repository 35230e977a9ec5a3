import type { RefundRejected } from "@pixcharge/core"
import type { IssueError, MoveError, SimulationError } from "@pixcharge/core/internal"
import type { TooManyFailures, Unauthenticated } from "../Tokens.ts"
import { dueDateOutOfRange, exchangeFailures, type Failure, notEligible, operationFailures } from "./messages.ts"

/** Every error that an operation behind the routes can end with. */
export type OperationError = OperationFailure | Unauthenticated

type OperationFailure = IssueError | MoveError | SimulationError | RefundRejected | TooManyFailures

/** The answer to an operation's error. */
export const toFailure = (error: OperationFailure): Failure => {
  if (error._tag === "IssuerNotEligible") return notEligible(error.missing)
  if (error._tag === "DueDateOutOfRange") return dueDateOutOfRange(error.earliest, error.latest)
  // A caller who is asked to repeat what the store can't keep would do so for ever.
  if (error._tag === "StoreUnavailable" && error.isRefused) return exchangeFailures.internal
  return operationFailures[error._tag]
}

/** How long a caller should wait before repeating, in whole seconds; undefined when waiting helps nothing. */
export const findRetryAfterSeconds = (error: OperationError): number | undefined => {
  switch (error._tag) {
    case "ProcessorUnavailable":
      return Math.max(1, Math.ceil((error.retryAfterMs ?? 5_000) / 1_000))
    case "TooManyFailures":
      return Math.max(1, Math.ceil(error.retryAfterMs / 1_000))
    case "StoreUnavailable":
      return error.isRefused ? undefined : 1
    case "DirectoryUnavailable":
      return 1
    default:
      return undefined
  }
}
