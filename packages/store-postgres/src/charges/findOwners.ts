import type { ChargeStore } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"
import { textIn } from "../database/values.ts"
import { findOwners } from "./findOwners.sql.ts"

/** Finds the companies whose books have payments; on Citus the table of owners lies in shards of its own. */
export const makeFindOwners =
  ({ query }: Database): ChargeStore["Service"]["owners"] =>
  (endToEndIds) => {
    const keys = [...new Set(endToEndIds.map((id) => id.toLowerCase()))]
    return Effect.map(query("owners", findOwners, [JSON.stringify(keys)]), (rows) =>
      rows.map((row) => ({ endToEndId: textIn(row, "end_to_end_id"), issuer: textIn(row, "owner") as Cnpj })),
    )
  }
