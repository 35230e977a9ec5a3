import type { IssueError, MoveError, RefundRejected, SimulationError } from "@pixcharge/core"
import {
  chargeFailures,
  dueDateOutOfRange,
  exchangeFailures,
  type Failure,
  notEligible,
  operationFailures,
} from "./messages.ts"

/** Every error that an operation behind the five routes can end with. */
export type OperationError = IssueError | MoveError | SimulationError | RefundRejected

/** The answer to an operation's error. */
export const operationFailure = (error: OperationError): Failure => {
  switch (error._tag) {
    case "IssuerNotEligible":
      return notEligible(error.missing)
    case "DueDateOutOfRange":
      return dueDateOutOfRange(error.earliest, error.latest)
    case "ChargeNotFound":
      return chargeFailures.notFound
    // None of the five routes names a payment, so these would be faults of ours.
    case "ChargeAlreadyPaid":
    case "PaymentUnmatched":
    case "PaymentOfAnotherCharge":
      return exchangeFailures.internal
    default:
      return operationFailures[error._tag]
  }
}

/** How long a caller should wait before repeating, in whole seconds; undefined when waiting helps nothing. */
export const retryAfterSeconds = (error: OperationError): number | undefined => {
  switch (error._tag) {
    case "ProcessorUnavailable":
      return Math.max(1, Math.ceil((error.retryAfterMs ?? 5_000) / 1_000))
    case "StoreUnavailable":
    case "DirectoryUnavailable":
      return 1
    default:
      return undefined
  }
}
