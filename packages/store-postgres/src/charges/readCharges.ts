import type { Charge } from "@pixcharge/core/charges"
import type { Database } from "../database/Database.ts"
import { chargeFromRow, chargeKey, chargeKeyFromRow } from "./ChargeRow.ts"
import { findCharges } from "./findCharges.sql.ts"

/** A charge's place in the store. */
export interface ChargePlace {
  readonly issuer: string
  readonly id: string
}

/** Reads the charges that exist at these places, each under its `chargeKey`. */
export type ReadCharges = (places: ReadonlyArray<ChargePlace>) => Promise<ReadonlyMap<string, Charge>>

export const makeReadCharges =
  ({ run }: Database): ReadCharges =>
  async (places) => {
    const distinct = new Map(places.map((place) => [chargeKey(place), place]))
    const keys = [...distinct.values()].map(({ issuer, id }) => ({ issuer, id }))
    const { rows } = await run(findCharges, [JSON.stringify(keys)])
    return new Map(rows.map((row) => [chargeKeyFromRow(row), chargeFromRow(row)]))
  }
