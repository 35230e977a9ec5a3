import { ExceptionStore, isStorableText } from "@pixcharge/core"
import type { PaymentException } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { currentAuthor } from "../reports/Author.ts"
import { returnColumns } from "../charges/ChargeRow.ts"
import type { Database } from "../sql/Database.ts"
import { makeReadPage } from "../sql/pages.ts"
import { deliveryRow } from "../outbox/DeliveryRow.ts"
import { toSeconds } from "../sql/values.ts"
import { exceptionFromRow, exceptionRow } from "./ExceptionRow.ts"
import { chargeExceptions, commitException, findException, openExceptions, searchExceptions } from "./exceptions.sql.ts"

const list = {
  fromRow: exceptionFromRow,
  position: ({ payment }: PaymentException) => [toSeconds(payment.paidAt), payment.endToEndId],
  texts: [isStorableText],
}

const open = { ...list, statement: openExceptions }

/** Payments that settled no charge, on Postgres. */
export const makeExceptionStore = (database: Database): ExceptionStore["Service"] => {
  const { query, report } = database
  const readPage = makeReadPage(database)

  return ExceptionStore.of({
    listOpen: (issuer, page) => readPage("listOpenExceptions", issuer, open, [], page),
    search: (issuer, { from, until, status }, page) =>
      Effect.suspend(() =>
        readPage(
          "searchExceptions",
          issuer,
          { ...list, statement: searchExceptions(status) },
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
