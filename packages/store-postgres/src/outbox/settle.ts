import { type Settlement, storableSettlement } from "@pixcharge/core"
import type { Database } from "../database/Database.ts"
import { SqlFailure } from "../database/SqlFailure.ts"
import { secondsOf, textIn } from "../database/values.ts"
import { settlementRowOf } from "./DeliveryRow.ts"
import { settleDeliveries } from "./settleDeliveries.sql.ts"

const once = (settlements: ReadonlyArray<Settlement>): ReadonlyArray<Settlement> => [
  ...new Map(settlements.map((settlement) => [settlement.leaseToken, settlement])).values(),
]

/**
 * Ends claims in one statement. If one of them holds what can't be stored, each is ended by itself, without that: a bad
 * one would otherwise hold up all others for as long as it is tried again. One that fails even so is as one whose token
 * didn't hold: its lease ends.
 */
export const makeSettle = (database: Database) => {
  const statement = settleDeliveries(database.schema)

  const send = async (settlements: ReadonlyArray<Settlement>, now: number): Promise<ReadonlyArray<string>> => {
    const values = [JSON.stringify(settlements.map(settlementRowOf)), secondsOf(now)]
    return (await database.run(statement, values)).rows.map((row) => textIn(row, "lease_token"))
  }

  /** What can't be stored is met by another attempt; any other failure is thrown. */
  const unlessBadValue = async <A>(attempt: Promise<A>, otherwise: () => A | Promise<A>): Promise<A> => {
    try {
      return await attempt
    } catch (error) {
      if (!(error instanceof SqlFailure) || error.kind !== "badValue") throw error
      return otherwise()
    }
  }

  const sendEach = async (settlements: ReadonlyArray<Settlement>, now: number): Promise<ReadonlyArray<string>> => {
    const held: Array<string> = []
    for (const settlement of settlements) {
      held.push(...(await unlessBadValue(send([storableSettlement(settlement, now)], now), () => [])))
    }
    return held
  }

  return (settlements: ReadonlyArray<Settlement>, now: number): Promise<ReadonlyArray<string>> => {
    const distinct = once(settlements)
    return unlessBadValue(send(distinct, now), () => sendEach(distinct, now))
  }
}
