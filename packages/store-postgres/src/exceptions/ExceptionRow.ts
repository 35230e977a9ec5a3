import type { ExceptionChange } from "@pixcharge/core"
import type { ExceptionReason, ExceptionState, PaymentException } from "@pixcharge/core/charges"
import type { Author } from "../audit/Author.ts"
import { auditColumns } from "../audit/auditColumns.ts"
import { paymentFromRow, refundColumns, refundFromRow, returnsFromJson } from "../charges/ChargeRow.ts"
import type { Row } from "../database/Database.ts"
import { millisIn, numberIn, toSeconds, textIn, textOr } from "../database/values.ts"

const stateColumns = (state: ExceptionState) => {
  switch (state._tag) {
    case "Open":
      return { state: "open", ...refundColumns(state.failedRefund), refund_rejection: state.failedRefund?.rejection }
    case "Refunding":
      return { state: "refunding", ...refundColumns(state.refund), refund_check_at: toSeconds(state.checkAt) }
    case "Refunded":
      return {
        state: "refunded",
        refund_id: state.refundId,
        refunded_at: toSeconds(state.refundedAt),
        refund_reason: state.reason,
      }
    case "Resolved":
      return { state: "resolved", resolution: state.note, resolved_at: toSeconds(state.resolvedAt) }
  }
}

/** What a change writes of an exception. */
export const exceptionRow = (change: ExceptionChange, author: Author) => ({
  issuer: change.issuer,
  end_to_end_id: change.endToEndId,
  expected: change.expectedVersion,
  ...stateColumns(change.next),
  ...auditColumns(change.audit, author),
})

const stateFromRow = (row: Row): ExceptionState => {
  switch (row["exception_state"]) {
    case "refunded": {
      const refunded = { refundId: textIn(row, "refund_id"), refundedAt: millisIn(row, "refunded_at") }
      const reason = textOr(row["refund_reason"])
      return { _tag: "Refunded", ...refunded, ...(reason !== undefined && { reason }) }
    }
    case "resolved":
      return { _tag: "Resolved", note: textIn(row, "resolution"), resolvedAt: millisIn(row, "resolved_at") }
  }
  const refund = refundFromRow(row)
  if (refund === undefined) return { _tag: "Open" }
  if (row["exception_state"] === "open") {
    return { _tag: "Open", failedRefund: { ...refund, rejection: textIn(row, "refund_rejection") } }
  }
  return { _tag: "Refunding", refund, checkAt: millisIn(row, "refund_check_at") }
}

/** The exception of a row of `exceptionColumns`. */
export const exceptionFromRow = (row: Row): PaymentException => {
  const payment = paymentFromRow(row, "")
  return {
    payment,
    reason: textIn(row, "reason") as ExceptionReason,
    state: stateFromRow(row),
    version: numberIn(row, "exception_version"),
    returns: returnsFromJson(row["returns"], payment.issuer, payment.endToEndId),
  }
}
