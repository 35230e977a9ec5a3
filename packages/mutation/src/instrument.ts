import type { Node } from "oxc-parser"
import type { Fault } from "./operators/Operator.ts"
import { parseSource } from "./Source.ts"

/** A fault that is switched on by its number. */
export interface Switch {
  readonly number: number
  readonly fault: Fault
}

interface Host {
  readonly start: number
  readonly end: number
  readonly isStatement: boolean
  readonly switches: ReadonlyArray<Switch>
}

const hostsOf = (switches: ReadonlyArray<Switch>): ReadonlyArray<Host> => {
  const hosts = new Map<string, { node: Node; switches: Array<Switch> }>()
  for (const one of switches) {
    const { host } = one.fault
    const key = `${host.start}:${host.end}:${host.type === "ExpressionStatement"}`
    const known = hosts.get(key)
    if (known === undefined) hosts.set(key, { node: host, switches: [one] })
    else known.switches.push(one)
  }
  const isStatement = (node: Node): boolean => node.type === "ExpressionStatement"
  return [...hosts.values()]
    .map(({ node, switches: own }) => ({ start: node.start, end: node.end, isStatement: isStatement(node), switches: own }))
    .toSorted((a, b) => a.start - b.start || b.end - a.end || Number(b.isStatement) - Number(a.isStatement))
}

const blocks = new Set(["Program", "BlockStatement", "SwitchCase", "StaticBlock", "FunctionBody"])

/** Where a statement begins that the one before it would swallow if it began with a parenthesis. */
const openStarts = (file: string, text: string): ReadonlySet<number> =>
  new Set(
    parseSource(file, text)
      .places.filter(({ node, parents }) => node.type === "ExpressionStatement" && blocks.has(parents[0]?.type ?? ""))
      .map(({ node }) => node.start),
  )

/** What the worker sets: whether the fault of a number is switched on. */
const test = "__mutant"

/**
 * A source with all faults in it, each switched off until the worker switches it on. Lines keep their numbers.
 */
export const instrument = (file: string, text: string, switches: ReadonlyArray<Switch>): string => {
  const hosts = hostsOf(switches)
  const starts = openStarts(file, text)
  let next = 0

  const faulty = ({ number, fault: { start, end, text: replacement, host } }: Switch): readonly [number, string] => [
    number,
    text.slice(host.start, start) + replacement + text.slice(end, host.end),
  ]

  const render = (start: number, end: number, isGuarded: boolean): string => {
    let done = start
    let out = ""
    for (let host = hosts[next]; host !== undefined && host.start < end; host = hosts[next]) {
      next += 1
      out += text.slice(done, host.start) + renderHost(host, isGuarded && host.start === start)
      done = host.end
    }
    return out + text.slice(done, end)
  }

  const renderHost = (host: Host, isGuarded: boolean): string => {
    const variants = host.switches.map(faulty)
    const original = render(host.start, host.end, true)
    if (host.isStatement) {
      const numbers = variants.map(([number]) => `!${test}(${number})`)
      return `if(${numbers.join("&&")}){${original}}`
    }
    const cases = variants.map(([number, code]) => `${test}(${number})?(${code}):`)
    const isOpen = !isGuarded && starts.has(host.start)
    return `${isOpen ? ";" : ""}(${cases.join("")}(${original}))`
  }

  const code = render(0, text.length, false)
  const firstLine = /^#!.*\n/.exec(code)?.[0] ?? ""
  return `${firstLine}const ${test}=globalThis.__mutants.is;${code.slice(firstLine.length)}`
}
