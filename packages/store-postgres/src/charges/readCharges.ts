import type { Charge } from "@pixcharge/core/charge"
import type { Database } from "../database/Database.ts"
import { chargeOf, keyOfRow } from "./ChargeRow.ts"
import { findCharges } from "./findCharges.sql.ts"

/** A charge's place. */
export interface ChargeKey {
  readonly issuer: string
  readonly id: string
}

const keysOf = (rows: ReadonlyArray<ChargeKey>): string =>
  JSON.stringify(rows.map(({ issuer, id }) => ({ issuer, id })))

export const makeReadCharges = (database: Database) => {
  const find = findCharges(database.schema)

  /** The charges that exist among these keys, by key. */
  const read = async (keys: Iterable<readonly [string, ChargeKey]>): Promise<ReadonlyMap<string, Charge>> => {
    const distinct = new Map(keys)
    const { rows } = await database.run(find, [keysOf([...distinct.values()])])
    return new Map(rows.map((row) => [keyOfRow(row), chargeOf(row)]))
  }

  return { read }
}

export type ReadCharges = ReturnType<typeof makeReadCharges>
