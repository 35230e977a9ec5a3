import { ChargeCounts, type SlotCount } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Database, Row } from "../sql/Database.ts"
import { numberIn, textIn, toSeconds } from "../sql/values.ts"
import { countCharges } from "./chargeCounts.sql.ts"

const countFromRow = (row: Row): SlotCount => ({
  counted: textIn(row, "counted") as SlotCount["counted"],
  slot: numberIn(row, "slot"),
  count: numberIn(row, "count"),
  sum: numberIn(row, "sum"),
})

/** How much a company has within a period, on Postgres. */
export const makeChargeCounts = ({ report }: Database): ChargeCounts["Service"] =>
  ChargeCounts.of({
    count: (issuer, { bounds, ages, now }) => {
      const moments = bounds.map(toSeconds)
      const values = [
        issuer,
        moments.at(0),
        moments.at(-1),
        JSON.stringify(moments),
        JSON.stringify(ages.map(toSeconds)),
        toSeconds(now),
      ]
      return Effect.map(report("countCharges", issuer, countCharges, values), (rows) => rows.map(countFromRow))
    },
  })
