import { type Operator, replace } from "./Operator.ts"

const swapped = new Map(
  Object.entries({
    some: "every",
    every: "some",
    startsWith: "endsWith",
    endsWith: "startsWith",
    toLowerCase: "toUpperCase",
    toUpperCase: "toLowerCase",
    padStart: "padEnd",
    padEnd: "padStart",
    find: "findLast",
    findLast: "find",
    indexOf: "lastIndexOf",
    lastIndexOf: "indexOf",
    push: "unshift",
    unshift: "push",
    shift: "pop",
    pop: "shift",
  }),
)

const swappedMath = new Map(
  Object.entries({ min: "max", max: "min", floor: "ceil", ceil: "floor", round: "floor", trunc: "ceil" }),
)

/** Methods whose result is of the kind that they are called on. */
const dropped = new Set([
  "filter",
  "slice",
  "trim",
  "trimStart",
  "trimEnd",
  "toSorted",
  "toReversed",
  "replace",
  "replaceAll",
  "concat",
  "flat",
  "normalize",
  "subarray",
])

const negated = new Set(["includes", "has", "test"])

const methodSwapped: Operator = {
  name: "method swapped",
  faults: (place, source) => {
    const { node } = place
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.callee.computed) return []
    const { object, property } = node.callee
    const name = source.text.slice(property.start, property.end)
    const isMath = object.type === "Identifier" && object.name === "Math"
    const isModule = object.type === "Identifier" && /^[A-Z]/.test(object.name)
    const other = isMath ? swappedMath.get(name) : isModule ? undefined : swapped.get(name)
    return other === undefined ? [] : [replace(place, other, property)]
  },
}

const methodDropped: Operator = {
  name: "method dropped",
  faults: (place, source) => {
    const { node } = place
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.callee.computed) return []
    const { object, property } = node.callee
    if (object.type === "Identifier" && /^[A-Z]/.test(object.name)) return []
    if (!dropped.has(source.text.slice(property.start, property.end))) return []
    return [replace(place, "", { start: object.end, end: node.end })]
  },
}

const methodNegated: Operator = {
  name: "method negated",
  faults: (place, source) => {
    const { node, parents } = place
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.callee.computed) return []
    if (parents[0]?.type === "ChainExpression" || parents[0]?.type === "MemberExpression") return []
    if (!negated.has(source.text.slice(node.callee.property.start, node.callee.property.end))) return []
    return [replace(place, "!", { start: node.start, end: node.start })]
  },
}

export const methodOperators: ReadonlyArray<Operator> = [methodSwapped, methodDropped, methodNegated]
