import { timeAt } from "./Sql.ts"

/** Rows that a claim takes, in the order of `moment`. */
export interface Step {
  readonly name: string
  readonly where: string
  readonly moment: string
  readonly isLatestFirst?: boolean
}

const order = ({ moment, isLatestFirst = false }: Step): string => `ORDER BY ${moment}${isLatestFirst ? " DESC" : ""}`

/** Rows whose time has come, then rows whose time a fast clock set too far ahead. */
export const dueSteps = (moment: string, maxAheadMs: number, condition: string): ReadonlyArray<Step> => [
  { name: "due", moment, where: `${condition} AND ${moment} <= ${timeAt()}` },
  { name: "ahead", moment, where: `${condition} AND ${moment} > ${timeAt(maxAheadMs)}`, isLatestFirst: true },
]

/** CTEs that lock each step's rows up to the limit, and `taken`, which has them all. */
export const takeSteps = (table: string, columns: string, limit: string, steps: ReadonlyArray<Step>): string => {
  const counts = steps.map(({ name }) => `(SELECT count(*) FROM ${name})`)
  const locked = steps.map(
    (step, index) => `${step.name} AS MATERIALIZED (
  SELECT ${columns}, ${step.moment} AS due_at FROM @.${table}
  WHERE ${step.where}
  ${order(step)}
  LIMIT ${[limit, ...counts.slice(0, index)].join(" - ")}
  FOR UPDATE SKIP LOCKED
)`,
  )
  return `${locked.join(",\n")},
taken AS (${steps.map(({ name }) => `SELECT * FROM ${name}`).join(" UNION ALL ")})`
}

/** Null if a claim would take no row. */
export const findsRow = (table: string, steps: ReadonlyArray<Step>): string =>
  steps.map((step) => `(SELECT true FROM @.${table} WHERE ${step.where} ${order(step)} LIMIT 1)`).join(" OR ")
