import type { View } from "../../frame/View.ts"
import { type AskedPeriod, fromField, readPeriod, untilField } from "../../parts/period.ts"

/** The period of a page's query; without one, so many days up to today. */
export const askedPeriod = (
  { query, now }: Pick<View, "query" | "now">,
  bounds: { readonly days: number; readonly mostDays?: number },
): AskedPeriod => readPeriod({ from: query.get(fromField), until: query.get(untilField) }, bounds, now)
