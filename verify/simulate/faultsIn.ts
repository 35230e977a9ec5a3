import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "../world/root.ts"

/**
 * Collects the faults from `file` in each package's `test/faults`, with the package's name. The last package comes
 * first.
 */
export const faultsIn = async <A>(file: string): Promise<ReadonlyArray<A & { readonly name: string }>> => {
  const found = readdirSync(join(root, "packages"))
    .toReversed()
    .map(async (name) => {
      const path = join(root, "packages", name, "test/faults", file)
      if (!existsSync(path)) return []
      const { faults } = (await import(path)) as { readonly faults: ReadonlyArray<A> }
      return faults.map((fault) => ({ ...fault, name }))
    })
  return (await Promise.all(found)).flat()
}
