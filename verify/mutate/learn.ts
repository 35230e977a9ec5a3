import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Called } from "./setup.ts"
import type { FileRun, Tests } from "./Tests.ts"
import { sourceFiles } from "./Usage.ts"

/** Tests fail without any fault: nothing that they say counts. */
export class BrokenTests extends Error {}

/** What is known of a test file from runs without any fault. */
export interface KnownFile {
  readonly file: string
  /** How long it takes besides its tests: to load, to set up and to clear away. */
  readonly besidesMs: number
  /** How long each test takes. */
  readonly tests: ReadonlyMap<string, number>
  /** The tests that call a function; `""` if it is called outside of any. */
  readonly callers: ReadonlyMap<number, ReadonlySet<string>>
  /** In the evaluation of which statements a function is called when modules are loaded. */
  readonly evaluations: ReadonlyMap<number, ReadonlySet<number>>
}

/** As it is kept in a file. */
interface Record {
  readonly besidesMs: number
  readonly tests: ReadonlyArray<readonly [string, number]>
  readonly called: ReadonlyArray<Called>
}

/** A file without a sign of life for longer hangs. */
const patienceMs = 120_000

const inverted = <K>(lists: Iterable<readonly [K, ReadonlyArray<number>]>): ReadonlyMap<number, ReadonlySet<K>> => {
  const sets = new Map<number, Set<K>>()
  for (const [key, numbers] of lists) {
    for (const number of numbers) sets.set(number, (sets.get(number) ?? new Set()).add(key))
  }
  return sets
}

const toKnown = (file: string, { besidesMs, tests, called }: Record): KnownFile => ({
  file,
  besidesMs,
  tests: new Map(tests),
  callers: inverted([
    ...called.flatMap((one) => one.tests),
    // What a test file itself calls when it is loaded may be for any of its tests.
    ...called
      .flatMap(({ loading }) => loading.filter(([top]) => top === 0))
      .map(([, numbers]) => ["", numbers] as const),
  ]),
  evaluations: inverted(called.flatMap(({ loading }) => loading.filter(([top]) => top !== 0))),
})

/** Runs tests without any fault, in which none may fail. */
const runSound = async (tests: Tests, file: string): Promise<FileRun> => {
  const run = await tests.run({ file, mutant: 0, isLearning: true, patienceMs })
  const [failure] = run.failed.values()
  if (run.hasHung) throw new BrokenTests(`${file} hangs without any fault`)
  if (failure !== undefined) throw new BrokenTests(`${file} fails without any fault: ${failure}`)
  return run
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0)

/** Twice: a test that fails every now and then must not count as a kill. */
const learnFile = async (tests: Tests, file: string): Promise<Record> => {
  const runs = [await runSound(tests, file), await runSound(tests, file)]
  return {
    besidesMs: Math.min(...runs.map(({ wallMs, passed }) => wallMs - sum(passed.values()))),
    tests: runs.flatMap(({ passed }) => [...passed]),
    called: runs.flatMap(({ called }) => called ?? []),
  }
}

const digest = (root: string, files: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const file of files)
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(root, file)))
      .update("\0")
  return hash.digest("hex")
}

/**
 * Runs every test file twice without any fault, and learns which test calls which function; each of `runners` takes the next file
 * as long as there is one. What was learned is kept until a source, a helper of tests or the test file itself changes.
 */
export const learn = async (
  root: string,
  runners: readonly [Tests, ...ReadonlyArray<Tests>],
  progress: (text: string) => void,
): Promise<ReadonlyArray<KnownFile>> => {
  const shared = createHash("sha256")
    .update(
      digest(import.meta.dirname, ["instrument.js", "Mutants.js", "setup.js", "Source.js", "Usage.js", "worker.js"]),
    )
    .update(digest(root, ["pnpm-lock.yaml", ...sourceFiles(root).filter((file) => !file.endsWith(".test.ts"))]))
    .digest("hex")
  const cache = join(root, "node_modules/.cache/mutation")
  const folder = join(cache, shared)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(cache)) if (name !== shared) rmSync(join(cache, name), { recursive: true })
  const files = runners[0].files.map((file) => ({ file, path: join(folder, `${digest(root, [file])}.json`) }))
  const unknown = files.filter(({ path }) => !existsSync(path))
  const count = unknown.length
  const learnNext = async (tests: Tests): Promise<void> => {
    for (let one = unknown.shift(); one !== undefined; one = unknown.shift()) {
      progress(`without a fault: ${count - unknown.length} of ${count}, ${one.file}`)
      writeFileSync(one.path, JSON.stringify(await learnFile(tests, one.file)))
    }
  }
  await Promise.all(runners.map(learnNext))
  return files.map(({ file, path }) => toKnown(file, JSON.parse(readFileSync(path, "utf8")) as Record))
}
