import * as Predicate from "effect/Predicate"
import type { Row } from "./Database.ts"

// Drivers represent types differently, and hosts can change that: a number arrives as a number, a string or a bigint.

/** Returns undefined for null. */
export const numberOr = (value: unknown): number | undefined => (Predicate.isNullish(value) ? undefined : Number(value))

export const textOr = (value: unknown): string | undefined => (Predicate.isNullish(value) ? undefined : String(value))

export const isTrue = (value: unknown): boolean => value === true || value === "t"

/** Epoch milliseconds from seconds since the epoch; undefined for null. */
export const millisOr = (value: unknown): number | undefined =>
  Predicate.isNullish(value) ? undefined : Math.round(Number(value) * 1000)

/** Reads a column that is never null. */
export const numberIn = (row: Row, column: string): number => Number(row[column])
export const textIn = (row: Row, column: string): string => String(row[column])
export const millisIn = (row: Row, column: string): number => Math.round(Number(row[column]) * 1000)

/** Turns NaN and the infinities into a string, which the database refuses. JSON would turn them into null. */
export const numberIfAny = (value: number | undefined): number | string | undefined =>
  value === undefined || Number.isFinite(value) ? value : "no number"

/** Seconds since the epoch, for `to_timestamp`. */
export const toSeconds = (millis: number): number => millis / 1000
export const secondsOrNull = (millis: number | undefined): number | string | null =>
  numberIfAny(millis === undefined ? undefined : millis / 1000) ?? null
