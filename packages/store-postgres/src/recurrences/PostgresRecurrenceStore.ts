import { farthestRecurrenceCheckMs, maxOpenCharges, RecurrenceStore } from "@pixcharge/core/recurring"
import { type CycleCharge, parseChargeId, type PendingCharge } from "@pixcharge/core/charges"
import type { Recurrence } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { auditColumns, currentAuthor } from "../reports/Author.ts"
import { chargeFromRow, newChargeRow } from "../charges/ChargeRow.ts"
import type { Database, Row } from "../sql/Database.ts"
import { readPage } from "../sql/pages.ts"
import { millisIn, secondsOrNull, textIn, toSeconds } from "../sql/values.ts"
import { deliveryRow } from "../outbox/DeliveryRow.ts"
import { commitRecurrence } from "./commitRecurrence.sql.ts"
import { newRecurrenceRow, recurrenceChangeRow, recurrenceFromRow } from "./RecurrenceRow.ts"
import {
  claimRecurrences,
  findBankIdsOfOthers,
  findLastCharge,
  findOpenCharges,
  findRecurrence,
  insertRecurrence,
  listCycleCharges,
  listRecurrences,
  scheduleNamed,
  scheduleRecurrence,
} from "./recurrences.sql.ts"

type Port = RecurrenceStore["Service"]

const recurrences = {
  fromRow: recurrenceFromRow,
  position: ({ createdAt, id }: Recurrence) => [toSeconds(createdAt), id],
  texts: [(id: string) => Result.isSuccess(parseChargeId(id))],
}

const isCount = (text: string): boolean => /^\d{1,9}$/.test(text)

const cycleChargeFromRow = chargeFromRow as (row: Row) => CycleCharge

/** By cycle and generation: the moment of a position means nothing here. */
const charges = {
  fromRow: cycleChargeFromRow,
  position: ({ cycle }: CycleCharge) => [0, String(cycle.cycle), String(cycle.generation)],
  texts: [isCount, isCount],
}

/** Recurrences on Postgres. */
export const makeRecurrenceStore = (database: Database): Port => {
  const { query, run } = database

  const find: Port["find"] = (issuer, id) =>
    Effect.map(query("findRecurrence", findRecurrence, [issuer, id]), ([row]) => row && recurrenceFromRow(row))

  return RecurrenceStore.of({
    insert: Effect.fnUntraced(function* (recurrence, checkAt, audit) {
      const record = JSON.stringify(auditColumns(audit, yield* currentAuthor))
      const values = [JSON.stringify(newRecurrenceRow(recurrence)), secondsOrNull(checkAt), record]
      const inserted = yield* query("insertRecurrence", insertRecurrence, values)
      if (inserted.length > 0) return { _tag: "Inserted" }
      const known = yield* find(recurrence.issuer, recurrence.id)
      return known === undefined ? { _tag: "ContractTaken" } : { _tag: "Exists", recurrence: known }
    }),
    find,
    bankIdsOfOthers: (issuer, contract) =>
      Effect.map(query("bankIdsOfOthers", findBankIdsOfOthers, [issuer, contract]), (rows) =>
        rows.map((row) => textIn(row, "bank_id")),
      ),
    commit: Effect.fnUntraced(function* (change) {
      const values = [
        recurrenceChangeRow(change, yield* currentAuthor),
        change.charge === undefined ? [] : [newChargeRow(change.charge)],
        change.deliveries.map(deliveryRow),
      ].map((value) => JSON.stringify(value))
      return (yield* query("commitRecurrence", commitRecurrence, values)).length > 0
    }),
    list: (issuer, filter, page) =>
      readPage("recurrences", recurrences, page, (after, limit, signal) => {
        const { statement, values } = listRecurrences(issuer, filter, after, limit)
        return run(statement, values, { signal, reportOf: issuer })
      }),
    charges: (issuer, id, page) =>
      readPage("cycles", charges, page, ([, ...after], limit, signal) =>
        run(after.length === 0 ? listCycleCharges.first : listCycleCharges.next, [issuer, id, limit, ...after], {
          signal,
          reportOf: issuer,
        }),
      ),
    lastCharge: (issuer, id, cycle) =>
      Effect.map(query("lastCharge", findLastCharge, [issuer, id, cycle]), ([row]) => row && cycleChargeFromRow(row)),
    openCharges: (issuer, id) =>
      Effect.map(query("openCharges", findOpenCharges, [issuer, id, maxOpenCharges]), (rows) =>
        rows.map((row) => chargeFromRow(row) as CycleCharge<PendingCharge>),
      ),
    claim: ({ now, limit, leaseMs }) =>
      Effect.map(
        query("claimRecurrences", claimRecurrences, [
          toSeconds(now),
          limit,
          toSeconds(now + leaseMs),
          toSeconds(now + farthestRecurrenceCheckMs),
        ]),
        (rows) => rows.map((row) => ({ recurrence: recurrenceFromRow(row), dueAt: millisIn(row, "was_due_at") })),
      ),
    scheduleNamed: (issuer, { bankIds, chargeIds }, checkAt) => {
      const named = [...bankIds.map((bank_id) => ({ bank_id })), ...chargeIds.map((charge_id) => ({ charge_id }))]
      return Effect.asVoid(
        query("scheduleNamed", scheduleNamed, [issuer, JSON.stringify(named), secondsOrNull(checkAt)]),
      )
    },
    schedule: (issuer, id, checkAt, version) =>
      Effect.asVoid(
        query("scheduleRecurrence", scheduleRecurrence, [issuer, id, secondsOrNull(checkAt), version ?? null]),
      ),
  })
}
