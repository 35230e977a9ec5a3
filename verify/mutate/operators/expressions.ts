import type { Node } from "oxc-parser"
import { type Fault, type Operator, replace, signBetween } from "./Operator.ts"

type Signs = Readonly<Record<string, string>>

/** An operator that puts another sign between two operands. */
const swapSign = (name: string, signs: Signs): Operator => ({
  name,
  faults: (place, source) => {
    const { node } = place
    if (node.type !== "BinaryExpression" && node.type !== "LogicalExpression") return []
    const other = signs[node.operator]
    return other === undefined ? [] : [replace(place, other, signBetween(source, node.left, node.right, node.operator))]
  },
})

const boundary = swapSign("comparison's bound", { "<": "<=", "<=": "<", ">": ">=", ">=": ">" })

const negation = swapSign("comparison negated", {
  "===": "!==",
  "!==": "===",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
})

const arithmetic = swapSign("arithmetic", {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "**": "*",
  "&": "|",
  "|": "&",
  "<<": ">>",
  ">>": "<<",
  ">>>": "<<",
  "^": "&",
})

const assignedArithmetic: Operator = {
  name: "arithmetic",
  faults: (place, source) => {
    const { node } = place
    if (node.type === "UpdateExpression") {
      const sign = node.operator
      const start = node.prefix ? node.start : node.end - 2
      return [replace(place, sign === "++" ? "--" : "++", { start, end: start + 2 })]
    }
    if (node.type !== "AssignmentExpression") return []
    const other = ({ "+=": "-=", "-=": "+=", "*=": "/=" } as Signs)[node.operator]
    return other === undefined ? [] : [replace(place, other, signBetween(source, node.left, node.right, node.operator))]
  },
}

const logical = swapSign("&& and ||", { "&&": "||", "||": "&&" })

const coalescing: Operator = {
  name: "??",
  faults: (place, source) => {
    const { node } = place
    if (node.type !== "LogicalExpression" || node.operator !== "??") return []
    return [node.left, node.right].map((side) => replace(place, source.text.slice(side.start, side.end)))
  },
}

const isTest = (node: Node, parent: Node | undefined): boolean =>
  parent !== undefined &&
  ["IfStatement", "ConditionalExpression", "WhileStatement", "DoWhileStatement", "ForStatement"].includes(
    parent.type,
  ) &&
  "test" in parent &&
  parent.test === node

const condition: Operator = {
  name: "condition",
  faults: (place) => {
    const [parent] = place.parents
    if (!isTest(place.node, parent) || place.node.type === "Literal") return []
    const isChoice = parent?.type === "IfStatement"
    const isLoop = parent?.type !== "IfStatement" && parent?.type !== "ConditionalExpression"
    // A loop that never ends only takes time; of a ternary the branches are taken below.
    return isChoice ? [replace(place, "true"), replace(place, "false")] : isLoop ? [replace(place, "false")] : []
  },
}

const ternary: Operator = {
  name: "ternary",
  faults: (place, source) => {
    const { node } = place
    if (node.type !== "ConditionalExpression") return []
    return [node.consequent, node.alternate].map(({ start, end }) => replace(place, source.text.slice(start, end)))
  },
}

const not: Operator = {
  name: "negation dropped",
  faults: (place) => {
    const { node } = place
    const isSigned = node.type === "UnaryExpression" && (node.operator === "!" || node.operator === "-")
    return isSigned ? [replace(place, "", { start: node.start, end: node.start + 1 })] : []
  },
}

/** The `?` of each `?.` in a chain. */
function* questionMarks(node: Node, text: string): Generator<{ start: number; end: number }> {
  if (node.type === "TSNonNullExpression") yield* questionMarks(node.expression, text)
  if (node.type !== "MemberExpression" && node.type !== "CallExpression") return
  const inner = node.type === "MemberExpression" ? node.object : node.callee
  yield* questionMarks(inner, text)
  if (!node.optional) return
  const start = text.indexOf("?.", inner.end)
  const isDot = node.type === "MemberExpression" && !node.computed
  yield { start, end: isDot ? start + 1 : start + 2 }
}

const optionalChain: Operator = {
  name: "optional chaining",
  faults: (place, source) => {
    const { node } = place
    if (node.type !== "ChainExpression") return []
    return [...questionMarks(node.expression, source.text)].map((mark) => replace(place, "", mark))
  },
}

const isRemovable = (node: Node): boolean => node.type === "ExpressionStatement" && (node.directive ?? null) === null

/** Equal to nothing: the case is passed by, to the default or to none. */
const caseDropped: Operator = {
  name: "case dropped",
  faults: (place) => {
    const [parent] = place.parents
    return parent?.type === "SwitchCase" && parent.test === place.node ? [replace(place, "NaN")] : []
  },
}

/** Declarations stay, and early returns are dropped by their conditions. */
const statement: Operator = {
  name: "statement dropped",
  faults: ({ node }): ReadonlyArray<Fault> =>
    isRemovable(node) ? [{ start: node.start, end: node.end, text: "", host: node }] : [],
}

export const expressionOperators: ReadonlyArray<Operator> = [
  boundary,
  negation,
  arithmetic,
  assignedArithmetic,
  logical,
  coalescing,
  condition,
  ternary,
  not,
  optionalChain,
  caseDropped,
  statement,
]
