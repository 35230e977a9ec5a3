import type { Node } from "oxc-parser"

/** Literals that name modules and properties, and those that are no expression. */
export const isName = (node: Node, parents: ReadonlyArray<Node>): boolean => {
  const [parent] = parents
  if (parent === undefined) return true
  if (
    [
      "ImportDeclaration",
      "ExportNamedDeclaration",
      "ExportAllDeclaration",
      "ImportExpression",
      "ImportAttribute",
    ].includes(parent.type)
  )
    return true
  if (parent.type === "TaggedTemplateExpression") return true
  if (parent.type === "ExpressionStatement") return true
  return "key" in parent && parent.key === node && !("computed" in parent && parent.computed)
}
