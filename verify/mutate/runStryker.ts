import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { installRuntimes } from "../hosts/run/installRuntimes.ts"
import { install } from "../release/install.ts"
import { root } from "../world/root.ts"
import type { Mutant } from "./sample.ts"

const version = "10.1.1"

/** Stryker needs a newer Node than we support, so it stays outside the workspace. */
const folder = join(root, "node_modules/.cache/stryker")
const modules = join(folder, "node_modules/@stryker-mutator")

const temporary = ".pixcharge/mutate"

export interface Mutation {
  readonly package: string
  readonly files: ReadonlyArray<string>
  readonly exceptTests: ReadonlyArray<string>
  /**
   * The number of mutants and the seed that chooses them. If undefined, every mutant is judged that the last run didn't
   * judge.
   */
  readonly sample: { readonly size: number; readonly seed: string } | undefined
}

export interface Judged extends Mutant {
  readonly status: "Killed" | "Survived" | "Timeout" | "NoCoverage" | "RuntimeError" | "CompileError" | "Ignored"
  readonly location: Mutant["location"] & { readonly end: { readonly line: number; readonly column: number } }
}

type Report = {
  files: Record<string, { readonly source: string; mutants: ReadonlyArray<Omit<Judged, "fileName">> }>
}

const settings = ({ package: name, files, sample }: Mutation) => ({
  mutate: files,
  testRunner: "vitest",
  vitest: { configFile: "verify/mutate/vitest.config.ts", pool: "forks", related: false },
  plugins: [join(modules, "vitest-runner/dist/src/index.js"), join(import.meta.dirname, "plugin.js")],
  checkers: sample === undefined ? [] : ["sample"],
  incremental: sample === undefined,
  incrementalFile: `${temporary}/${name}.json`,
  disableTypeChecks: "packages/*/src/**/!(assets|openApiText).ts",
  ignorePatterns: ["dist", ".pixcharge", "/tarballs", "/release"],
  tempDirName: `${temporary}/sandbox`,
  // Stryker would rewrite a tsconfig with an API that TypeScript 7 lacks.
  tsconfigFile: "none",
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: `${temporary}/report.json` },
  concurrency: 1,
  // Long enough that other load on the machine doesn't look like an endless loop.
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 30,
  warnings: { slow: false },
})

/** Runs Stryker. Returns each judged mutant with the code that it replaced. */
export const runStryker = async (
  mutation: Mutation,
): Promise<ReadonlyArray<Judged & { readonly original: string }>> => {
  await install(
    folder,
    Object.fromEntries(["core", "instrumenter", "vitest-runner"].map((name) => [`@stryker-mutator/${name}`, version])),
  )
  const [node = ""] = (await installRuntimes(["Node 22"], join(folder, "runtimes"))).get("Node 22") ?? []
  mkdirSync(join(root, temporary), { recursive: true })
  const file = join(root, temporary, "stryker.config.json")
  writeFileSync(file, JSON.stringify(settings(mutation)))
  const { status } = spawnSync(node, [join(modules, "core/bin/stryker.js"), "run", relative(root, file)], {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      // Turns off the repetitions of long runs, which would run for each mutant.
      LONG: undefined,
      MUTATED: mutation.package,
      EXCEPT_TESTS: mutation.exceptTests.join(),
      MUTATORS: pathToFileURL(join(modules, "instrumenter/dist/src/mutators/mutate.js")).href,
      SAMPLE: mutation.sample?.size.toString(),
      SEED: mutation.sample?.seed,
    },
  })
  if (status !== 0) throw new Error(`Stryker ended with ${status}`)
  const { files } = JSON.parse(readFileSync(join(root, temporary, "report.json"), "utf8")) as Report
  return Object.entries(files).flatMap(([fileName, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, fileName, original: textAt(source, mutant.location) })),
  )
}

/** The code at a location. Lines and columns count from 1. */
const textAt = (source: string, { start, end }: Judged["location"]): string => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join("\n")
}
