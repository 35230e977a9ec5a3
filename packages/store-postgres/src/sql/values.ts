import * as Predicate from "effect/Predicate"
import type { Row } from "./Database.ts"

// Drivers differ in what they make of a type, and hosts change it; numbers come as numbers, texts or bigints.

/** A number in any form that a driver gives it; undefined for null. */
export const numberOr = (value: unknown): number | undefined => (Predicate.isNullish(value) ? undefined : Number(value))

/** A text; undefined for null. */
export const textOr = (value: unknown): string | undefined => (Predicate.isNullish(value) ? undefined : String(value))

/** Whether a boolean is true. */
export const isTrue = (value: unknown): boolean => value === true || value === "t"

/** Epoch milliseconds from seconds since the epoch; undefined for null. */
export const millisOr = (value: unknown): number | undefined =>
  Predicate.isNullish(value) ? undefined : Math.round(Number(value) * 1000)

/** A column that is never null. */
export const numberIn = (row: Row, column: string): number => Number(row[column])
export const textIn = (row: Row, column: string): string => String(row[column])
export const millisIn = (row: Row, column: string): number => Math.round(Number(row[column]) * 1000)

/** A number for JSON. NaN and the infinities become a text, which the database refuses: JSON would make them null. */
export const numberIfAny = (value: number | undefined): number | string | undefined =>
  value === undefined || Number.isFinite(value) ? value : "no number"

/** Seconds since the epoch, as `to_timestamp` takes them; null for what is absent. */
export const toSeconds = (millis: number): number => millis / 1000
export const secondsOrNull = (millis: number | undefined): number | string | null =>
  numberIfAny(millis === undefined ? undefined : millis / 1000) ?? null
