import type { Node } from "oxc-parser"
import type { Fault } from "./operators/Operator.ts"
import { parseSource, type Source } from "./Source.ts"
import type { Numbered, Places } from "./Usage.ts"

/** A fault that is switched on by its number. */
export interface Switch {
  readonly number: number
  readonly fault: Fault
}

/** A stretch of the source that is written otherwise; what stands in it is written first. */
interface Rewrite {
  readonly start: number
  readonly end: number
  /** Whether it begins with a parenthesis, which the statement before it could take for a call's. */
  readonly isParenthesised: boolean
  readonly write: (inner: string) => string
}

/** What the worker offers: whether a fault is switched on. */
const test = "__isOn"
/** Says that a function is called. */
const called = "__called"
/** Says which statement of the module is evaluated from here on. */
const evaluated = "__evaluated"

const faultyText = (text: string, { start, end, text: replacement, host }: Fault): string =>
  text.slice(host.start, start) + replacement + text.slice(end, host.end)

/** The faults of one expression or statement. */
const switchRewrite = (text: string, host: Node, switches: ReadonlyArray<Switch>): Rewrite => {
  const isStatement = host.type === "ExpressionStatement"
  const conditions = switches.map(({ number }) => `!${test}(${number})`)
  const cases = switches.map(({ number, fault }) => `${test}(${number})?(${faultyText(text, fault)}):`)
  return {
    start: host.start,
    end: host.end,
    isParenthesised: !isStatement,
    write: (inner) => (isStatement ? `{if(${conditions.join("&&")}){${inner}}}` : `(${cases.join("")}(${inner}))`),
  }
}

const switchRewrites = (text: string, switches: ReadonlyArray<Switch>): ReadonlyArray<Rewrite> => {
  const byHost = new Map<string, ReadonlyArray<Switch>>()
  for (const one of switches) {
    const { host } = one.fault
    const key = `${host.start} ${host.end} ${host.type === "ExpressionStatement"}`
    byHost.set(key, [...(byHost.get(key) ?? []), one])
  }
  return [...byHost.values()].flatMap((own) => {
    const [first] = own
    return first === undefined ? [] : [switchRewrite(text, first.fault.host, own)]
  })
}

const insertion = (at: number, inserted: string): Rewrite => ({
  start: at,
  end: at,
  isParenthesised: false,
  write: () => inserted,
})

const calledRewrite = ({ node, number }: Numbered): ReadonlyArray<Rewrite> => {
  if (!("body" in node) || node.body === null) return []
  const { start, end, type } = node.body as Node
  if (type === "BlockStatement") return [insertion(start + 1, `${called}(${number});`)]
  return [{ start, end, isParenthesised: true, write: (inner) => `(${called}(${number}),${inner})` }]
}

const blocks = new Set(["Program", "BlockStatement", "SwitchCase", "StaticBlock"])

/** Where a statement begins that the one before it would swallow if it began with a parenthesis. */
const openStarts = ({ places }: Source): ReadonlySet<number> =>
  new Set(
    places
      .filter(({ node, parents }) => node.type === "ExpressionStatement" && blocks.has(parents[0]?.type ?? ""))
      .map(({ node }) => node.start),
  )

/** The outer before what stands in it; what only inserts, before all that begins there. */
const byPlace = (a: Rewrite, b: Rewrite): number =>
  a.start - b.start ||
  Number(b.start === b.end) - Number(a.start === a.end) ||
  b.end - a.end ||
  Number(a.isParenthesised) - Number(b.isParenthesised)

/** A source with all faults in it, each switched off until the worker switches it on. Lines keep their numbers. */
export const instrument = (
  file: string,
  text: string,
  switches: ReadonlyArray<Switch>,
  { tops, functions }: Places,
): string => {
  const source = parseSource(file, text)
  const rewrites = [
    ...switchRewrites(text, switches),
    ...functions.flatMap(calledRewrite),
    ...tops.map(({ node, number }) => insertion(node.start, `${evaluated}(${number});`)),
  ].toSorted(byPlace)
  const starts = openStarts(source)
  let next = 0

  const render = (start: number, end: number, isInner: boolean): string => {
    let done = start
    let out = ""
    for (let rewrite = rewrites[next]; rewrite !== undefined && rewrite.start < end; rewrite = rewrites[next]) {
      next += 1
      const isOpen = rewrite.isParenthesised && starts.has(rewrite.start) && !(isInner && rewrite.start === start)
      const before = text.slice(done, rewrite.start) + (isOpen ? ";" : "")
      const inner = rewrite.start === rewrite.end ? "" : render(rewrite.start, rewrite.end, true)
      out += before + rewrite.write(inner)
      done = rewrite.end
    }
    return out + text.slice(done, end)
  }

  const code = render(0, text.length, false)
  const firstLine = /^#!.*\n/.exec(code)?.[0] ?? ""
  const head = `const {isOn:${test},called:${called},evaluated:${evaluated}}=globalThis.__mutants;`
  return `${firstLine}${head}${code.slice(firstLine.length)}\n;${evaluated}(0)`
}
