import { join, relative } from "node:path"
import { createVitest, type Reporter, type TestModule, type TestSpecification, type Vitest } from "vitest/node"
import { KeptWorker, WorkerProcess } from "./KeptWorker.ts"
import { Mutants } from "./Mutants.ts"
import type { Called } from "./setup.ts"
import { type Mutant, switchesPlugin } from "./switches.ts"
import type { Usage } from "./Usage.ts"

/** What a run of one test file showed. */
export interface FileRun {
  readonly wallMs: number
  /** Those that passed, with what each took. */
  readonly passed: ReadonlyMap<string, number>
  /** The tests that failed; under the file's own id whatever failed outside of them. */
  readonly failed: ReadonlyMap<string, string>
  /** Nothing came from the worker for longer than it was given, and it was ended. */
  readonly hasHung: boolean
  /** Told of only when it is learned. */
  readonly called: Called | undefined
}

interface Wanted {
  readonly file: string
  /** By default all. */
  readonly tests?: ReadonlyArray<string>
  /** The fault that is switched on; 0 for none. */
  readonly mutant: number
  readonly isLearning?: boolean
  /** How long the worker may be silent. */
  readonly patienceMs: number
}

/** Tells of each sign of life. */
class Signs implements Reporter {
  seen: () => void = () => undefined
  onTestModuleQueued = (): void => this.seen()
  onTestModuleCollected = (): void => this.seen()
  onTestCaseReady = (): void => this.seen()
  onTestCaseResult = (): void => this.seen()
  onHookStart = (): void => this.seen()
  onHookEnd = (): void => this.seen()
}

const firstLine = (text: string | undefined): string => (text ?? "").split("\n")[0] ?? ""

/** A worker has run so many files that whatever they left behind is worth a fresh one. */
const filesPerWorker = 100

/** All test files, each run in the one worker with the fault that is asked for. */
export class Tests {
  readonly #vitest: Vitest
  readonly #worker: WorkerProcess
  readonly #signs: Signs
  readonly #files = new Map<string, TestSpecification>()
  #runs = 0

  private constructor(vitest: Vitest, worker: WorkerProcess, signs: Signs) {
    this.#vitest = vitest
    this.#worker = worker
    this.#signs = signs
  }

  static async open(root: string, config: string, mutants: ReadonlyArray<Mutant>, usage: Usage): Promise<Tests> {
    // The set-up of all tests is evaluated in this process, with no fault on.
    globalThis.__mutants = new Mutants()
    const worker = new WorkerProcess()
    const signs = new Signs()
    const vitest = await createVitest(
      "test",
      { config, root, watch: false, reporters: [signs], maxWorkers: 1, fileParallelism: false },
      {
        plugins: [switchesPlugin(root, mutants, usage)],
        test: {
          pool: { name: "kept", createPoolWorker: (options) => new KeptWorker(worker, options) },
          setupFiles: [join(import.meta.dirname, "setup.js")],
        },
      },
    )
    const tests = new Tests(vitest, worker, signs)
    for (const found of await vitest.globTestSpecifications()) tests.#files.set(relative(root, found.moduleId), found)
    return tests
  }

  get files(): ReadonlyArray<string> {
    return [...this.#files.keys()]
  }

  async run({ file, tests, mutant, patienceMs, isLearning = false }: Wanted): Promise<FileRun> {
    const whole = this.#files.get(file)
    if (whole === undefined) throw new Error(`There is no test file ${file}`)
    const { moduleId, project } = whole
    project.provide("mutant", mutant)
    project.provide("isLearning", isLearning)
    this.#runs += 1
    if (this.#runs % filesPerWorker === 0) await this.#worker.end()

    let hasHung = false
    let timer: NodeJS.Timeout | undefined
    this.#signs.seen = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        hasHung = true
        void this.#worker.end()
      }, patienceMs)
    }
    this.#signs.seen()
    const startedAt = performance.now()
    const wanted = tests === undefined ? whole : project.createSpecification(moduleId, { testIds: [...tests] })
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications([wanted])
    this.#signs.seen = () => undefined
    clearTimeout(timer)
    const wallMs = performance.now() - startedAt
    const module = testModules.find((one) => one.moduleId === moduleId)
    const failed = failures(module, unhandledErrors)
    // What went wrong beside the tests may go on.
    if (module === undefined || failed.has(module.id)) await this.#worker.end()
    return { wallMs, passed: passes(module), failed, hasHung, called: module?.meta().called }
  }

  async close(): Promise<void> {
    // It may be busy for ever, and Vitest would wait a minute for it to stop.
    await this.#worker.end()
    await this.#vitest.close()
    // Vitest has set it for tests that failed, as they were to.
    process.exitCode = undefined
  }
}

const passes = (module: TestModule | undefined): ReadonlyMap<string, number> =>
  new Map([...(module?.children.allTests("passed") ?? [])].map((test) => [test.id, test.diagnostic()?.duration ?? 0]))

const failures = (module: TestModule | undefined, unhandled: ReadonlyArray<unknown>): ReadonlyMap<string, string> => {
  const failed = new Map<string, string>()
  if (module === undefined) return failed.set("", "the file did not run")
  const suites = [module, ...module.children.allSuites()]
  for (const error of suites.flatMap((suite) => suite.errors())) failed.set(module.id, firstLine(error.message))
  for (const error of unhandled) failed.set(module.id, `unhandled: ${firstLine(String((error as Error).message))}`)
  for (const test of module.children.allTests("failed")) {
    const { errors = [] } = test.result()
    failed.set(test.id, `${test.fullName}: ${firstLine(errors[0]?.message)}`)
  }
  return failed
}
