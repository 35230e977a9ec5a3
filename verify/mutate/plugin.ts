/** What Stryker loads into its processes: the faults of SQL, and what leaves out all mutants but those of a sample. */
import { type Mutant, sample } from "./sample.ts"
import { sqlMutators } from "./sqlMutators.ts"

const { MUTATORS = "", SAMPLE = "", SEED = "" } = process.env

// Stryker has no other way to be given mutators; its version is pinned.
const { allMutators } = (await import(MUTATORS)) as { readonly allMutators: Array<unknown> }
allMutators.push(...sqlMutators)

/** What Stryker asks of each mutant before it runs it. */
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
