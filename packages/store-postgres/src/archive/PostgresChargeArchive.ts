import { ChargeArchive } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"
import { toSeconds } from "../database/values.ts"
import { archiveCharges } from "./archiveCharges.sql.ts"

/** The archive of settled charges, on Postgres. */
export const makeChargeArchive = ({ query }: Database): ChargeArchive["Service"] =>
  ChargeArchive.of({
    archive: (settledBefore, limit) =>
      Effect.map(query("archive", archiveCharges, [toSeconds(settledBefore), limit]), (rows) => rows.length),
  })
