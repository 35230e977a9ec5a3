import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it, onTestFinished } from "vitest"

interface Outcome {
  readonly line: number
  readonly mutated: string
  readonly _tag: "Killed" | "TimedOut" | "Survived"
  readonly by?: string
  readonly tests?: number
}

const imports = 'import { expect, it } from "vitest"\n'

/** What becomes of every fault in a package of one module, `a.ts`, with these files of tests. */
const outcomes = async (
  source: string,
  tests: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Promise<ReadonlyArray<Outcome>> => {
  const root = mkdtempSync(join(tmpdir(), "pixcharge-mutation-"))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files = {
    "package.json": '{ "type": "module" }',
    "pnpm-lock.yaml": "",
    "vitest.config.mjs": "export default {}\n",
    "packages/planted/src/a.ts": source,
    ...Object.fromEntries(
      Object.entries(tests).map(([name, text]) => [`packages/planted/test/${name}`, imports + text]),
    ),
    ...others,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  mkdirSync(join(root, "node_modules"))
  symlinkSync(join(import.meta.dirname, "../node_modules/vitest"), join(root, "node_modules/vitest"))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, "planted.mjs"),
    root,
  ])
  // Vitest would wait a minute for the answer of a worker that is gone.
  expect(stderr).not.toContain("Timeout terminating")
  return JSON.parse(stdout) as ReadonlyArray<Outcome>
}

const tagsOf = (found: ReadonlyArray<Outcome>) => found.map(({ mutated, _tag }) => [mutated, _tag])

describe("a fault", () => {
  it("is killed by a test that notices it, and survives one that does not, or that never comes by", async () => {
    const source = [
      "export const isLess = (a: number, b: number) => a < b",
      "export const isMore = (a: number, b: number) => a > b",
      "export const isBoth = (a: boolean, b: boolean) => a && b",
    ].join("\n")
    const test = [
      'import { isLess, isMore } from "../src/a.ts"',
      'it("is less", () => expect([isLess(1, 2), isLess(1, 1)]).toEqual([true, false]))',
      'it("is more", () => expect(isMore(2, 1)).toBe(true))',
    ].join("\n")
    const found = await outcomes(source, { "a.test.ts": test })
    expect(tagsOf(found)).toEqual([
      ["a <= b", "Killed"],
      ["a >= b", "Killed"],
      ["a >= b", "Survived"],
      ["a <= b", "Killed"],
      ["a || b", "Survived"],
    ])
    expect(found.map(({ by, tests }) => by?.includes("a.test.ts: is") ?? tests)).toEqual([true, true, 1, true, 0])
  })

  it("is switched on where tests run, and not in the set-up of all of them", async () => {
    const source = "export const isLess = (a: number, b: number) => a < b"
    const test = 'import { isLess } from "../src/a.ts"\nit("is less", () => expect(isLess(1, 1)).toBe(false))'
    const found = await outcomes(
      source,
      { "a.test.ts": test },
      {
        "vitest.config.mjs": 'export default { test: { globalSetup: "packages/planted/test/globalSetup.ts" } }\n',
        "packages/planted/test/globalSetup.ts":
          'import { isLess } from "../src/a.ts"\nexport default () => { if (isLess(1, 1)) throw new Error("a fault is on") }\n',
      },
    )
    expect(tagsOf(found)).toEqual([
      ["a <= b", "Killed"],
      ["a >= b", "Killed"],
    ])
  })

  it("in what is made when a module is loaded is switched on before that, and killed by whoever uses it", async () => {
    const source = [
      "const limit = 2",
      "const doubled = limit * 2",
      "export const isBelow = (a: number) => a < doubled",
      "export const other = () => 1",
    ].join("\n")
    const found = await outcomes(source, {
      "a.test.ts":
        'import { isBelow } from "../src/a.ts"\nit("is below", () => expect([3, 4].map(isBelow)).toEqual([true, false]))',
      "other.test.ts": 'import { other } from "../src/a.ts"\nit("is one", () => expect(other()).toBe(1))',
    })
    expect(found.every(({ _tag }) => _tag === "Killed")).toBe(true)
    const byOther = found.filter(({ by }) => by?.includes("other.test.ts"))
    expect(byOther.map(({ line }) => line)).toEqual([4, 4])
  })

  it(
    "that keeps a test from ending is killed by the time it takes, also where nothing else gets a turn",
    { tags: ["long"] },
    async () => {
      const source = ["export const count = (end: number, step: number) => {", "  let n = 0"]
      const loop = ["  while (n < end) n += step", "  return n", "}"]
      const found = await outcomes([...source, ...loop].join("\n"), {
        "a.test.ts": 'import { count } from "../src/a.ts"\nit("counts", () => expect(count(3, 1)).toBe(3))',
      })
      const timedOut = found.filter(({ _tag }) => _tag === "TimedOut").map(({ mutated }) => mutated)
      expect(timedOut).toEqual(["", "n -= step"])
    },
  )

  it("that keeps the worker busy once it is told to stop is judged all the same", { tags: ["long"] }, async () => {
    const source = ["export const count = (end: number) => {", "  let n = 0", "  while (n < end) n += 1", "}"]
    const test = ["count(0)", 'process.on("message", ({ type }) => void (type === "stop" && count(3)))'].join("\n")
    const found = await outcomes(source.join("\n"), {
      "a.test.ts": `import { count } from "../src/a.ts"\nit("counts again in the end", () => {\n${test}\n})`,
    })
    expect(found.length).toBeGreaterThan(0)
  })
})

it("a switched statement leaves an else to the if that it belongs to", async () => {
  const source = [
    "export const sign = (a: number) => {",
    "  let text = ''",
    "  if (a < 0) text = 'minus'",
    "  else text = 'plus'",
    "  return text",
    "}",
  ].join("\n")
  const test =
    'import { sign } from "../src/a.ts"\nit("is told", () => expect([-1, 1].map(sign)).toEqual(["minus", "plus"]))'
  const found = await outcomes(source, { "a.test.ts": test })
  expect(found.filter(({ mutated }) => mutated === "").map(({ _tag }) => _tag)).toEqual(["Killed", "Killed"])
})

describe("nothing is said", () => {
  it("when a test fails without any fault", async () => {
    const failing = outcomes("export const a = () => 1", { "a.test.ts": 'it("fails", () => expect(1).toBe(2))' })
    await expect(failing).rejects.toThrow("fails without any fault")
  })

  it("when a test fails without any fault the second time", async () => {
    const test = [
      'import { existsSync, writeFileSync } from "node:fs"',
      'const mark = new URL("mark", import.meta.url)',
      'it("holds once", () => {',
      "  const isSecond = existsSync(mark)",
      '  writeFileSync(mark, "")',
      "  expect(isSecond).toBe(false)",
      "})",
    ].join("\n")
    await expect(outcomes("export const a = () => 1", { "a.test.ts": test })).rejects.toThrow("fails without any fault")
  })
})
