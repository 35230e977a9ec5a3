/**
 * Runs a host for minutes or hours under mixed load with faults, and ends with 1 if anything grew that must not, or if anything
 * that was promised isn't there in the end. `pnpm soak --help` lists the options.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
const help = `pnpm soak [options]
  --minutes N     how long (4)
  --rate R        charges a second (4)
  --seed S        what the load follows from (1)
  --results FILE  keeps all that was measured there, as JSON
  --draw FILE     runs nothing, and writes such results into docs/soak.svg and docs/benchmarks.md`

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "4" },
    rate: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
    results: { type: "string" },
    draw: { type: "string" },
    help: { type: "boolean", default: false },
  },
})

const { describeSample, drawSoak, faultKinds, flawsOf, judge, judgementTable, quantileTable, runSoak, writeSection } =
  await import(new URL("../soak/dist/index.js", import.meta.url).href)

/** The value of an option that counts. With any other than a number above zero nothing would run, and all would seem to hold. */
const number = (option) => {
  const value = Number(values[option])
  if (value > 0 && value < 1e6) return value
  console.error(`--${option} must be a number above 0, and is ${values[option]}`)
  process.exit(1)
}

/** Says what a run has found; whether all holds. */
const report = (results) => {
  console.log(`\n${quantileTable(results)}\n\n${judgementTable(judge(results.samples))}\n`)
  for (const [message, times] of Object.entries(results.logged)) console.log(`logged ${times} times: ${message}`)
  const flaws = flawsOf(results)
  for (const flaw of flaws) console.error(flaw)
  if (flaws.length === 0) console.log(`${results.checked} charges are as they must be, and nothing grew that must not`)
  return flaws.length === 0
}

const run = async () => {
  const results = await runSoak({
    minutes: number("minutes"),
    rate: number("rate"),
    seed: Math.trunc(number("seed")),
    faults: faultKinds,
    onSample: (sample) => console.log(describeSample(sample)),
  })
  if (values.results !== undefined) writeFileSync(values.results, JSON.stringify(results))
  if (!report(results)) process.exitCode = 1
}

const draw = (file) => {
  const results = JSON.parse(readFileSync(file, "utf8"))
  const docs = join(import.meta.dirname, "../docs")
  writeFileSync(join(docs, "soak.svg"), drawSoak(results))
  const page = join(docs, "benchmarks.md")
  writeFileSync(page, writeSection(readFileSync(page, "utf8"), results))
  execFileSync(process.execPath, [join(docs, "../node_modules/oxfmt/bin/oxfmt"), page])
  if (!report(results)) process.exitCode = 1
}

if (values.help) console.log(help)
else if (values.draw !== undefined) draw(values.draw)
else await run()
