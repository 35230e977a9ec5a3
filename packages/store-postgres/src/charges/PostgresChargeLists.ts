import { ChargeLists, type ChargeSearch, isStorableText, type PageRequest, type Period } from "@pixcharge/core"
import { type Charge, parseChargeId, type Payment, readSoughtText, type Return } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { chargeFromRow, paymentColumns, returnColumns } from "../charges/ChargeRow.ts"
import type { Database } from "../sql/Database.ts"
import { makeReadPage, readPage } from "../sql/pages.ts"
import type { SqlValue } from "../sql/Sql.ts"
import { toSeconds } from "../sql/values.ts"
import {
  findPayment,
  findPaymentInAnyCase,
  findPayments,
  findReturns,
  listPayments,
  listReturns,
  nameBeginning,
  namePattern,
  searchCharges,
} from "./chargeLists.sql.ts"

const charges = {
  fromRow: chargeFromRow,
  position: ({ createdAt, id }: Charge) => [toSeconds(createdAt), id],
  textChecks: [(id: string) => Result.isSuccess(parseChargeId(id))],
}

const searchValues = (issuer: Cnpj, search: ChargeSearch): Readonly<Record<string, SqlValue>> => {
  const { from, until, status, text, amount, due, paid } = search
  const { ids, endToEndId, payerTaxId, payerWords, amountCents, reference } = readSoughtText(text ?? "", issuer)
  return {
    issuer,
    from: toSeconds(from),
    until: toSeconds(until),
    at: status && toSeconds(status.at),
    firstId: ids?.first ?? null,
    lastId: ids?.last ?? null,
    endToEndId: endToEndId ?? null,
    payerTaxId: payerTaxId ?? null,
    payerWord: payerWords === undefined ? null : nameBeginning(payerWords),
    payerPattern: payerWords === undefined ? null : namePattern(payerWords),
    amountCents: amountCents ?? null,
    reference: reference ?? null,
    minCents: amount?.minCents,
    maxCents: amount?.maxCents,
    dueFrom: due?.from,
    dueUntil: due?.until,
    paidFrom: paid && toSeconds(paid.from),
    paidUntil: paid && toSeconds(paid.until),
  }
}

const payments = {
  name: "payments",
  statement: listPayments,
  fromRow: paymentColumns.fromRow,
  position: ({ paidAt, endToEndId }: Payment) => [toSeconds(paidAt), endToEndId],
  textChecks: [isStorableText],
}

const returns = {
  name: "returns",
  statement: listReturns,
  fromRow: returnColumns.fromRow,
  position: ({ returnedAt, endToEndId, id }: Return) => [toSeconds(returnedAt), endToEndId, id],
  textChecks: [isStorableText, isStorableText],
}

/** `E`, institution and minute. The rest can have letters of both cases. */
const beginningLength = 21

const beginnings = (endToEndId: string): ReadonlyArray<string> => {
  const beginning = endToEndId.slice(0, beginningLength)
  return [beginning, beginning.toUpperCase(), beginning.toLowerCase()]
}

const periodValues = ({ from, until }: Period) => [toSeconds(from), toSeconds(until)]

export const makeChargeLists = (database: Database): ChargeLists["Service"] => {
  const readList = makeReadPage(database)

  const listCharges = (issuer: Cnpj, search: ChargeSearch, page: PageRequest) => {
    const { parameters, statement } = searchCharges(search)
    const byName = searchValues(issuer, search)
    const values = parameters.map((name) => byName[name])
    return readPage("charges", charges, page, (after, limit, signal) =>
      database.run(after.length === 0 ? statement.first : statement.next, [...values, limit, ...after], {
        signal,
        reportOf: issuer,
      }),
    )
  }

  return ChargeLists.of({
    charges: listCharges,
    payments: (issuer, period, page) => readList(issuer, payments, periodValues(period), page),
    payment: (issuer, endToEndId) =>
      Effect.map(
        database.query("payment", findPayment, [issuer, endToEndId]),
        ([row]) => row && paymentColumns.fromRow(row),
      ),
    paymentInAnyCase: (issuer, endToEndId) =>
      Effect.map(
        database.query("paymentInAnyCase", findPaymentInAnyCase, [issuer, endToEndId, ...beginnings(endToEndId)]),
        ([row]) => row && paymentColumns.fromRow(row),
      ),
    paymentsById: (issuer, endToEndIds) =>
      Effect.map(database.query("paymentsById", findPayments, [issuer, JSON.stringify(endToEndIds)]), (rows) =>
        rows.map(paymentColumns.fromRow),
      ),
    paymentsAt: (issuer, moment) =>
      Effect.map(database.query("paymentsAt", listPayments.first, [issuer, ...periodValues(moment), 1_000]), (rows) =>
        rows.map(paymentColumns.fromRow),
      ),
    returnsOf: (issuer, endToEndIds) =>
      Effect.map(database.query("returnsOf", findReturns, [issuer, JSON.stringify(endToEndIds)]), (rows) =>
        rows.map(returnColumns.fromRow),
      ),
    returns: (issuer, period, page) => readList(issuer, returns, periodValues(period), page),
  })
}
