import type { Insertion } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charge"
import * as Exit from "effect/Exit"
import type { Database } from "../database/Database.ts"
import type { Call } from "../database/groupCommit.ts"
import { makePatient } from "../database/patience.ts"
import { SqlFailure } from "../database/SqlFailure.ts"
import { keyOf, keyOfRow, newRowOf } from "./ChargeRow.ts"
import { insertCharges } from "./insertCharges.sql.ts"
import type { ReadCharges } from "./readCharges.ts"

type InsertCall = Call<PendingCharge, Insertion>

const inserted = Exit.succeed<Insertion>({ _tag: "Inserted" })

/** Of several calls with one key the first is sent; the others find it there. */
const firstOfEachKey = (calls: ReadonlyArray<InsertCall>): ReadonlyMap<string, InsertCall> => {
  const first = new Map<string, InsertCall>()
  for (const call of calls) {
    const key = keyOf(call.value)
    if (!first.has(key)) first.set(key, call)
  }
  return first
}

/** Stores new charges together, and answers those whose id is taken with the charge that has it. */
export const makeInsert = (database: Database, { read }: ReadCharges) => {
  const statement = insertCharges(database.schema)

  const patiently = makePatient<PendingCharge, Insertion>("insert", async (calls, patience) => {
    const first = firstOfEachKey(calls)
    const rows = JSON.stringify([...first.values()].map(({ value }) => newRowOf(value)))
    const answer = await database.run(statement, [rows, patience])
    const stored = new Set(answer.rows.map(keyOfRow))

    const isDone = (call: InsertCall, key: string) => stored.has(key) && first.get(key) === call
    const others = calls.filter((call) => !isDone(call, keyOf(call.value)))
    // First, so that nothing that fails below makes a stored charge look as if it were not.
    for (const [key, call] of first) if (stored.has(key)) call.answer(inserted)
    if (others.length === 0) return

    const charges = await read(others.map(({ value }) => [keyOf(value), value]))
    for (const call of others) {
      const key = keyOf(call.value)
      const charge = charges.get(key)
      if (charge === undefined) {
        throw new SqlFailure({ kind: "undone", code: "", message: "the charge that has the id is gone" })
      }
      // After a lost answer our own row is in the way: its transaction id tells it from anybody else's.
      const isOwn = answer.repeated && first.get(key) === call && charge.transactionId === call.value.transactionId
      call.answer(isOwn ? inserted : Exit.succeed({ _tag: "Exists", charge }))
    }
  })

  return (calls: ReadonlyArray<InsertCall>): Promise<void> => patiently([calls])
}
