import { afterAll, afterEach, beforeEach, inject, type RunnerTestCase, type RunnerTestFile } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** The fault that is switched on. */
    mutant: number
  }
  interface TaskMeta {
    /** Of a test file: the places that each test came by, and under `""` those come by outside of any test. */
    reached?: Readonly<Record<string, ReadonlyArray<number>>>
  }
}

const mutants = globalThis.__mutants
const reached = new Map<string, Set<number>>()
let hasFailed = false
let last: RunnerTestCase | undefined
let file: RunnerTestFile | undefined

const record = (id: string): void => {
  const known = reached.get(id) ?? new Set()
  for (const number of mutants.take()) known.add(number)
  reached.set(id, known)
}

mutants.take()
mutants.active = inject("mutant")

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
  if (file !== undefined) {
    file.meta.reached = Object.fromEntries([...reached].map(([id, numbers]) => [id, [...numbers]]))
  }
})
