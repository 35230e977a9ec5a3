import { type ClaimRequest, clockToleranceMs, DueChecks, farthestAheadMs, wakesForMs } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { chargeKeyFromRow } from "../charges/ChargeRow.ts"
import type { ReadCharges } from "../charges/readCharges.ts"
import type { Database } from "../database/Database.ts"
import { groupCommit } from "../database/groupCommit.ts"
import { intoRounds } from "../database/rounds.ts"
import { storeEffect } from "../database/storeEffect.ts"
import { numberIn, toSeconds, textIn } from "../database/values.ts"
import { exceptionFromRow } from "../exceptions/ExceptionRow.ts"
import { claimCharges, claimExceptions, scheduleException } from "./dueChecks.sql.ts"
import { makeSchedule, nameRows } from "./schedule.ts"

const claimValues = ({ now, limit, leaseMs }: ClaimRequest) => [
  toSeconds(now),
  limit,
  toSeconds(now + leaseMs),
  toSeconds(now + farthestAheadMs),
]

/** When charges and refunds are due for a check, on Postgres. */
export const makeDueChecks = (database: Database, read: ReadCharges): DueChecks["Service"] => {
  const { query, run } = database
  const claimDue = async (request: ClaimRequest): Promise<ReadonlyArray<Charge>> => {
    const { now } = request
    const values = [...claimValues(request), toSeconds(now + clockToleranceMs), toSeconds(now - wakesForMs)]
    const { rows } = await run(claimCharges, values)
    if (rows.length === 0) return []
    const charges = await read(rows.map((row) => ({ issuer: textIn(row, "issuer"), id: textIn(row, "id") })))
    const oldestFirst = rows.toSorted((a, b) => numberIn(a, "was_due_at") - numberIn(b, "was_due_at"))
    return oldestFirst.flatMap((row) => charges.get(chargeKeyFromRow(row)) ?? [])
  }

  const schedule = groupCommit("scheduleCharge", makeSchedule(database), intoRounds(nameRows))

  return DueChecks.of({
    claimCharges: (request) => storeEffect("claimCharges", () => claimDue(request)),
    scheduleCharge: (charge, checkAt, made) => schedule({ charge, checkAt, made }),
    claimExceptions: (request) =>
      Effect.map(query("claimExceptions", claimExceptions, claimValues(request)), (rows) => rows.map(exceptionFromRow)),
    scheduleException: ({ payment: { issuer, endToEndId }, version }, checkAt) => {
      const values = [issuer, endToEndId, version, toSeconds(checkAt)]
      return Effect.asVoid(query("scheduleException", scheduleException, values))
    },
  })
}
