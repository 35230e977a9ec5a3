import { type ClaimRequest, DueChecks, type DueKind, type MadeCheck } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { depthFromRow } from "../outbox/DeliveryRow.ts"
import { type Database, type SendCalls, storeEffect } from "../sql/Database.ts"
import { groupCommit, intoRounds } from "../sql/groupCommit.ts"
import { isTrue, numberIn, secondsOrNull, textIn, toSeconds } from "../sql/values.ts"
import { chargeKey, chargeKeyFromRow } from "./ChargeRow.ts"
import { exceptionFromRow } from "./PostgresExceptionStore.ts"
import { claimCharges, claimExceptions, lookForWork, scheduleCharges, scheduleException } from "./dueChecks.sql.ts"
import type { ReadCharges } from "./readCharges.ts"

const claimValues = ({ now, limit, leaseMs }: ClaimRequest) => [toSeconds(now), limit, toSeconds(now + leaseMs)]

const kinds: ReadonlyArray<DueKind> = ["deliveries", "charges", "exceptions", "recurrences", "companies"]

export const makeDueChecks = (database: Database, read: ReadCharges): DueChecks["Service"] => {
  const { query, run } = database
  const claimDue = async (request: ClaimRequest): Promise<ReadonlyArray<Charge>> => {
    const { rows } = await run(claimCharges, claimValues(request))
    if (rows.length === 0) return []
    const charges = await read(rows.map((row) => ({ issuer: textIn(row, "issuer"), id: textIn(row, "id") })))
    const oldestFirst = rows.toSorted((a, b) => numberIn(a, "was_due_at") - numberIn(b, "was_due_at"))
    return oldestFirst.flatMap((row) => charges.get(chargeKeyFromRow(row)) ?? [])
  }

  const schedule = groupCommit("scheduleCharge", makeSchedule(database), intoRounds(listRowKeys))

  return DueChecks.of({
    look: (now) =>
      Effect.map(query("look", lookForWork, [toSeconds(now)]), ([row = {}]) => ({
        kinds: new Set(kinds.filter((kind) => isTrue(row[kind]))),
        depth: depthFromRow(row),
      })),
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

interface Scheduled {
  readonly charge: Pick<Charge, "issuer" | "id" | "version" | "checkAt">
  readonly checkAt: number | undefined
  readonly made: MadeCheck | undefined
}

const listRowKeys = ({ charge }: Scheduled): ReadonlyArray<string> => [chargeKey(charge)]

const scheduledRow = ({ charge: { issuer, id, version, checkAt: seenAt }, checkAt, made }: Scheduled) => ({
  issuer,
  id,
  version,
  check_at: secondsOrNull(checkAt),
  is_made: made !== undefined,
  ended_at: secondsOrNull(made?.endedAt),
  seen_at: secondsOrNull(seenAt),
})

const makeSchedule =
  ({ run }: Database): SendCalls<Scheduled, void> =>
  async (calls, lockTimeout) => {
    await run(scheduleCharges, [JSON.stringify(calls.map(({ value }) => scheduledRow(value))), lockTimeout])
    for (const { answer } of calls) answer()
  }
