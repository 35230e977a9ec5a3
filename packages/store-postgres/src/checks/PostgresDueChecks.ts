import { type ClaimRequest, clockToleranceMs, DueChecks, farthestAheadMs } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import { chargeKeyFromRow } from "../charges/ChargeRow.ts"
import type { ReadCharges } from "../charges/readCharges.ts"
import type { Database } from "../database/Database.ts"
import { storeEffect } from "../database/storeEffect.ts"
import { numberIn, toSeconds, secondsOrNull, textIn } from "../database/values.ts"
import { exceptionFromRow } from "../exceptions/ExceptionRow.ts"
import { claimCharges, claimExceptions, scheduleCharge, scheduleException } from "./dueChecks.sql.ts"

const claimValues = ({ now, limit, leaseMs }: ClaimRequest) => [
  toSeconds(now),
  limit,
  toSeconds(now + leaseMs),
  toSeconds(now + farthestAheadMs),
]

/** Which charges and refunds are to be checked, on Postgres. */
export const makeDueChecks = ({ query, run }: Database, read: ReadCharges): DueChecks["Service"] => {
  const takeCharges = async (request: ClaimRequest): Promise<ReadonlyArray<Charge>> => {
    const values = [...claimValues(request), toSeconds(request.now + clockToleranceMs)]
    const { rows } = await run(claimCharges, values)
    if (rows.length === 0) return []
    const charges = await read(rows.map((row) => ({ issuer: textIn(row, "issuer"), id: textIn(row, "id") })))
    const oldestFirst = rows.toSorted((a, b) => numberIn(a, "was_due_at") - numberIn(b, "was_due_at"))
    return oldestFirst.flatMap((row) => charges.get(chargeKeyFromRow(row)) ?? [])
  }

  return DueChecks.of({
    claimCharges: (request) => storeEffect("claimCharges", () => takeCharges(request)),
    scheduleCharge: ({ issuer, id, version, checkAt: seenAt }, checkAt, { endedAt, checkedUntil } = {}) => {
      const made = [secondsOrNull(endedAt), secondsOrNull(checkedUntil), secondsOrNull(seenAt)]
      return Effect.asVoid(
        query("scheduleCharge", scheduleCharge, [issuer, id, version, secondsOrNull(checkAt), ...made]),
      )
    },
    claimExceptions: (request) =>
      Effect.map(query("claimExceptions", claimExceptions, claimValues(request)), (rows) => rows.map(exceptionFromRow)),
    scheduleException: ({ payment: { issuer, endToEndId }, version }, checkAt) => {
      const values = [issuer, endToEndId, version, toSeconds(checkAt)]
      return Effect.asVoid(query("scheduleException", scheduleException, values))
    },
  })
}
