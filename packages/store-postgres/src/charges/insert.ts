import type { Insertion } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import type { Database } from "../database/Database.ts"
import type { Call, SendCalls } from "../database/Call.ts"
import { SqlFailure } from "../database/SqlFailure.ts"
import { chargeKey, chargeKeyFromRow, newChargeRow } from "./ChargeRow.ts"
import { insertCharges } from "./insertCharges.sql.ts"
import type { ReadCharges } from "./readCharges.ts"

type InsertCall = Call<PendingCharge, Insertion>

const inserted: Insertion = { _tag: "Inserted" }

/** Of several calls with one key the first is sent; the others find its charge. */
const firstByKey = (calls: ReadonlyArray<InsertCall>): ReadonlyMap<string, InsertCall> => {
  const first = new Map<string, InsertCall>()
  for (const call of calls) {
    const key = chargeKey(call.value)
    if (!first.has(key)) first.set(key, call)
  }
  return first
}

/** Stores new charges together, and answers those whose id is taken with the charge that has it. */
export const makeInsert =
  ({ run }: Database, read: ReadCharges): SendCalls<PendingCharge, Insertion> =>
  async (calls, lockTimeout) => {
    const first = firstByKey(calls)
    const charges = JSON.stringify([...first.values()].map(({ value }) => newChargeRow(value)))
    const { rows, repeated } = await run(insertCharges, [charges, lockTimeout])

    const others = new Set(calls)
    for (const row of rows) {
      const call = first.get(chargeKeyFromRow(row))
      // Before anything below can fail: a stored charge is never answered with a failure.
      call?.answer(inserted)
      if (call !== undefined) others.delete(call)
    }
    if (others.size === 0) return

    const found = await read([...others].map(({ value }) => value))
    for (const call of others) {
      const key = chargeKey(call.value)
      const charge = found.get(key)
      if (charge === undefined) {
        throw new SqlFailure({ kind: "undone", sqlState: "", message: "the charge that has the id is gone" })
      }
      // After a lost answer our own row is in the way: its transaction id differs from everybody else's.
      const isOwn = repeated && first.get(key) === call && charge.transactionId === call.value.transactionId
      call.answer(isOwn ? inserted : { _tag: "Exists", charge })
    }
  }
