import type { Sql } from "../database/Sql.ts"

const known = new Map<string, boolean>()

/** A statement's text without its comments and whatever is in parentheses. */
const outermost = (text: string): string => {
  let left = text.replace(/--.*$/gm, "")
  for (let before = ""; before !== left;) {
    before = left
    left = left.replace(/\([^()]*\)/g, "")
  }
  return left
}

/** Whether a statement returns rows, be they none: a query does, and what changes rows if it says RETURNING. */
export const returnsRows = ({ name, text }: Sql): boolean => {
  const before = known.get(name)
  if (before !== undefined) return before
  const outer = outermost(text)
  const [first] = /\b(?:SELECT|INSERT|UPDATE|DELETE)\b/.exec(outer) ?? []
  const returns = first === "SELECT" || /\bRETURNING\b/.test(outer)
  known.set(name, returns)
  return returns
}
