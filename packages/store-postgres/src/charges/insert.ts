import type { Insertion } from "@pixcharge/core"
import type { PendingCharge } from "@pixcharge/core/charges"
import type { Call, Database, SendCalls } from "../sql/Database.ts"
import { SqlFailure } from "../sql/SqlFailure.ts"
import { chargeKey, chargeKeyFromRow, newChargeRow } from "./ChargeRow.ts"
import { insertCharges } from "./insertCharges.sql.ts"
import type { ReadCharges } from "./readCharges.ts"

type InsertCall = Call<PendingCharge, Insertion>

const inserted: Insertion = { _tag: "Inserted" }

/** Takes the first call of each key, which is sent; the others find its charge. */
const takeFirstByKey = (calls: ReadonlyArray<InsertCall>): ReadonlyMap<string, InsertCall> => {
  const first = new Map<string, InsertCall>()
  for (const call of calls) {
    const key = chargeKey(call.value)
    if (!first.has(key)) first.set(key, call)
  }
  return first
}

/** Stores new charges together; a call whose id is taken returns the charge that has it. */
export const makeInsert =
  ({ run }: Database, read: ReadCharges): SendCalls<PendingCharge, Insertion> =>
  async (calls, lockTimeout) => {
    const first = takeFirstByKey(calls)
    const charges = JSON.stringify([...first.values()].map(({ value }) => newChargeRow(value)))
    const { rows, repeated } = await run(insertCharges, [charges, lockTimeout])

    const others = new Set(calls)
    for (const row of rows) {
      const call = first.get(chargeKeyFromRow(row))
      // At once, before anything below can fail: a charge that was stored never gets a failure.
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
