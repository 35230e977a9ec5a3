import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** In the order in which they begin. */
const longest: ReadonlyArray<string> = [
  "packages/store-postgres/test/pglite.test.ts",
  "verify/chaos/test/failover.test.ts",
]

/** Has the files begin first whose tests take minutes in the long runs: the whole run would wait for one that begins last. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.indexOf(relative(this.ctx.config.root, moduleId))
      return found < 0 ? longest.length : found
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own order, in a new array
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => place(a) - place(b))
  }
}
