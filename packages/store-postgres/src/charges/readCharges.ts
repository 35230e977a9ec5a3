import type { ChargeStore } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Database } from "../sql/Database.ts"
import { textIn } from "../sql/values.ts"
import { chargeFromRow, chargeKey, chargeKeyFromRow } from "./ChargeRow.ts"
import { findCharges, findOwners } from "./findCharges.sql.ts"

export interface ChargePlace {
  readonly issuer: string
  readonly id: string
}

/** Reads charges into a map by `chargeKey`. A missing charge has no entry. */
export type ReadCharges = (places: ReadonlyArray<ChargePlace>) => Promise<ReadonlyMap<string, Charge>>

export const makeReadCharges =
  ({ run }: Database): ReadCharges =>
  async (places) => {
    const distinct = new Map(places.map((place) => [chargeKey(place), place]))
    const keys = [...distinct.values()].map(({ issuer, id }) => ({ issuer, id }))
    const { rows } = await run(findCharges, [JSON.stringify(keys)])
    return new Map(rows.map((row) => [chargeKeyFromRow(row), chargeFromRow(row)]))
  }

export const makeFindOwners =
  ({ query }: Database): ChargeStore["Service"]["owners"] =>
  (endToEndIds) => {
    const keys = [...new Set(endToEndIds.map((id) => id.toLowerCase()))]
    return Effect.map(query("owners", findOwners, [JSON.stringify(keys)]), (rows) =>
      rows.map((row) => ({ endToEndId: textIn(row, "end_to_end_id"), issuer: textIn(row, "owner") as Cnpj })),
    )
  }
