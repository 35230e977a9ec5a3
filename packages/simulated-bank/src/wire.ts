import type { Cents } from "@pixcharge/core/money"

/** Cents in the API's format. */
export const decimal = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`

export const parseCents = (text: string): Cents => Number(text.replace(".", "")) as Cents

/** Epoch milliseconds in the API's format. */
export const instant = (at: number): string => new Date(at).toISOString()
