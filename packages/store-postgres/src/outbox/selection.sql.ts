import type { DeliveryFilter } from "@pixcharge/core"
import type { SchemaSql, SqlValue } from "../database/Sql.ts"
import { toSeconds } from "../database/values.ts"

/** Collects the values of a statement, and names each by its number. */
export const makeValues = () => {
  const values: Array<SqlValue> = []
  const value = (one: SqlValue, type: string): string => `$${values.push(one)}::${type}`
  return { values, value }
}

type Values = ReturnType<typeof makeValues>

/** A statement that was made for its values. */
export interface SqlWithValues {
  readonly statement: SchemaSql
  readonly values: Array<SqlValue>
}

/** The conditions of a selection of deliveries `w`: only those that it names, so that a statement's kept plan fits their indexes. */
export const selectionConditions = (
  issuer: string,
  { endpointId, eventId, chargeId, period }: Omit<DeliveryFilter, "status"> & { readonly eventId?: string },
  { value }: Values,
): string => {
  const conditions = [`w.issuer = ${value(issuer, "text")}`]
  if (endpointId !== undefined) conditions.push(`w.endpoint_id = ${value(endpointId, "text")}`)
  if (eventId !== undefined) conditions.push(`w.event_id = ${value(eventId, "text")}`)
  if (chargeId !== undefined) conditions.push(`w.charge_id = ${value(chargeId, "uuid")}`)
  if (period !== undefined) {
    conditions.push(`w.occurred_at >= to_timestamp(${value(toSeconds(period.from), "float8")})`)
    conditions.push(`w.occurred_at < to_timestamp(${value(toSeconds(period.until), "float8")})`)
  }
  return conditions.join(" AND ")
}
