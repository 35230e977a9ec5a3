import { BrokenTests, type KnownFile } from "./learn.ts"
import type { Mutant } from "./switches.ts"
import type { FileRun, Tests } from "./Tests.ts"
import type { Usage } from "./Usage.ts"

export type Verdict =
  | { readonly _tag: "Killed"; readonly by: string }
  | { readonly _tag: "TimedOut"; readonly by: string }
  | { readonly _tag: "Survived"; readonly tests: number }

interface Wanted {
  readonly known: KnownFile
  readonly tests: ReadonlyArray<string>
  readonly expectedMs: number
}

/** No test is silent for so long, nor for so many times what it takes without a fault. */
const shortestPatienceMs = 5_000
const slowerAtMost = 4
const longestPatienceMs = 60_000

const patienceMs = (usualMs: number): number => shortestPatienceMs + slowerAtMost * usualMs

/** Whether something failed, but no test. */
const isBesideTests = ({ tests }: KnownFile, { failed }: FileRun): boolean =>
  failed.size > 0 && ![...failed.keys()].some((id) => tests.has(id))

const msOf = ({ tests }: KnownFile, wanted: ReadonlyArray<string>): ReadonlyArray<number> =>
  wanted.map((id) => tests.get(id) ?? 0)

/** Says of each fault whether the tests notice it, and of the tests whether that counts. */
export class Judge {
  readonly #tests: Tests
  readonly #usage: Usage
  readonly #files: ReadonlyArray<KnownFile>
  readonly #sound = new Set<string>()
  /** Files whose tests need those before them. */
  readonly #whole = new Set<string>()

  constructor(tests: Tests, usage: Usage, files: ReadonlyArray<KnownFile>) {
    this.#tests = tests
    this.#usage = usage
    this.#files = files
  }

  /** Whether tests notice a fault. */
  judge(mutant: Mutant): Promise<Verdict> {
    return this.#judge(mutant, mutant.number)
  }

  /** Runs the tests of a fault without it. */
  async control(mutant: Mutant): Promise<void> {
    const verdict = await this.#judge(mutant, 0)
    if (verdict._tag !== "Survived") throw new BrokenTests(`without any fault, ${verdict._tag}: ${verdict.by}`)
  }

  async #judge({ site }: Mutant, active: number): Promise<Verdict> {
    const place = this.#usage.placeOf(site.file, site.fault.host)
    const wanted = this.#testsOf(place)
    for (const one of wanted) {
      const verdict = await this.#try(one, active)
      if (verdict !== undefined) return verdict
    }
    return { _tag: "Survived", tests: wanted.reduce((total, { tests }) => total + tests.length, 0) }
  }

  #evaluations(called: number): ReadonlySet<number> {
    return new Set(this.#files.flatMap(({ evaluations }) => [...(evaluations.get(called) ?? [])]))
  }

  /**
   * The tests that call a function, and those that use what it made, or what a statement made, when modules were loaded;
   * those first that take the shortest.
   */
  #testsOf({ number, isTop }: { readonly number: number; readonly isTop: boolean }): ReadonlyArray<Wanted> {
    const made = isTop ? [number] : this.#evaluations(number)
    const users = this.#usage.usersOf(made, (caller) => this.#evaluations(caller))
    const functions = [...(isTop ? [] : [number]), ...users.functions]
    return this.#files
      .map((known): Wanted => {
        const callers = new Set(functions.flatMap((called) => [...(known.callers.get(called) ?? [])]))
        const isWhole = users.files.has(known.file) || callers.has("")
        const tests = isWhole ? [...known.tests.keys()] : [...callers].filter((id) => known.tests.has(id))
        return { known, tests, expectedMs: msOf(known, tests).reduce((total, ms) => total + ms, known.besidesMs) }
      })
      .filter(({ tests }) => tests.length > 0)
      .toSorted((a, b) => a.expectedMs - b.expectedMs)
  }

  async #try(wanted: Wanted, mutant: number): Promise<Verdict | undefined> {
    const { known } = wanted
    const { file } = known
    const tests = this.#whole.has(file) ? [...known.tests.keys()] : wanted.tests
    const usualMs = Math.max(known.besidesMs, ...msOf(known, tests))
    const request = { file, tests, mutant, patienceMs: patienceMs(usualMs) }
    let run = await this.#tests.run(request)
    if (run.hasHung) {
      // Other work on the machine may have been the cause: what counts is what the tests take now without the fault.
      const sound = await this.#tests.run({ ...request, mutant: 0, patienceMs: longestPatienceMs })
      run = await this.#tests.run({ ...request, patienceMs: patienceMs(Math.max(usualMs, sound.wallMs)) })
      if (run.hasHung && !sound.hasHung) return { _tag: "TimedOut", by: file }
    }
    // What another fault has left behind may have been the cause; now the worker is fresh.
    if (isBesideTests(known, run)) run = await this.#tests.run(request)
    // The fault has changed what tests there are.
    if (run.failed.size === 0 && run.passed.size < tests.length)
      run = await this.#tests.run({ file, mutant, patienceMs: request.patienceMs })
    return run.failed.size === 0 ? undefined : this.#confirm(wanted, mutant, run)
  }

  /** A failure counts if the test passes without the fault by itself. */
  async #confirm(wanted: Wanted, mutant: number, { failed }: FileRun): Promise<Verdict | undefined> {
    const { file, tests: known } = wanted.known
    for (const [id, reason] of failed) {
      if (await this.#passes(file, known.has(id) ? [id] : wanted.tests)) {
        return { _tag: "Killed", by: `${file}: ${reason}` }
      }
    }
    if (!(await this.#passes(file, [...known.keys()]))) throw new BrokenTests(`${file} fails without any fault`)
    if (this.#whole.has(file)) return undefined
    this.#whole.add(file)
    return this.#try(wanted, mutant)
  }

  /** Whether tests pass without any fault, at the second try if something else kept the machine busy; asked once of each. */
  async #passes(file: string, tests: ReadonlyArray<string>): Promise<boolean> {
    const key = tests.length === 1 ? `${tests[0]}` : file
    for (let tries = 0; tries < 2 && !this.#sound.has(key); tries++) {
      const { failed, hasHung } = await this.#tests.run({ file, tests, mutant: 0, patienceMs: longestPatienceMs })
      if (failed.size === 0 && !hasHung) this.#sound.add(key)
    }
    return this.#sound.has(key)
  }
}
