import { ChargeLists, type Period } from "@pixcharge/core"
import type { Charge, Payment, Return } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { chargeFromRow, paymentFromRow, returnFromRow } from "../charges/ChargeRow.ts"
import type { Database, Row } from "../database/Database.ts"
import { makeReadPage } from "../database/pages.ts"
import { toSeconds } from "../database/values.ts"
import { findPayment, listCharges, listPayments, listReturns } from "./chargeLists.sql.ts"

const charges = {
  statement: listCharges,
  fromRow: chargeFromRow,
  position: ({ createdAt, id }: Charge) => [toSeconds(createdAt), id],
  texts: 1,
}

const payments = {
  statement: listPayments,
  fromRow: (row: Row) => paymentFromRow(row, ""),
  position: ({ paidAt, endToEndId }: Payment) => [toSeconds(paidAt), endToEndId],
  texts: 1,
}

const returns = {
  statement: listReturns,
  fromRow: returnFromRow,
  position: ({ returnedAt, endToEndId, id }: Return) => [toSeconds(returnedAt), endToEndId, id],
  texts: 2,
}

const within = (issuer: Cnpj, { from, until }: Period) => [issuer, toSeconds(from), toSeconds(until)]

/** The lists of what a company has, on Postgres. */
export const makeChargeLists = (database: Database): ChargeLists["Service"] => {
  const readPage = makeReadPage(database)

  return ChargeLists.of({
    charges: (issuer, period, page) => readPage("charges", charges, within(issuer, period), page),
    payments: (issuer, period, page) => readPage("payments", payments, within(issuer, period), page),
    payment: (issuer, endToEndId) =>
      Effect.map(
        database.query("payment", findPayment, [issuer, endToEndId]),
        ([row]) => row && paymentFromRow(row, ""),
      ),
    returns: (issuer, period, page) => readPage("returns", returns, within(issuer, period), page),
  })
}
