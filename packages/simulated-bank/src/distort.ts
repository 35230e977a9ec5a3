import * as Predicate from "effect/Predicate"
import type { BankWays } from "./BankOptions.ts"

/** Fields that other banks send and this one doesn't. */
const oftenNull = ["infoPagador", "componentesValor", "solicitacaoPagador", "motivo"]

const distortObject = (value: object, ways: BankWays): Record<string, unknown> => {
  const entries = Object.entries(value).map(([key, field]) => [key, distort(field, ways)] as const)
  const nulls = ways.nulls ? oftenNull.filter((key) => !(key in value)).map((key) => [key, null] as const) : []
  return Object.fromEntries([...entries, ...nulls])
}

/** An answer with this bank's deviations. */
export const distort = (value: unknown, ways: BankWays): unknown => {
  if (typeof value === "number") return ways.numbersAsText ? String(value) : value
  if (Array.isArray(value)) {
    const items = value.map((item) => distort(item, ways))
    return ways.loneObjects && items.length === 1 ? items[0] : items
  }
  return Predicate.isObject(value) ? distortObject(value, ways) : value
}
