import type { Charge } from "@pixcharge/core/charge"
import type { Database, Row } from "../database/Database.ts"
import { chargeOf, keyOfRow } from "./ChargeRow.ts"
import { findArchivedTexts, findCharges } from "./findCharges.sql.ts"

/** A charge's place. */
export interface ChargeKey {
  readonly issuer: string
  readonly id: string
}

const keysOf = (rows: ReadonlyArray<ChargeKey>): string =>
  JSON.stringify(rows.map(({ issuer, id }) => ({ issuer, id })))

export const makeReadCharges = (database: Database) => {
  const find = findCharges(database.schema)
  const findTexts = findArchivedTexts(database.schema)

  /** Charges from rows of `chargeColumns`; the texts of archived ones are fetched by a second statement. */
  const chargesOf = async (rows: ReadonlyArray<Row>): Promise<ReadonlyArray<Charge>> => {
    const archived = rows.filter((row) => row["br_code"] === null)
    if (archived.length === 0) return rows.map(chargeOf)
    const keys = JSON.stringify(archived.map((row) => ({ issuer: row["issuer"], id: row["id"] })))
    const found = (await database.run(findTexts, [keys])).rows
    const texts = new Map(found.map((row) => [keyOfRow(row), row]))
    return rows.map((row) => chargeOf({ ...row, ...texts.get(keyOfRow(row)) }))
  }

  /** The charges that exist among these keys, by key. */
  const read = async (keys: Iterable<readonly [string, ChargeKey]>): Promise<ReadonlyMap<string, Charge>> => {
    const distinct = new Map(keys)
    const { rows } = await database.run(find, [keysOf([...distinct.values()])])
    const charges = await chargesOf(rows)
    return new Map(charges.map((charge) => [`${charge.issuer} ${charge.id}`, charge]))
  }

  return { read, chargesOf }
}

export type ReadCharges = ReturnType<typeof makeReadCharges>
