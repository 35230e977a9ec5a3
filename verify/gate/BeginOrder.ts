import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Projects whose tests mostly wait begin first. Projects that need the processor for themselves begin last. */
const projects: ReadonlyArray<string> = ["chaos", "store-postgres", "store-citus", "browser", "shared", "unshared"]

/**
 * Test files that take minutes in long runs. They begin early, because the whole run would wait if one of them began
 * last.
 */
const slowFiles = new Set([
  "packages/store-postgres/test/pglite.test.ts",
  "packages/store-postgres/test/lockedRows.test.ts",
  "packages/store-citus/test/router/owedSettlements.test.ts",
  "verify/chaos/test/failover.test.ts",
  "verify/soak/test/plantedLeaks.test.ts",
  "packages/callback-fetch/test/contract.test.ts",
  "packages/checkout/test/browser/page.test.ts",
  "packages/checkout/test/hub.test.ts",
  "verify/simulate/test/alone/plantedFaults.test.ts",
])

export class BeginOrder extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const isLong = slowFiles.has(relative(this.ctx.config.root, moduleId))
      return 2 * projects.indexOf(project.name) + (isLong ? 0 : 1)
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own order, in a new array
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => place(a) - place(b))
  }
}
