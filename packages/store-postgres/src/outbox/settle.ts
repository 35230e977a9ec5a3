import { type DeliveryKey, type Settlement, storableSettlement } from "@pixcharge/core"
import type { Database } from "../sql/Database.ts"
import { SqlFailure } from "../sql/SqlFailure.ts"
import { toSeconds } from "../sql/values.ts"
import { deliveryKey, settlementRow } from "./DeliveryRow.ts"
import { settleDeliveries } from "./settleDeliveries.sql.ts"

const distinctSettlements = (settlements: ReadonlyArray<Settlement>): ReadonlyArray<Settlement> => [
  ...new Map(
    settlements.map((one) => [`${one.lease.token} ${one.lease.endpointId} ${one.lease.issuer} ${one.eventId}`, one]),
  ).values(),
]

/**
 * Records attempts in one statement.
 *
 * If a value of one can't be stored, each is recorded by itself, without that value: otherwise the bad one would hold up the others
 * for as long as it is tried again. One that fails even so is left out, as if its lease didn't hold.
 */
export const makeSettle = ({ run }: Database) => {
  const send = async (settlements: ReadonlyArray<Settlement>, now: number): Promise<ReadonlyArray<DeliveryKey>> => {
    const values = [JSON.stringify(settlements.map(settlementRow)), toSeconds(now)]
    return (await run(settleDeliveries, values)).rows.map(deliveryKey)
  }

  /** Does something else if a value can't be stored; throws any other failure. */
  const catchBadValue = async <A>(attempt: Promise<A>, otherwise: () => A | Promise<A>): Promise<A> => {
    try {
      return await attempt
    } catch (error) {
      if (!(error instanceof SqlFailure) || error.kind !== "badValue") throw error
      return otherwise()
    }
  }

  const sendEach = async (settlements: ReadonlyArray<Settlement>, now: number): Promise<ReadonlyArray<DeliveryKey>> => {
    const held: Array<DeliveryKey> = []
    for (const settlement of settlements) {
      held.push(...(await catchBadValue(send([storableSettlement(settlement, now)], now), () => [])))
    }
    return held
  }

  return (settlements: ReadonlyArray<Settlement>, now: number): Promise<ReadonlyArray<DeliveryKey>> => {
    const distinct = distinctSettlements(settlements)
    return catchBadValue(send(distinct, now), () => sendEach(distinct, now))
  }
}
