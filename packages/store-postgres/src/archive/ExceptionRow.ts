import type { ExceptionChange, ExceptionReason, ExceptionState, PaymentException } from "@pixcharge/core"
import type { Return, ReturnKind } from "@pixcharge/core/charge"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { paymentOf, returnsOfPayment } from "../charges/ChargeRow.ts"
import type { Row } from "../database/Database.ts"
import { millisIn, numberIn, secondsOf, textIn } from "../database/values.ts"

const stateColumns = (state: ExceptionState) => {
  switch (state._tag) {
    case "Open":
      return { state: "open" }
    case "Refunding":
      return {
        state: "refunding",
        refund_id: state.refundId,
        refund_attempt: state.attempt,
        refund_requested_at: secondsOf(state.requestedAt),
        refund_check_at: secondsOf(state.checkAt),
      }
    case "Refunded":
      return { state: "refunded", refund_id: state.refundId, refunded_at: secondsOf(state.refundedAt) }
    case "Resolved":
      return { state: "resolved", resolution: state.note, resolved_at: secondsOf(state.resolvedAt) }
  }
}

export const exceptionRowOf = ({ issuer, endToEndId, expectedVersion, next }: ExceptionChange) => ({
  issuer,
  end_to_end_id: endToEndId,
  expected: expectedVersion,
  ...stateColumns(next),
})

const stateOf = (row: Row): ExceptionState => {
  switch (row["exception_state"]) {
    case "refunding":
      return {
        _tag: "Refunding",
        refundId: textIn(row, "refund_id"),
        attempt: numberIn(row, "refund_attempt"),
        requestedAt: millisIn(row, "refund_requested_at"),
        checkAt: millisIn(row, "refund_check_at"),
      }
    case "refunded":
      return { _tag: "Refunded", refundId: textIn(row, "refund_id"), refundedAt: millisIn(row, "refunded_at") }
    case "resolved":
      return { _tag: "Resolved", note: textIn(row, "resolution"), resolvedAt: millisIn(row, "resolved_at") }
    default:
      return { _tag: "Open" }
  }
}

export const exceptionOf = (row: Row): PaymentException => {
  const payment = paymentOf(row, "")
  return {
    payment,
    reason: textIn(row, "reason") as ExceptionReason,
    state: stateOf(row),
    version: numberIn(row, "exception_version"),
    returns: returnsOfPayment(row["returns"], payment.issuer, payment.endToEndId),
  }
}

export const returnOf = (row: Row): Return => ({
  issuer: textIn(row, "issuer") as Cnpj,
  id: textIn(row, "id"),
  endToEndId: textIn(row, "end_to_end_id"),
  kind: textIn(row, "kind") as ReturnKind,
  amountCents: numberIn(row, "amount_cents") as Cents,
  returnedAt: millisIn(row, "returned_at"),
})
