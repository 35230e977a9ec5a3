import { existsSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const source = new URL("../../src/", import.meta.url)

/** The imports and re-exports of a file, except types. */
const loadedBy = (file: URL): ReadonlyArray<string> =>
  [
    ...readFileSync(file, "utf8")
      .replaceAll(/\/\*\*[^]*?\*\//g, "")
      .matchAll(/^(?:import|export) (?!type )(?:[^"]*? from )?"([^"]+)"/gm),
  ]
    .filter(([statement]) => !/^\w+ \{(?:\s*type \w+,?)+\s*\}/.test(statement))
    .map(([, from = ""]) => from)

/** The paths below `src` and the packages that a file of core loads. */
const reach = (file: URL, reached = new Set<string>()): ReadonlySet<string> => {
  const name = file.href.slice(source.href.length)
  if (reached.has(name)) return reached
  reached.add(name)
  for (const from of loadedBy(file)) {
    if (from.startsWith(".")) reach(new URL(from, file), reached)
    else reached.add(from)
  }
  return reached
}

it.each(["brcode", "money"])(
  "@pixcharge/core/%s loads neither the calendar nor charges, ports or services",
  (subpath) => {
    const reached = reach(new URL(`model/${subpath}/index.ts`, source))
    expect(reached.size).toBeGreaterThan(1)
    for (const name of reached)
      expect(name).not.toMatch(/^(?:model\/(?:calendar|charge|cycle|directory|recurrence)|ports|services)\//)
  },
)

it("@pixcharge/core/brcode loads only Effect's Data and Result from other packages", () => {
  const packages = [...reach(new URL("model/brcode/index.ts", source))].filter(
    (name) => !existsSync(new URL(name, source)),
  )
  expect(packages.toSorted()).toEqual(["effect/Data", "effect/Result"])
})

it("the search for imports finds the calendar in a file that loads it", () => {
  expect([...reach(new URL("model/charge/index.ts", source))].some((name) => name.startsWith("model/calendar/"))).toBe(
    true,
  )
})
