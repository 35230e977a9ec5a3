import { existsSync } from "node:fs"
import { defineConfig, mergeConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { project } from "../../vitest.workspace.ts"

const { MUTATED = "", EXCEPT_TESTS = "" } = process.env
const globalSetup = `${import.meta.dirname}/../../packages/${MUTATED}/test/globalSetup.ts`
const except = EXCEPT_TESTS.split(",").flatMap((name) => (name === "" ? [] : [`**/${name}`]))

/** The first failing test ends a run, so the shortest tests run first. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own order, in a new array
    return (await super.sort(files)).toReversed()
  }
}

/** Runs a package's tests as one project without isolation, so a worker loads every module once per mutant. */
export default mergeConfig(
  defineConfig({ test: { sequence: { sequencer: ShortestFirst } } }),
  project({
    name: "mutants",
    include: [`packages/${MUTATED}/test/**/*.test.ts`],
    // These tests need their own worker or a cluster.
    exclude: ["**/test/alone/**", "**/test/cluster/**", ...except],
    globalSetup: existsSync(globalSetup) ? globalSetup : undefined,
  }),
)
