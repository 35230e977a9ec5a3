import { randomInt } from "node:crypto"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { equivalents, withoutEquivalents } from "./equivalents.ts"
import { mutate } from "./mutate.ts"
import { killedShare, leastShare, survivorList, tables } from "./report.ts"
import { choose, sample } from "./sample.ts"
import { findSites } from "./Site.ts"
import { root } from "../world/root.ts"

const packages = ["core", "http", "store-postgres", "callback-fetch"]

const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "1000" },
    /** By default another each time. */
    seed: { type: "string", default: String(randomInt(1_000_000)) },
    package: { type: "string" },
    site: { type: "string" },
    operator: { type: "string" },
    /** Leaves out so many of the sample, which a run that was ended has judged. */
    after: { type: "string", default: "0" },
    /** Lists the sites alone. */
    list: { type: "boolean", default: false },
  },
})

const log = (text: string): void => void process.stdout.write(`${text}\n`)
const minuteMs = 60_000
let toldAt = 0
/** On a terminal in one line, else a line a minute. */
const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u{1B}[K${text}`)
  else if (performance.now() - toldAt >= minuteMs) {
    toldAt = performance.now()
    log(text)
  }
}

const sites = findSites(root, packages)
const eligible = choose(withoutEquivalents(sites, equivalents), values)
if (eligible.length === 0) throw new Error("There is no such site, or it is listed in equivalents.ts")
const chosen = sample(eligible, Number(values.sample), Number(values.seed)).slice(Number(values.after))
log(`${chosen.length} of ${sites.length} sites, seed ${values.seed}, ${equivalents.length} equivalent`)

if (values.list) {
  for (const { id, line } of chosen) log(`${line} ${id}`)
} else {
  const config = join(root, "vitest.mutation.ts")
  const judged = await mutate({ root, config, sites: chosen, log, progress })
  log(`\n${survivorList(judged)}\n\n${tables(judged)}`)
  const share = killedShare(judged)
  const least = leastShare(judged.length, values.site !== undefined)
  log(`\nkilled ${(100 * share).toFixed(1)} %, of ${judged.length} at least ${(100 * least).toFixed(1)} %`)
  process.exitCode = share >= least ? 0 : 1
}
