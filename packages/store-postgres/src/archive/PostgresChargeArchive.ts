import { ChargeArchive, type PageRequest, type Period } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { chargeFromRow, chargeKeyFromRow, paymentFromRow, returnRow } from "../charges/ChargeRow.ts"
import type { ReadCharges } from "../charges/readCharges.ts"
import type { Database } from "../database/Database.ts"
import { pageOf, positionOf, rowsFor } from "../database/pages.ts"
import { storeEffect } from "../database/storeEffect.ts"
import { numberIn, secondsOf, secondsOrNull, textIn } from "../database/values.ts"
import { exceptionOf, exceptionRowOf, returnOf } from "./ExceptionRow.ts"
import {
  claimRefunds,
  commitException,
  findException,
  findPayment,
  openExceptions,
  scheduleRefund,
} from "./exceptions.sql.ts"
import { listCharges, listPayments, listReturns, type PagedSql } from "./lists.sql.ts"
import { erasePayer, exportPayer } from "./payers.sql.ts"
import { archiveCharges, claimChecks, scheduleCheck } from "./upkeep.sql.ts"

/** Lists, the desk, payers' rights and the reconciler's scans on Postgres. */
export const makeChargeArchive = (database: Database, read: ReadCharges): ChargeArchive["Service"] => {
  const { query, schema } = database
  const statements = {
    exception: findException(schema),
    payment: findPayment(schema),
    claimRefunds: claimRefunds(schema),
    scheduleRefund: scheduleRefund(schema),
    commitException: commitException(schema),
    exportPayer: exportPayer(schema),
    erasePayer: erasePayer(schema),
    archive: archiveCharges(schema),
    claimChecks: claimChecks(schema),
    scheduleCheck: scheduleCheck(schema),
  }

  /** One page of rows, after the position that the cursor tells; `texts` says how many texts a position has. */
  const pageRows = Effect.fnUntraced(function* (
    operation: string,
    statement: PagedSql,
    values: ReadonlyArray<unknown>,
    page: PageRequest,
    texts: number,
  ) {
    const position = yield* positionOf(operation, page, texts)
    return yield* query(operation, statement(schema, position.length === 0), [...values, rowsFor(page), ...position])
  })

  const within = (issuer: Cnpj, { from, until }: Period) => [issuer, secondsOf(from), secondsOf(until)]

  /** Once more while something is found: a row may be archived, its texts elsewhere, while it is being erased. */
  const erase = Effect.fnUntraced(function* (issuer: Cnpj, taxId: TaxId, now: number) {
    const erased = new Set<string>()
    for (;;) {
      const rows = yield* query("erasePayer", statements.erasePayer, [issuer, taxId, secondsOf(now)])
      if (rows.length === 0) return erased.size
      for (const row of rows) erased.add(textIn(row, "id"))
    }
  })

  const takeChecks = Effect.fnUntraced(function* (now: number, limit: number, leaseMs: number) {
    const values = [secondsOf(now), limit, secondsOf(now + leaseMs)]
    const rows = yield* query("claimChecks", statements.claimChecks, values)
    if (rows.length === 0) return []
    const oldestFirst = rows.toSorted((a, b) => numberIn(a, "was_due_at") - numberIn(b, "was_due_at"))
    const found = yield* storeEffect("claimChecks", () =>
      read(rows.map((row) => ({ issuer: textIn(row, "issuer"), id: textIn(row, "id") }))),
    )
    return oldestFirst.flatMap((row): ReadonlyArray<Charge> => {
      const charge = found.get(chargeKeyFromRow(row))
      return charge === undefined ? [] : [charge]
    })
  })

  return ChargeArchive.of({
    charges: (issuer, period, page) =>
      Effect.map(pageRows("charges", listCharges, within(issuer, period), page, 1), (rows) =>
        pageOf(rows.map(chargeFromRow), page, ({ createdAt, id }) => [secondsOf(createdAt), id]),
      ),
    payments: (issuer, period, page) =>
      Effect.map(pageRows("payments", listPayments, within(issuer, period), page, 1), (rows) =>
        pageOf(
          rows.map((row) => paymentFromRow(row, "")),
          page,
          ({ paidAt, endToEndId }) => [secondsOf(paidAt), endToEndId],
        ),
      ),
    payment: (issuer, endToEndId) =>
      Effect.map(query("payment", statements.payment, [issuer, endToEndId]), ([row]) => row && paymentFromRow(row, "")),
    returns: (issuer, period, page) =>
      Effect.map(pageRows("returns", listReturns, within(issuer, period), page, 2), (rows) =>
        pageOf(rows.map(returnOf), page, ({ returnedAt, endToEndId, id }) => [secondsOf(returnedAt), endToEndId, id]),
      ),
    openExceptions: (issuer, page) =>
      Effect.map(pageRows("openExceptions", openExceptions, [issuer], page, 1), (rows) =>
        pageOf(rows.map(exceptionOf), page, ({ payment }) => [secondsOf(payment.paidAt), payment.endToEndId]),
      ),
    exception: (issuer, endToEndId) =>
      Effect.map(query("exception", statements.exception, [issuer, endToEndId]), ([row]) => row && exceptionOf(row)),
    commitException: (change) =>
      Effect.map(
        query("commitException", statements.commitException, [
          JSON.stringify(exceptionRowOf(change)),
          JSON.stringify(change.returns.map(returnRow)),
        ]),
        (rows) => rows.length > 0,
      ),
    exportPayer: (issuer, taxId) =>
      Effect.map(query("exportPayer", statements.exportPayer, [issuer, taxId]), (rows) => ({
        charges: rows.map(chargeFromRow),
      })),
    erasePayer: erase,
    archive: (settledBefore, limit) =>
      Effect.map(query("archive", statements.archive, [secondsOf(settledBefore), limit]), (rows) => rows.length),
    claimChecks: ({ now, limit, leaseMs }) => takeChecks(now, limit, leaseMs),
    scheduleCheck: ({ issuer, id, version }, checkAt, endedAt) =>
      Effect.asVoid(
        query("scheduleCheck", statements.scheduleCheck, [
          issuer,
          id,
          version,
          secondsOrNull(checkAt),
          secondsOrNull(endedAt),
        ]),
      ),
    claimExceptionRefunds: ({ now, limit, leaseMs }) =>
      Effect.map(
        query("claimExceptionRefunds", statements.claimRefunds, [secondsOf(now), limit, secondsOf(now + leaseMs)]),
        (rows) => rows.map(exceptionOf),
      ),
    scheduleExceptionRefund: ({ payment: { issuer, endToEndId }, version }, checkAt) =>
      Effect.asVoid(
        query("scheduleExceptionRefund", statements.scheduleRefund, [issuer, endToEndId, version, secondsOf(checkAt)]),
      ),
  })
}
