import type { Row } from "./Evidence.ts"
import { groupBy } from "./groupBy.ts"

export const judgeRows = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => [
  ...rows.filter(({ isHome }) => !isHome).map(({ table, key, place }) => `misplaced: ${table} ${key} is in ${place}`),
  ...[...groupBy(rows, ({ table, key }) => `${table} ${key}`)]
    .filter(([, same]) => same.length > 1)
    .map(([row, same]) => `doubled: ${row} is in ${same.map(({ place }) => place).join(" and ")}`),
]
