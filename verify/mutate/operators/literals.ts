import type { Node } from "oxc-parser"
import type { Place, Source } from "../Source.ts"
import { isName } from "./isName.ts"
import { isLookUpKey } from "./lookUps.ts"
import { type Operator, replace } from "./Operator.ts"
import { isSql } from "./sqlText.ts"

const calleeText = (node: Node, source: Source): string =>
  node.type === "CallExpression" ? source.text.slice(node.callee.start, node.callee.end) : ""

const comparing = new Set(["===", "!=="])

/** Tags and identifiers: that they differ is what counts, and a comparison has its own operators. */
const isTag = ({ node, parents }: Place, source: Source): boolean => {
  const [parent] = parents
  if (parent === undefined) return false
  if (parent.type === "Property") return source.text.slice(parent.key.start, parent.key.end) === "_tag"
  if (parent.type === "SwitchCase") return true
  if (parent.type === "BinaryExpression") return comparing.has(parent.operator)
  const callee = calleeText(parent, source)
  return (
    /^(?:Data|Schema)\.Tagged|\bContext\.|^Symbol/.test(callee) ||
    (parent.type === "CallExpression" &&
      parent.callee.type === "CallExpression" &&
      parent.callee !== node &&
      /Context\.|Tagged/.test(calleeText(parent.callee, source)))
  )
}

const booleans: Operator = {
  name: "boolean",
  faults: (place) => {
    const { node } = place
    if (node.type !== "Literal" || typeof node.value !== "boolean") return []
    return [replace(place, String(!node.value))]
  },
}

/** From here on a number is a time or a rough limit: that it is one more or less is nothing that anybody could notice. */
const roughFrom = 1_000

const smallNumbers: Operator = {
  name: "number ±1",
  faults: (place) => {
    const { node, parents } = place
    if (node.type !== "Literal" || isName(node, parents)) return []
    const { value } = node
    if (typeof value === "number" && value < roughFrom) {
      return [replace(place, String(value + 1)), replace(place, `(${value - 1})`)]
    }
    if (typeof value === "bigint") return [replace(place, `${value + 1n}n`), replace(place, `(${value - 1n}n)`)]
    return []
  },
}

const largeNumbers: Operator = {
  name: "number doubled or halved",
  faults: (place) => {
    const { node, parents } = place
    if (node.type !== "Literal" || isName(node, parents)) return []
    const { value } = node
    if (typeof value !== "number" || value < roughFrom) return []
    return [replace(place, String(value * 2)), replace(place, String(Math.floor(value / 2)))]
  },
}

const textOf = (node: Node): string | undefined => {
  if (node.type === "Literal" && typeof node.value === "string") return node.value
  return node.type === "TemplateLiteral" ? node.quasis.map(({ value }) => value.raw).join("${}") : undefined
}

const strings: Operator = {
  name: "string",
  faults: (place, source) => {
    const text = textOf(place.node)
    if (text === undefined || isName(place.node, place.parents)) return []
    if (isTag(place, source) || isSql(place.node, source)) return []
    return [replace(place, text === "" ? '"~"' : '""')]
  },
}

const collections: Operator = {
  name: "object or array emptied",
  faults: (place, source) => {
    const { node } = place
    if (isLookUpKey(place, source)) return []
    if (node.type === "ObjectExpression" && node.properties.length > 0) return [replace(place, "{}")]
    if (node.type === "ArrayExpression" && node.elements.length > 0) return [replace(place, "[]")]
    return []
  },
}

export const literalOperators: ReadonlyArray<Operator> = [booleans, smallNumbers, largeNumbers, strings, collections]
