import type { Node } from "oxc-parser"
import type { Source } from "../Source.ts"
import { type Operator, replace } from "./Operator.ts"

/** Steps that pass on what they are given: without one, the rest still runs. */
const steps = new Set([
  "ensuring",
  "onExit",
  "onError",
  "onInterrupt",
  "timeout",
  "timeoutOption",
  "timeoutOrElse",
  "retry",
  "repeat",
  "uninterruptible",
  "interruptible",
  "uninterruptibleMask",
  "delay",
  "tap",
  "tapError",
  "tapCause",
  "catch",
  "catchTag",
  "catchTags",
  "catchCause",
  "catchDefect",
  "catchIf",
  "orDie",
  "mapError",
  "filterOrFail",
  "ignore",
  "forkScoped",
  "forkDetach",
  "withPermits",
  "updateContext",
  "provideService",
  "scoped",
  "forever",
  "raceFirst",
  "eventually",
])

const stepName = (node: Node, source: Source): string | undefined => {
  const callee = node.type === "CallExpression" ? node.callee : node
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier" || callee.object.name !== "Effect")
    return undefined
  return source.text.slice(callee.property.start, callee.property.end)
}

const isPipe = (node: Node, source: Source): boolean =>
  node.type === "CallExpression" && /(?:^|\.)pipe$/.test(source.text.slice(node.callee.start, node.callee.end))

/** A step of a pipe, or a call around an effect: `Effect.ensuring(effect, finalizer)` becomes `effect`. */
const effectStep: Operator = {
  name: "Effect's step dropped",
  faults: (place, source) => {
    const { node, parents } = place
    if (node.type !== "CallExpression") return []
    if (isPipe(node, source)) {
      return node.arguments.flatMap((step, index) => {
        if (!steps.has(stepName(step, source) ?? "")) return []
        const before = node.arguments[index - 1]
        if (before !== undefined) return [replace(place, "", { start: before.end, end: step.end })]
        const next = node.arguments[index + 1]
        if (next !== undefined) return [replace(place, "", { start: step.start, end: next.start })]
        return node.callee.type === "MemberExpression"
          ? [replace(place, "", { start: node.callee.object.end, end: node.end })]
          : []
      })
    }
    const [parent] = parents
    if (!steps.has(stepName(node, source) ?? "") || (parent !== undefined && isPipe(parent, source))) return []
    const [effect, ...rest] = node.arguments
    const isUnary = /^(?:un)?interruptible$|^orDie$|^ignore$|^fork|^scoped$|^forever$/.test(
      stepName(node, source) ?? "",
    )
    if (effect === undefined || (rest.length === 0 && !isUnary)) return []
    return [replace(place, source.text.slice(effect.start, effect.end))]
  },
}

export const effectOperators: ReadonlyArray<Operator> = [effectStep]
