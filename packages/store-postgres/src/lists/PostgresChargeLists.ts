import { ChargeLists, type Period } from "@pixcharge/core"
import type { Charge, Payment, Return } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { chargeFromRow, paymentFromRow, returnFromRow } from "../charges/ChargeRow.ts"
import type { Database } from "../database/Database.ts"
import { type List, makeReadPage } from "../database/pages.ts"
import { secondsOf } from "../database/values.ts"
import { findPayment, listCharges, listPayments, listReturns } from "./chargeLists.sql.ts"

const charges: List<Charge> = {
  statement: listCharges,
  fromRow: chargeFromRow,
  position: ({ createdAt, id }) => [secondsOf(createdAt), id],
  texts: 1,
}

const payments: List<Payment> = {
  statement: listPayments,
  fromRow: (row) => paymentFromRow(row, ""),
  position: ({ paidAt, endToEndId }) => [secondsOf(paidAt), endToEndId],
  texts: 1,
}

const returns: List<Return> = {
  statement: listReturns,
  fromRow: returnFromRow,
  position: ({ returnedAt, endToEndId, id }) => [secondsOf(returnedAt), endToEndId, id],
  texts: 2,
}

const within = (issuer: Cnpj, { from, until }: Period) => [issuer, secondsOf(from), secondsOf(until)]

/** The lists of what a company has, on Postgres. */
export const makeChargeLists = (database: Database): ChargeLists["Service"] => {
  const readPage = makeReadPage(database)
  const paymentStatement = findPayment(database.schema)

  return ChargeLists.of({
    charges: (issuer, period, page) => readPage("charges", charges, within(issuer, period), page),
    payments: (issuer, period, page) => readPage("payments", payments, within(issuer, period), page),
    payment: (issuer, endToEndId) =>
      Effect.map(
        database.query("payment", paymentStatement, [issuer, endToEndId]),
        ([row]) => row && paymentFromRow(row, ""),
      ),
    returns: (issuer, period, page) => readPage("returns", returns, within(issuer, period), page),
  })
}
