import { createHash } from "node:crypto"
import { relative } from "node:path"
import { root } from "../world/root.ts"

export interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly mutatorName: string
  readonly replacement?: string
  readonly location: { readonly start: { readonly line: number; readonly column: number } }
}

const rank = (seed: string, { fileName, mutatorName, replacement, location: { start } }: Mutant): string =>
  createHash("sha256")
    .update([seed, relative(root, fileName), start.line, start.column, mutatorName, replacement].join(" "))
    .digest("hex")

/** Chooses this many mutants with equal probability. A seed always chooses the same mutants. */
export const sample = <M extends Mutant>(mutants: ReadonlyArray<M>, size: number, seed: string): ReadonlySet<M> => {
  const ranks = new Map(mutants.map((mutant) => [rank(seed, mutant), mutant]))
  return new Set(
    [...ranks]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, size)
      .map(([, mutant]) => mutant),
  )
}
