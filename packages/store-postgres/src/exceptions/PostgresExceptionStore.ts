import { ExceptionStore, type PaymentException } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { returnRow } from "../charges/ChargeRow.ts"
import type { Database } from "../database/Database.ts"
import { makeReadPage } from "../database/pages.ts"
import { toSeconds } from "../database/values.ts"
import { exceptionFromRow, exceptionRow } from "./ExceptionRow.ts"
import { commitException, findException, openExceptions } from "./exceptions.sql.ts"

const open = {
  statement: openExceptions,
  fromRow: exceptionFromRow,
  position: ({ payment }: PaymentException) => [toSeconds(payment.paidAt), payment.endToEndId],
  texts: 1,
}

/** Payments that settled no charge, on Postgres. */
export const makeExceptionStore = (database: Database): ExceptionStore["Service"] => {
  const { query } = database
  const readPage = makeReadPage(database)

  return ExceptionStore.of({
    listOpen: (issuer, page) => readPage("listOpenExceptions", open, [issuer], page),
    find: (issuer, endToEndId) =>
      Effect.map(query("findException", findException, [issuer, endToEndId]), ([row]) => row && exceptionFromRow(row)),
    commit: (change) => {
      const values = [JSON.stringify(exceptionRow(change)), JSON.stringify(change.returns.map(returnRow))]
      return Effect.map(query("commitException", commitException, values), (rows) => rows.length > 0)
    },
  })
}
