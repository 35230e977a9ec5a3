import type { Sql } from "../database/Sql.ts"

const answers = new Map<string, boolean>()

/** Removes comments, and all that is in parentheses. */
const keepOutermost = (text: string): string => {
  let left = text.replace(/--.*$/gm, "")
  for (let before = ""; before !== left;) {
    before = left
    left = left.replace(/\([^()]*\)/g, "")
  }
  return left
}

/** Whether a statement returns rows, if only none: a query does, and a change that says RETURNING. */
export const returnsRows = ({ name, text }: Sql): boolean => {
  const before = answers.get(name)
  if (before !== undefined) return before
  const outer = keepOutermost(text)
  const [first] = /\b(?:SELECT|INSERT|UPDATE|DELETE)\b/.exec(outer) ?? []
  const returns = first === "SELECT" || /\bRETURNING\b/.test(outer)
  answers.set(name, returns)
  return returns
}
