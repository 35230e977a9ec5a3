import { sqlOperators } from "./sqlOperators.ts"
import { type Node, simplifySql, sqlIn, tokenize, withText } from "./sqlText.ts"

export interface Mutator {
  readonly name: string
  readonly mutate: (path: { readonly node: Node }) => Iterable<Node>
}

const statementMutators: ReadonlyArray<Mutator> = sqlOperators.map(({ name, edits }) => ({
  name,
  mutate: ({ node }) => {
    const sql = sqlIn(node)
    if (sql === undefined) return []
    const shape = simplifySql(sql)
    return edits(shape, tokenize(shape)).map(({ start, end, text }) =>
      withText(node, sql.slice(0, start) + text + sql.slice(end)),
    )
  },
}))

/** Drops each column of `lookUp({ "c.id": "d.id" })`. A look-up with a single column becomes the condition `true`. */
const lookUpMutator: Mutator = {
  name: "SqlLookUp",
  mutate: ({ node }) => {
    if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.callee.name !== "lookUp") return []
    const [key] = node.arguments
    if (key?.type !== "ObjectExpression") return []
    const { properties } = key
    if (properties.length === 1) return [{ type: "StringLiteral", value: "true" }]
    return properties.map((dropped) => ({
      ...node,
      arguments: [{ ...key, properties: properties.filter((one) => one !== dropped) }],
    }))
  },
}

export const sqlMutators: ReadonlyArray<Mutator> = [...statementMutators, lookUpMutator]
