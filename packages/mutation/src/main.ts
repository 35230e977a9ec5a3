import { randomInt } from "node:crypto"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { equivalents } from "./equivalents.ts"
import { Judge } from "./Judge.ts"
import { learn } from "./learn.ts"
import { isKilled, type Judged, survivorList, survivorText, tables } from "./report.ts"
import { sample } from "./sample.ts"
import { findSites, type Site } from "./Site.ts"
import type { Mutant } from "./switches.ts"
import { Tests } from "./Tests.ts"
import { Usage } from "./Usage.ts"

const root = join(import.meta.dirname, "../../..")
const packages = ["core", "http", "store-postgres", "callback-fetch"]
const wantedShare = 0.9
const mutantsBetweenControls = 100

const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "1000" },
    seed: { type: "string" },
    package: { type: "string" },
    site: { type: "string" },
    list: { type: "boolean", default: false },
  },
})

const sites = findSites(root, packages)
const ids = new Set(sites.map(({ id }) => id))
const stale = equivalents.filter(({ site }) => !ids.has(site))
if (stale.length > 0) throw new Error(`These equivalents name no site:\n${stale.map(({ site }) => site).join("\n")}`)

const equivalentIds = new Set(equivalents.map(({ site }) => site))
const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed)
const eligible = sites.filter(
  ({ owner, id }) => !equivalentIds.has(id) && (values.package === undefined || owner === values.package),
)
const chosen: ReadonlyArray<Site> =
  values.site === undefined
    ? sample(eligible, Number(values.sample), seed)
    : eligible.filter(({ id, file, line }) => id === values.site || `${file}:${line}` === values.site)

const log = (text: string): void => void process.stdout.write(`${text}\n`)

if (values.list) {
  for (const { id, line } of chosen) log(`${line} ${id}`)
  log(`${chosen.length} of ${sites.length} sites`)
  process.exit(0)
}

const progress = (text: string): void =>
  void process.stderr.write(process.stderr.isTTY ? `\r\x1B[K${text}` : `${text}\n`)

log(`${chosen.length} of ${sites.length} sites, seed ${seed}`)
const mutants: ReadonlyArray<Mutant> = chosen.map((site, index) => ({ number: index + 1, site }))
const usage = new Usage(root)
const tests = await Tests.open(root, join(root, "vitest.mutation.ts"), mutants, usage)
const judged: Array<Judged> = []
try {
  const judge = new Judge(tests, usage, await learn(root, tests, progress))
  const startedAt = performance.now()
  for (const mutant of mutants) {
    const { number, site } = mutant
    if (number % mutantsBetweenControls === 1) await judge.control(mutant)
    const verdict = await judge.judge(mutant)
    const one = { site, verdict }
    judged.push(one)
    const seconds = (performance.now() - startedAt) / 1_000
    progress(
      `${number} of ${mutants.length}, ${(seconds / number).toFixed(1)} s each, ${judged.filter(isKilled).length} killed: ${verdict._tag} ${"by" in verdict ? verdict.by.slice(0, 120) : ""}`,
    )
    if (!isKilled(one)) log(survivorText(one))
  }
} finally {
  await tests.close()
}

log(`\n${survivorList(judged)}\n\n${tables(judged)}\n`)
const share = judged.filter(isKilled).length / judged.length
process.exit(share >= wantedShare ? 0 : 1)
