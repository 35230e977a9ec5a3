import { parseArgs } from "node:util"
import { refuse, wholeNumber } from "../world/commandLine.ts"

export const help = `pnpm simulate [options]
  --seeds N     how many seeds (3000)
  --from S      the first of them (1)
  --hosts N     processes at once (2)
  --steps N     how much is done in each run (24)
  --store FILE  a module whose default export is the Layer of a store, in place of the memory store
  --recurrences months of recurrences, in a world of their own
  --census      how many runs in a thousand reach each state
  --choose N    write the list of N seeds that reach the most states
  --chosen      the seeds of that list, and ten more by the commit's hash
  --history     one seed alone, with all that happens in it`

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "3000" },
    from: { type: "string", default: "1" },
    hosts: { type: "string", default: "2" },
    steps: { type: "string", default: "24" },
    store: { type: "string" },
    recurrences: { type: "boolean", default: false },
    census: { type: "boolean", default: false },
    choose: { type: "string" },
    chosen: { type: "boolean", default: false },
    history: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
})

export const { store: storeFile, recurrences: areRecurrences, history: isHistory, help: asksForHelp } = values
export const { census: showsCensus, chosen: areChosen } = values
export const choice = values.choose === undefined ? undefined : wholeNumber("choose", values.choose)

export const from = wholeNumber("from", values.from)
export const seeds = wholeNumber("seeds", values.seeds)
export const hosts = wholeNumber("hosts", values.hosts)
export const steps = wholeNumber("steps", values.steps)

/** Rates are noted for runs of this kind only. */
export const isUsual = storeFile === undefined && values.hosts === "2" && values.steps === "24" && !areRecurrences

/** Seeds have 32 bits. */
const lastSeed = 2 ** 32 - 1
if (from + seeds - 1 > lastSeed) refuse(`the last seed is ${lastSeed}: higher seeds repeat earlier runs`)
