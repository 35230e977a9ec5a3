import type { ExceptionChange } from "@pixcharge/core"
import type { ExceptionReason, ExceptionState, FailedRefund, PaymentException } from "@pixcharge/core/charges"
import { auditColumns, type Author } from "../reports/Author.ts"
import { lastRefund, paymentColumns, returnsFromJson } from "../charges/ChargeRow.ts"
import { Columns, instant, text } from "../sql/Columns.ts"
import type { Row } from "../sql/Database.ts"
import { millisIn, numberIn, textIn, textOr } from "../sql/values.ts"

/** What a state of an exception has besides its last refund. */
export const exceptionFacts = new Columns<{
  readonly refundCheckAt?: number
  readonly refundedAt?: number
  readonly resolution?: string
  readonly resolvedAt?: number
}>({ refundCheckAt: instant, refundedAt: instant, resolution: text, resolvedAt: instant })

const stateColumns = (state: ExceptionState) => {
  switch (state._tag) {
    case "Open":
      return { state: "open", ...(state.failedRefund && lastRefund.toRow(state.failedRefund)) }
    case "Refunding":
      return {
        state: "refunding",
        ...lastRefund.toRow(state.refund),
        ...exceptionFacts.toRow({ refundCheckAt: state.checkAt }),
      }
    case "Refunded":
      return {
        state: "refunded",
        refund_id: state.refundId,
        refund_reason: state.reason,
        ...exceptionFacts.toRow({ refundedAt: state.refundedAt }),
      }
    case "Resolved":
      return { state: "resolved", ...exceptionFacts.toRow({ resolution: state.note, resolvedAt: state.resolvedAt }) }
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
  const refund = lastRefund.read(row)
  if (refund === undefined) return { _tag: "Open" }
  if (row["exception_state"] === "open") return { _tag: "Open", failedRefund: refund as FailedRefund }
  return { _tag: "Refunding", refund, checkAt: millisIn(row, "refund_check_at") }
}

/** The exception of a row of `exceptionColumns`. */
export const exceptionFromRow = (row: Row): PaymentException => {
  const payment = paymentColumns.fromRow(row)
  return {
    payment,
    reason: textIn(row, "reason") as ExceptionReason,
    state: stateFromRow(row),
    version: numberIn(row, "exception_version"),
    returns: returnsFromJson(row["returns"]),
  }
}
