import type { FileRun, Tests } from "./Tests.ts"

/** What is known of a test file from runs without any fault. */
interface KnownFile {
  readonly file: string
  readonly wallMs: number
  readonly tests: ReadonlyMap<string, number>
  /** The tests that come by a place; `""` for what no test does by itself. */
  readonly reachedBy: ReadonlyMap<number, ReadonlySet<string>>
}

export type Verdict =
  | { readonly _tag: "Killed"; readonly by: string }
  | { readonly _tag: "TimedOut"; readonly by: string }
  | { readonly _tag: "Survived"; readonly files: number }
  | { readonly _tag: "NotReached" }

/** Tests fail without any fault: nothing that they say counts. */
export class BrokenTests extends Error {}

const startMs = 60_000
const shortestPatienceMs = 5_000

const reachedBy = (runs: ReadonlyArray<FileRun>): KnownFile["reachedBy"] => {
  const places = new Map<number, Set<string>>()
  for (const { reached } of runs) {
    for (const [test, numbers] of Object.entries(reached)) {
      for (const number of numbers) places.set(number, (places.get(number) ?? new Set()).add(test))
    }
  }
  return places
}

/** Which tests are to be run for a place: all of them when it is reached outside of any. */
const testsFor = ({ tests, reachedBy: places }: KnownFile, number: number): ReadonlyArray<string> => {
  const reaching = places.get(number)
  if (reaching === undefined) return []
  return reaching.has("") ? [...tests.keys()] : [...reaching].filter((test) => tests.has(test))
}

const expectedMs = ({ wallMs, tests }: KnownFile, wanted: ReadonlyArray<string>): number => {
  const all = [...tests.values()].reduce((sum, ms) => sum + ms, 0)
  return wallMs - all + wanted.reduce((sum, id) => sum + (tests.get(id) ?? 0), 0)
}

/** Says of each fault whether the tests notice it, and of the tests whether that counts. */
export class Judge {
  readonly #tests: Tests
  readonly #known: Array<KnownFile> = []
  readonly #sound = new Set<string>()
  /** Files whose tests need those before them. */
  readonly #whole = new Set<string>()

  constructor(tests: Tests) {
    this.#tests = tests
  }

  /** Runs every test twice without any fault, and learns which come by which place. */
  async learn(progress: (text: string) => void): Promise<void> {
    const firstRuns = new Map<string, FileRun>()
    const { files } = this.#tests
    for (const [index, file] of files.entries()) {
      progress(`tests without a fault: ${index + 1} of ${files.length}, ${file}`)
      firstRuns.set(file, await this.#sane(file))
    }
    const reaching = [...firstRuns].filter(([, { reached }]) => Object.keys(reached).length > 0)
    for (const [index, [file, first]] of reaching.entries()) {
      progress(`once more: ${index + 1} of ${reaching.length}, ${file}`)
      const runs = [first, await this.#sane(file)]
      this.#known.push({
        file,
        wallMs: Math.min(...runs.map(({ wallMs }) => wallMs)),
        tests: new Map(runs.flatMap(({ passed }) => [...passed])),
        reachedBy: reachedBy(runs),
      })
    }
  }

  async #sane(file: string, tests?: ReadonlyArray<string>): Promise<FileRun> {
    const run = await this.#tests.run({ file, mutant: 0, patienceMs: startMs, ...(tests !== undefined && { tests }) })
    const [failure] = run.failed.values()
    if (run.hasHung) throw new BrokenTests(`${file} hangs without any fault`)
    if (failure !== undefined) throw new BrokenTests(`${file} fails without any fault: ${failure}`)
    return run
  }

  /** Whether a test passes by itself without any fault; asked once of each that fails with one. */
  async #isSound(file: string, tests: ReadonlyArray<string>): Promise<boolean> {
    const key = tests.length === 1 ? `${tests[0]}` : file
    if (this.#sound.has(key)) return true
    const run = await this.#tests.run({ file, tests, mutant: 0, patienceMs: startMs })
    if (run.failed.size > 0 || run.hasHung) return false
    this.#sound.add(key)
    return true
  }

  /** Whether tests notice a fault; `active` is another number when what is asked is whether they notice nothing. */
  async judge(number: number, active = number): Promise<Verdict> {
    const wanted = this.#known
      .map((known) => ({ known, tests: testsFor(known, number) }))
      .filter(({ tests }) => tests.length > 0)
      .map(({ known, tests }) => ({ known, tests, expected: expectedMs(known, tests) }))
      .toSorted((a, b) => a.expected - b.expected)
    if (wanted.length === 0) return { _tag: "NotReached" }
    for (const { known, tests } of wanted) {
      const verdict = await this.#try(known, tests, active)
      if (verdict !== undefined) return verdict
    }
    return { _tag: "Survived", files: wanted.length }
  }

  async #try(known: KnownFile, wanted: ReadonlyArray<string>, mutant: number): Promise<Verdict | undefined> {
    const { file } = known
    const tests = this.#whole.has(file) ? [...known.tests.keys()] : wanted
    const longest = Math.max(0, ...tests.map((id) => known.tests.get(id) ?? 0), expectedMs(known, []))
    const patienceMs = shortestPatienceMs + 4 * longest
    const run = await this.#tests.run({ file, tests, mutant, patienceMs })
    if (run.hasHung) {
      const again = await this.#tests.run({ file, tests, mutant, patienceMs })
      if (again.hasHung && (await this.#isSound(file, tests))) return { _tag: "TimedOut", by: file }
      if (again.failed.size === 0) return undefined
      return this.#confirm(known, wanted, mutant, again)
    }
    return run.failed.size === 0 ? undefined : this.#confirm(known, wanted, mutant, run)
  }

  /** A failure counts if the test passes without the fault, by itself too. */
  async #confirm(
    known: KnownFile,
    wanted: ReadonlyArray<string>,
    mutant: number,
    { failed }: FileRun,
  ): Promise<Verdict | undefined> {
    const { file } = known
    for (const [id, reason] of failed) {
      const isTest = known.tests.has(id)
      if (await this.#isSound(file, isTest ? [id] : wanted)) return { _tag: "Killed", by: `${file}: ${reason}` }
    }
    await this.#sane(file)
    if (this.#whole.has(file)) return undefined
    this.#whole.add(file)
    return this.#try(known, wanted, mutant)
  }
}
