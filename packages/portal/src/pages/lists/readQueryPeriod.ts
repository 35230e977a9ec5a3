import type { View } from "../../frame/View.ts"
import { type PeriodChoice, fromField, readPeriod, untilField } from "../../parts/period.ts"

/** Reads the period of a page's query. Default: `days` up to today. */
export const readQueryPeriod = (
  { query, now }: Pick<View, "query" | "now">,
  bounds: { readonly days: number; readonly maxDays?: number },
): PeriodChoice => readPeriod({ from: query.get(fromField), until: query.get(untilField) }, bounds, now)
