import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { root } from "../../world/root.ts"
import { environment, planted, type Run, testFile, vitest } from "./Run.ts"

/** A package with one fault. A global set-up makes it a project of its own. */
interface Plant {
  readonly folder: string
  readonly project: string
  readonly says: string
}

type Files = Readonly<Record<string, string>>

const plant = (name: string, files: Files, says: string, setup?: string): Plant => {
  const folder = join(planted, "packages", name)
  for (const [file, text] of Object.entries({ ...files, ...(setup && { "test/globalSetup.ts": setup }) })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const isAlone = Object.keys(files).some((file) => file.includes("/alone/"))
  return { folder, project: isAlone ? "unshared" : setup === undefined ? "shared" : name, says }
}

const makeSetup = (begin: string, end: string): string =>
  `export default () => {\n${begin}\nreturn () => {\n${end}\n}\n}`

const plantFailing = (name: string, file: string, title: string, text: string, setup?: string): Plant => {
  const made = plant(name, { [file]: text }, "", setup)
  return {
    ...made,
    says: `FAIL  |${made.project}| ${relative(root, join(made.folder, file))}${title && ` > ${title}`}`,
  }
}

/**
 * Plants a test with and without a global set-up. The imports of a set-up run in the process that sets the exit code.
 * Without a set-up, tests share workers with other packages, and the check of test files runs.
 */
const plantInBothWays = (file: string, title: string, text: string): ReadonlyArray<Plant> => {
  const name = (title || "has the focus").replaceAll(" ", "-") + (file.includes("/alone/") ? "-alone" : "")
  return [plantFailing(name, file, title, text), plantFailing(`${name}-setup`, file, title, text, makeSetup("", ""))]
}

const makeRun = (plants: ReadonlyArray<Plant>, expected = 1, flags: ReadonlyArray<string> = []): Run => ({
  what: plants.map(({ folder }) => basename(folder)).join(", "),
  args: [
    ...vitest,
    ...flags,
    ...[...new Set(plants.map(({ project }) => project))].flatMap((project) => ["--project", project]),
    ...plants.map(({ folder }) => join(folder, "/")),
  ],
  env: { ...environment, PLANTED_PACKAGES: join(planted, "packages") },
  expected,
  says: plants.map(({ says }) => says),
})

const failing = testFile('it("does not hold", () => expect(1).toBe(2))')
const focused = testFile().replace("it(", "it.only(")
const returning = testFile(
  'import * as Effect from "effect/Effect"',
  'it("asserts what nobody runs", () => {',
  "  expect(1).toBe(1)",
  "  return Effect.sync(() => expect(1).toBe(2))",
  "})",
)
const throwing = 'throw new Error("planted")'
const hanging = "return new Promise(() => setInterval(() => {}, 1_000))"

export const packageRuns = (): ReadonlyArray<Run> => {
  const file = "test/a.test.ts"
  const sound = { [file]: testFile() }
  const skipped = { [file]: testFile('it.skip("does not hold", () => expect(1).toBe(2))') }
  symlinkSync(join(root, "node_modules"), join(planted, "node_modules"))
  return [
    makeRun([plant("sound", sound, ""), plant("sound-setup", sound, "", makeSetup("", ""))], 0),
    makeRun([
      ...plantInBothWays(file, "does not hold", failing),
      ...plantInBothWays("test/alone/a.test.ts", "does not hold", failing),
      // Has no second test, because a skipped test would be another fault.
      ...plantInBothWays(file, "", focused),
      ...plantInBothWays(file, "asserts nothing", testFile('it("asserts nothing", () => {})')),
      ...plantInBothWays(file, "asserts what nobody runs", returning),
      ...["src/b.spec.ts", ...["tsx", "mts", "cts", "js", "mjs"].map((kind) => `test/a.test.${kind}`)].map((other) =>
        plantFailing(basename(other), other, "does not hold", failing),
      ),
    ]),
    makeRun([plant("skipped", skipped, "Skipped without a tag that says why: 1 test")]),
    makeRun([plant("setupThrows", sound, "Error: planted", makeSetup(throwing, ""))]),
    makeRun([plant("endThrows", sound, "Error: planted", makeSetup("", throwing))]),
    makeRun([plant("endHangs", sound, "it hasn't ended after 1 s", makeSetup("", hanging))], 1, [
      "--teardownTimeout=1000",
    ]),
  ]
}
