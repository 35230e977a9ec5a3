import { ChargeStore, type Insertion } from "@pixcharge/core"
import type { Charge, PendingCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { deliveryRow } from "../outbox/DeliveryRow.ts"
import { currentAuthor } from "../sql/Author.ts"
import type { Call, Database, SendCalls } from "../sql/Database.ts"
import { SqlFailure } from "../sql/SqlFailure.ts"
import { groupCommit, intoRounds } from "../sql/groupCommit.ts"
import {
  chargeFromRow,
  chargeKey,
  chargeKeyFromRow,
  distinctReturns,
  newChargeRow,
  paymentColumns,
  returnColumns,
  standingFromRow,
} from "./ChargeRow.ts"
import { insertCharges } from "./chargeColumns.sql.ts"
import { makeCommit, listRowKeys } from "./commit.ts"
import { findChanged, findStandings, recordUnmatched } from "./findCharges.sql.ts"
import { type ChargePlace, makeFindOwners, type ReadCharges } from "./readCharges.ts"

export const makeChargeStore = (database: Database, read: ReadCharges): ChargeStore["Service"] => {
  const find = groupCommit<ChargePlace, Charge | undefined>("find", async (calls) => {
    const charges = await read(calls.map(({ value }) => value))
    for (const { value, answer } of calls) answer(charges.get(chargeKey(value)))
  })

  const commit = groupCommit("commit", makeCommit(database, read), intoRounds(listRowKeys))

  return ChargeStore.of({
    insert: groupCommit("insert", makeInsert(database, read)),
    commit: (change) =>
      change.audit === undefined
        ? commit(change)
        : Effect.flatMap(currentAuthor, (author) => commit({ ...change, author })),
    find: (issuer, id) => find({ issuer, id }),
    changed: (seen) => {
      const keys = seen.map(({ issuer, id, version }) => ({ issuer, id, version }))
      return Effect.map(database.query("changed", findChanged, [JSON.stringify(keys)]), (rows) =>
        rows.map(chargeFromRow),
      )
    },
    standings: (shown) => {
      const keys = shown.map(({ issuer, endToEndId, chargeId }) => ({
        issuer,
        end_to_end_id: endToEndId,
        charge_id: chargeId,
      }))
      return Effect.map(database.query("standings", findStandings, [JSON.stringify(keys)]), (rows) =>
        rows.map(standingFromRow),
      )
    },
    recordUnmatched: (payment, returns = [], exceptions = []) => {
      const { chargeId: _, ...unmatched } = payment
      const values = [
        paymentColumns.toRow(unmatched),
        distinctReturns(returns).map(returnColumns.toRow),
        exceptions.map(deliveryRow),
      ].map((rows) => JSON.stringify(rows))
      return Effect.map(database.query("recordUnmatched", recordUnmatched, values), (rows) => rows.length > 0)
    },
    owners: makeFindOwners(database),
  })
}

type InsertCall = Call<PendingCharge, Insertion>

const inserted: Insertion = { _tag: "Inserted" }

const takeFirstByKey = (calls: ReadonlyArray<InsertCall>): ReadonlyMap<string, InsertCall> => {
  const first = new Map<string, InsertCall>()
  for (const call of calls) {
    const key = chargeKey(call.value)
    if (!first.has(key)) first.set(key, call)
  }
  return first
}

/** If a charge with the id exists, the call returns that charge. */
export const makeInsert =
  ({ run }: Database, read: ReadCharges): SendCalls<PendingCharge, Insertion> =>
  async (calls, lockTimeout) => {
    const first = takeFirstByKey(calls)
    const charges = JSON.stringify([...first.values()].map(({ value }) => newChargeRow(value)))
    const { rows, repeated } = await run(insertCharges, [charges, lockTimeout])

    const remaining = new Set(calls)
    for (const row of rows) {
      const call = first.get(chargeKeyFromRow(row))
      // Answers now, because a later step can fail: a call whose charge is stored must succeed.
      call?.answer(inserted)
      if (call !== undefined) remaining.delete(call)
    }
    if (remaining.size === 0) return

    const found = await read([...remaining].map(({ value }) => value))
    for (const call of remaining) {
      const key = chargeKey(call.value)
      const charge = found.get(key)
      if (charge === undefined) {
        throw new SqlFailure({ kind: "undone", sqlState: "", message: "the charge that has the id is gone" })
      }
      // After a lost answer, the row with this key can be ours. Its transaction id distinguishes it from another process's row.
      const isOwn = repeated && first.get(key) === call && charge.transactionId === call.value.transactionId
      call.answer(isOwn ? inserted : { _tag: "Exists", charge })
    }
  }
