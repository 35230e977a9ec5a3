/** A plugin of Stryker: it adds mutators for SQL, and a filter for the mutants of a sample. */
import { type Mutant, sample } from "./sample.ts"
import { sqlMutators } from "./sqlMutators.ts"

const { MUTATORS = "", SAMPLE = "", SEED = "" } = process.env

// Stryker has no other way to add mutators. This one works because Stryker's version is pinned.
const { allMutators } = (await import(MUTATORS)) as { readonly allMutators: Array<unknown> }
allMutators.push(...sqlMutators)

const checker = {
  init: async () => undefined,
  group: async (mutants: ReadonlyArray<Mutant>) => [mutants.map(({ id }) => id)],
  check: async (mutants: ReadonlyArray<Mutant>) => {
    const chosen = sample(mutants, Number(SAMPLE), SEED)
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        chosen.has(mutant) ? { status: "passed" } : { status: "compileError", reason: "not in the sample" },
      ]),
    )
  },
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", value: checker }]
