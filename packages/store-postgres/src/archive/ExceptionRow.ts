import type { ExceptionChange, ExceptionReason, ExceptionState, PaymentException } from "@pixcharge/core"
import type { Return, ReturnKind } from "@pixcharge/core/charge"
import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { paymentOf, refundColumns, refundOf, returnsOfPayment } from "../charges/ChargeRow.ts"
import type { Row } from "../database/Database.ts"
import { millisIn, numberIn, secondsOf, textIn } from "../database/values.ts"

const stateColumns = (state: ExceptionState) => {
  switch (state._tag) {
    case "Open":
      return { state: "open", ...refundColumns(state.failedRefund), refund_rejection: state.failedRefund?.reason }
    case "Refunding":
      return {
        state: "refunding",
        ...refundColumns(state.refund),
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
    case "refunded":
      return { _tag: "Refunded", refundId: textIn(row, "refund_id"), refundedAt: millisIn(row, "refunded_at") }
    case "resolved":
      return { _tag: "Resolved", note: textIn(row, "resolution"), resolvedAt: millisIn(row, "resolved_at") }
  }
  const refund = refundOf(row)
  if (refund === undefined) return { _tag: "Open" }
  if (row["exception_state"] === "open") {
    return { _tag: "Open", failedRefund: { ...refund, reason: textIn(row, "refund_rejection") } }
  }
  return { _tag: "Refunding", refund, checkAt: millisIn(row, "refund_check_at") }
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
