import { type ExceptionChange, ExceptionStore, isStorableText } from "@pixcharge/core"
import type { ExceptionReason, ExceptionState, FailedRefund, PaymentException } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { deliveryRow } from "../outbox/DeliveryRow.ts"
import { auditColumns, type Author, currentAuthor } from "../sql/Author.ts"
import type { Database, Row } from "../sql/Database.ts"
import { makeReadPage } from "../sql/pages.ts"
import { millisIn, numberIn, secondsOrNull, textIn, textOr, toSeconds } from "../sql/values.ts"
import { lastRefund, paymentColumns, returnColumns, returnsFromJson } from "./ChargeRow.ts"
import {
  chargeExceptions,
  commitException,
  exceptionFacts,
  findException,
  openExceptions,
  searchExceptions,
} from "./exceptions.sql.ts"

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
      return {
        state: "resolved",
        ...exceptionFacts.toRow({
          resolution: state.note,
          resolvedAt: state.resolvedAt,
          ...(state.returnedAt !== undefined && { refundedAt: state.returnedAt }),
        }),
      }
  }
}

export const exceptionRow = (change: ExceptionChange, author: Author) => ({
  issuer: change.issuer,
  end_to_end_id: change.endToEndId,
  expected: change.expectedVersion,
  moved_at: secondsOrNull(change.movedAt),
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
      return {
        _tag: "Resolved",
        note: textIn(row, "resolution"),
        resolvedAt: millisIn(row, "resolved_at"),
        ...(row["refunded_at"] !== null && { returnedAt: millisIn(row, "refunded_at") }),
      }
  }
  const refund = lastRefund.read(row)
  if (refund === undefined) return { _tag: "Open" }
  if (row["exception_state"] === "open") return { _tag: "Open", failedRefund: refund as FailedRefund }
  return { _tag: "Refunding", refund, checkAt: millisIn(row, "refund_check_at") }
}

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

const list = {
  fromRow: exceptionFromRow,
  position: ({ payment }: PaymentException) => [toSeconds(payment.paidAt), payment.endToEndId],
  textChecks: [isStorableText],
}

const open = { ...list, name: "listOpenExceptions", statement: openExceptions }

export const makeExceptionStore = (database: Database): ExceptionStore["Service"] => {
  const { query, report } = database
  const readPage = makeReadPage(database)

  return ExceptionStore.of({
    listOpen: (issuer, page) => readPage(issuer, open, [], page),
    search: (issuer, { from, until, status }, page) =>
      Effect.suspend(() =>
        readPage(
          issuer,
          { ...list, name: "searchExceptions", statement: searchExceptions(status) },
          [toSeconds(from), toSeconds(until)],
          page,
        ),
      ),
    ofCharge: ({ issuer, id, txid }, limit) =>
      Effect.map(report("chargeExceptions", issuer, chargeExceptions, [issuer, id, txid, limit]), (rows) =>
        rows.map(exceptionFromRow),
      ),
    find: (issuer, endToEndId) =>
      Effect.map(query("findException", findException, [issuer, endToEndId]), ([row]) => row && exceptionFromRow(row)),
    commit: Effect.fnUntraced(function* (change) {
      const row = exceptionRow(change, yield* currentAuthor)
      const deliveries = (change.deliveries ?? []).map(deliveryRow)
      const values = [row, change.returns.map(returnColumns.toRow), deliveries].map((rows) => JSON.stringify(rows))
      return (yield* query("commitException", commitException, values)).length > 0
    }),
  })
}
