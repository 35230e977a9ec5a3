export interface FaultyPackage {
  readonly files: Readonly<Record<string, string>>
  /** True if the package has the same fault as another one, but in another kind of file. */
  readonly isFile?: true
  readonly fails?: string
  readonly setUp?: string
  readonly end?: string
  readonly flags?: ReadonlyArray<string>
  readonly says?: string
}

const imports = 'import { expect, it } from "vitest"'

export const testFile = (...lines: ReadonlyArray<string>): string =>
  [imports, 'it("holds", () => expect(1).toBe(1))', ...lines, ""].join("\n")

const sound = { "test/a.test.ts": testFile() }

const makeFailing = (file: string): FaultyPackage => ({
  files: { ...sound, [file]: testFile('it("does not hold", () => expect(1).toBe(2))') },
  fails: `${file} > does not hold`,
})

/** The packages by name. Each can fail only because of the fault in its name. */
export const packages: Readonly<Record<string, FaultyPackage>> = {
  sound: { files: sound },
  failing: makeFailing("test/a.test.ts"),
  failingSpec: { ...makeFailing("src/b.spec.ts"), isFile: true },
  ...Object.fromEntries(
    ["tsx", "mts", "cts", "js", "mjs"].map((kind) => [kind, { ...makeFailing(`test/a.test.${kind}`), isFile: true }]),
  ),
  failingAlone: makeFailing("test/alone/a.test.ts"),
  // Has no second test, because a skipped test would be another fault.
  focused: {
    files: { "test/a.test.ts": `${imports}\nit.only("has the focus", () => expect(1).toBe(1))\n` },
    fails: "test/a.test.ts",
  },
  assertsNothing: {
    files: { "test/a.test.ts": testFile('it("asserts nothing", () => {})') },
    fails: "test/a.test.ts > asserts nothing",
  },
  returnsEffect: {
    files: {
      "test/a.test.ts": testFile(
        'import * as Effect from "effect/Effect"',
        'it("asserts what nobody runs", () => {',
        "  expect(1).toBe(1)",
        "  return Effect.sync(() => expect(1).toBe(2))",
        "})",
      ),
    },
    fails: "test/a.test.ts > asserts what nobody runs",
  },
  skipped: {
    files: { "test/a.test.ts": testFile('it.skip("does not hold", () => expect(1).toBe(2))') },
    says: "Skipped without a tag that says why: 1 test",
  },
  setupThrows: { files: sound, setUp: 'throw new Error("planted")', says: "Error: planted" },
  endThrows: { files: sound, end: 'throw new Error("planted")', says: "Error: planted" },
  endHangs: {
    files: sound,
    end: "return new Promise(() => setInterval(() => {}, 1_000))",
    flags: ["--teardownTimeout=1000"],
    says: "it hasn't ended after 1 s",
  },
}
