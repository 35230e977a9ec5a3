import type { MadeCheck } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import { chargeKey } from "../charges/ChargeRow.ts"
import type { SendCalls } from "../database/Call.ts"
import type { Database } from "../database/Database.ts"
import { secondsOrNull } from "../database/values.ts"
import { scheduleCharges } from "./dueChecks.sql.ts"

/** When a charge is to be checked next, if at all, and the check that was made, if any. */
interface Scheduled {
  readonly charge: Pick<Charge, "issuer" | "id" | "version" | "checkAt">
  readonly checkAt: number | undefined
  readonly made: MadeCheck | undefined
}

export const nameRows = ({ charge }: Scheduled): ReadonlyArray<string> => [chargeKey(charge)]

const scheduledRow = ({ charge: { issuer, id, version, checkAt: seenAt }, checkAt, made }: Scheduled) => ({
  issuer,
  id,
  version,
  check_at: secondsOrNull(checkAt),
  is_made: made !== undefined,
  ended_at: secondsOrNull(made?.endedAt),
  seen_at: secondsOrNull(seenAt),
})

/** Sets the next checks of charges together. */
export const makeSchedule =
  ({ run }: Database): SendCalls<Scheduled, void> =>
  async (calls, lockTimeout) => {
    await run(scheduleCharges, [JSON.stringify(calls.map(({ value }) => scheduledRow(value))), lockTimeout])
    for (const { answer } of calls) answer()
  }
