import type { StorePorts } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { storeSuite } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const used = new Map<string, Set<string>>()

const record = (port: string): void => {
  const { currentTestName = "" } = expect.getState()
  used.set(currentTestName, (used.get(currentTestName) ?? new Set()).add(port))
}

const watch = (port: string, service: object): object =>
  new Proxy(service, {
    get: (target, key): unknown => {
      record(port)
      return Reflect.get(target, key)
    },
  })

const watchedStore = Layer.effectContext(
  Effect.map(Layer.build(memoryStore()), ({ mapUnsafe }) => {
    const ports = [...mapUnsafe].map(([key, service]) => [key, watch(key.split("/").at(-1) ?? "", service)] as const)
    return Context.makeUnsafe<StorePorts>(new Map(ports))
  }),
)

storeSuite("watched", watchedStore)

/** A test's name begins with its suite: `watched: ChargeStore > commit > ...`. */
const findSuite = (test: string): string => /^watched: (\w+)/.exec(test)?.[1] ?? ""

it("matches the README's count of passing tests and list of complete suites after each port", () => {
  const readme = readFileSync(`${import.meta.dirname}/../README.md`, "utf8")
  const rows = [...readme.matchAll(/^\| `(\w+)` +\|.*\| +(\d+) +\| (.*?) +\|$/gm)].map(
    ([, port = "", count, suites = ""]) => ({
      port,
      count: Number(count),
      suites: suites === "" ? [] : suites.split(", "),
    }),
  )
  const unfinished = new Set([...used.keys()].map(findSuite))
  const built = new Set<string>()
  const expected = rows.map(({ port }) => {
    built.add(port)
    const failing = [...used].filter(([, ports]) => [...ports].some((needed) => !built.has(needed)))
    const failingSuites = new Set(failing.map(([test]) => findSuite(test)))
    const suites = [...unfinished].filter((suite) => !failingSuites.has(suite))
    for (const suite of suites) unfinished.delete(suite)
    return { port, count: used.size - failing.length, suites }
  })
  expect(rows).toEqual(expected)
  expect([...unfinished]).toEqual([])
})
