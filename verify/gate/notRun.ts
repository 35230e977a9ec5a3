import { relative } from "node:path"
import { groupBy } from "../chaos/judge/groupBy.ts"
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node"

const plural = (count: number): string => `${count} ${count === 1 ? "test" : "tests"}`

const reasonFor = (test: TestCase): string | undefined =>
  test.project.config.tags.find(({ name, skip }) => skip === true && test.tags.includes(name))?.description

/** Lists and counts skipped tests. A skipped test without a tag that gives the reason fails the run. */
export class NotRun implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    // A run of tests by name skips all other tests.
    if (this.#vitest?.config.testNamePattern !== undefined) return
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")])
    for (const [reason, tests] of groupBy(skipped, reasonFor)) {
      if (reason === undefined) this.#refuse(tests)
      else this.#list(reason, tests)
    }
  }

  #list(reason: string, tests: ReadonlyArray<TestCase>): void {
    const files = groupBy(tests, ({ module }) => relative("", module.moduleId))
    const lines = [...files].map(([file, { length }]) => `${String(length).padStart(6)}  ${file}`)
    this.#vitest?.logger.log([`Not run, because ${reason}: ${plural(tests.length)}`, ...lines, ""].join("\n"))
  }

  #refuse(tests: ReadonlyArray<TestCase>): void {
    const lines = tests.map((test) => `  ${relative("", test.module.moduleId)} > ${test.fullName}`)
    this.#vitest?.logger.error([`Skipped without a tag that says why: ${plural(tests.length)}`, ...lines].join("\n"))
    process.exitCode = 1
  }
}
