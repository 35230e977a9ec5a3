import { ChargeArchive } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"
import { secondsOf } from "../database/values.ts"
import { archiveCharges } from "./archiveCharges.sql.ts"

/** The archive of settled charges, on Postgres. */
export const makeChargeArchive = ({ query, schema }: Database): ChargeArchive["Service"] => {
  const statement = archiveCharges(schema)
  return ChargeArchive.of({
    archive: (settledBefore, limit) =>
      Effect.map(query("archive", statement, [secondsOf(settledBefore), limit]), (rows) => rows.length),
  })
}
