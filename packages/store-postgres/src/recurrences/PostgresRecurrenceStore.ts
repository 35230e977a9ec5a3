import { maxOpenCharges, type RecurrenceStore } from "@pixcharge/core/recurring"
import { type CycleCharge, parseChargeId, type PendingCharge } from "@pixcharge/core/charges"
import type { Recurrence } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { auditColumns, currentAuthor } from "../sql/Author.ts"
import { chargeFromRow, newChargeRow } from "../charges/ChargeRow.ts"
import type { Database, Row } from "../sql/Database.ts"
import { readPage } from "../sql/pages.ts"
import type { SchemaSql, SqlValue } from "../sql/Sql.ts"
import { millisIn, secondsOrNull, textIn, toSeconds } from "../sql/values.ts"
import { deliveryRow } from "../outbox/DeliveryRow.ts"
import { newRecurrenceRow, recurrenceChangeRow, recurrenceFromRow } from "./RecurrenceRow.ts"
import {
  claimRecurrences,
  commitRecurrence,
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
  textChecks: [(id: string) => Result.isSuccess(parseChargeId(id))],
}

const isCount = (text: string): boolean => /^\d{1,9}$/.test(text)

const cycleChargeFromRow = chargeFromRow as (row: Row) => CycleCharge

const pendingChargeFromRow = chargeFromRow as (row: Row) => CycleCharge<PendingCharge>

const dueFromRow = (row: Row) => ({ recurrence: recurrenceFromRow(row), dueAt: millisIn(row, "was_due_at") })

const firstOf = <A>([first]: ReadonlyArray<A>): A | undefined => first

/** Sorted by cycle and generation: a position has 0 in the place of the time. */
const charges = {
  fromRow: cycleChargeFromRow,
  position: ({ cycle }: CycleCharge) => [0, String(cycle.cycle), String(cycle.generation)],
  textChecks: [isCount, isCount],
}

export class PostgresRecurrenceStore implements Port {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  readonly insert: Port["insert"] = Effect.fnUntraced({ self: this }, function* (recurrence, checkAt, audit) {
    const record = JSON.stringify(auditColumns(audit, yield* currentAuthor))
    const values = [JSON.stringify(newRecurrenceRow(recurrence)), secondsOrNull(checkAt), record]
    const inserted = yield* this.#database.query("insertRecurrence", insertRecurrence, values)
    if (inserted.length > 0) return { _tag: "Inserted" }
    const known = yield* this.find(recurrence.issuer, recurrence.id)
    return known === undefined ? { _tag: "ContractTaken" } : { _tag: "Exists", recurrence: known }
  })

  readonly find: Port["find"] = (issuer, id) =>
    Effect.map(this.#read("findRecurrence", findRecurrence, [issuer, id], recurrenceFromRow), firstOf)

  readonly bankIdsOfOthers: Port["bankIdsOfOthers"] = (issuer, contract) =>
    this.#read("bankIdsOfOthers", findBankIdsOfOthers, [issuer, contract], (row) => textIn(row, "bank_id"))

  readonly commit: Port["commit"] = Effect.fnUntraced({ self: this }, function* (change) {
    const values = [
      recurrenceChangeRow(change, yield* currentAuthor),
      change.charge === undefined ? [] : [newChargeRow(change.charge)],
      change.deliveries.map(deliveryRow),
    ].map((value) => JSON.stringify(value))
    return (yield* this.#database.query("commitRecurrence", commitRecurrence, values)).length > 0
  })

  readonly list: Port["list"] = (issuer, filter, page) =>
    readPage("recurrences", recurrences, page, (after, limit, signal) => {
      const { statement, values } = listRecurrences(issuer, filter, after, limit)
      return this.#database.run(statement, values, { signal, reportOf: issuer })
    })

  readonly charges: Port["charges"] = (issuer, id, page) =>
    readPage("cycles", charges, page, ([, ...after], limit, signal) => {
      const statement = after.length === 0 ? listCycleCharges.first : listCycleCharges.next
      return this.#database.run(statement, [issuer, id, limit, ...after], { signal, reportOf: issuer })
    })

  readonly lastCharge: Port["lastCharge"] = (issuer, id, cycle) =>
    Effect.map(this.#read("lastCharge", findLastCharge, [issuer, id, cycle], cycleChargeFromRow), firstOf)

  readonly openCharges: Port["openCharges"] = (issuer, id) =>
    this.#read("openCharges", findOpenCharges, [issuer, id, maxOpenCharges], pendingChargeFromRow)

  readonly claim: Port["claim"] = ({ now, limit, leaseMs }) => {
    const values = [toSeconds(now), limit, toSeconds(now + leaseMs)]
    return this.#read("claimRecurrences", claimRecurrences, values, dueFromRow)
  }

  readonly scheduleNamed: Port["scheduleNamed"] = (issuer, { bankIds, chargeIds }, checkAt) => {
    const named = [...bankIds.map((bank_id) => ({ bank_id })), ...chargeIds.map((charge_id) => ({ charge_id }))]
    const values = [issuer, JSON.stringify(named), secondsOrNull(checkAt)]
    return Effect.asVoid(this.#database.query("scheduleNamed", scheduleNamed, values))
  }

  readonly schedule: Port["schedule"] = (issuer, id, checkAt, version) => {
    const values = [issuer, id, secondsOrNull(checkAt), version ?? null]
    return Effect.asVoid(this.#database.query("scheduleRecurrence", scheduleRecurrence, values))
  }

  #read<A>(operation: string, statement: SchemaSql, values: Array<SqlValue>, fromRow: (row: Row) => A) {
    return Effect.map(this.#database.query(operation, statement, values), (rows) => rows.map((row) => fromRow(row)))
  }
}
