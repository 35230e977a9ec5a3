import type { Place, Source } from "../Source.ts"
import { type Operator, replace } from "./Operator.ts"

/** The columns of `lookUp({ "c.id": "d.id" })`, by which a statement of `store-postgres` finds its rows. */
export const isLookUpKey = ({ node, parents: [call] }: Place, { text }: Source): boolean =>
  node.type === "ObjectExpression" &&
  call?.type === "CallExpression" &&
  text.slice(call.callee.start, call.callee.end) === "lookUp"

/** Without any column the statement would be none: of a single one the condition is `true`. */
const columnDropped: Operator = {
  name: "SQL: column of look-up dropped",
  faults: (place, source) => {
    const { node, parents } = place
    if (node.type !== "ObjectExpression" || !isLookUpKey(place, source)) return []
    const { properties } = node
    if (properties.length === 1) return parents.slice(0, 1).map((call) => replace({ node: call, parents }, '"true"'))
    return properties.map(({ start, end }, index) => {
      const before = properties[index - 1]
      const after = properties[index + 1]
      if (before !== undefined) return replace(place, "", { start: before.end, end })
      return replace(place, "", { start, end: after?.start ?? end })
    })
  },
}

export const lookUpOperators: ReadonlyArray<Operator> = [columnDropped]
