import { afterAll, afterEach, beforeAll, beforeEach, inject, type RunnerTestCase, type RunnerTestFile } from "vitest"

/** Which functions a test file called. */
export interface Called {
  /** By each test; under `""` outside of any. */
  readonly tests: ReadonlyArray<readonly [string, ReadonlyArray<number>]>
  /** In the evaluation of each statement when modules were loaded; under 0 by the test file itself. */
  readonly loading: ReadonlyArray<readonly [number, ReadonlyArray<number>]>
}

declare module "vitest" {
  export interface ProvidedContext {
    /** The fault that is switched on. */
    mutant: number
    /** Whether the functions called are to be told of, which takes a while. */
    isLearning: boolean
  }
  interface TaskMeta {
    called?: Called
  }
}

const mutants = globalThis.__mutants
const isLearning = inject("isLearning")
const tests = new Map<string, Set<number>>()
let loading: ReadonlyMap<number, ReadonlySet<number>> = new Map()
let hasFailed = false
let last: RunnerTestCase | undefined
let file: RunnerTestFile | undefined

const plain = <K>(sets: ReadonlyMap<K, ReadonlySet<number>>): ReadonlyArray<readonly [K, ReadonlyArray<number>]> =>
  Array.from(sets, ([key, numbers]) => [key, [...numbers]])

const record = (id: string): void => {
  const known = tests.get(id) ?? new Set()
  for (const number of mutants.take()) known.add(number)
  tests.set(id, known)
}

mutants.beginLoading(inject("mutant"))

beforeAll(() => {
  loading = mutants.endLoading()
})

beforeEach(({ task, skip }) => {
  if (hasFailed) skip()
  // What a test leaves to its end, it still does before the next of its suite; another suite may set up something.
  record(last !== undefined && last.suite === task.suite && task.concurrent !== true ? last.id : "")
  last = task
  file = task.file
})

afterEach(({ task }) => {
  record(task.concurrent === true ? "" : task.id)
  if (task.result?.state === "fail") hasFailed = true
})

afterAll(() => {
  record("")
  if (isLearning && file !== undefined) file.meta.called = { tests: plain(tests), loading: plain(loading) }
})
