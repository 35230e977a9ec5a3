/**
 * Runs a host for minutes or hours under mixed load with faults, and ends with 1 if anything grew that must not, or if anything
 * that was promised isn't there in the end. `pnpm soak --help` lists the options.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { refuse, tell } from "../world/commandLine.ts"
import { root } from "../world/root.ts"
import { run } from "../world/run.ts"
import { describeSample, flawsOf, judgementTable, quantileTable, writeSection } from "./draw/describeSoak.ts"
import { drawSoak } from "./draw/drawSoak.ts"
import { faultKinds } from "./faults.ts"
import { judge } from "./judge/judge.ts"
import { runSoak } from "./runSoak.ts"
import type { SoakResults } from "./SoakResults.ts"

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

/** The value of an option that counts. With any other than a number above zero nothing would run, and all would seem to hold. */
const number = (option: "minutes" | "rate" | "seed"): number => {
  const value = Number(values[option])
  return value > 0 && value < 1e6 ? value : refuse(`--${option} must be a number above 0, and is ${values[option]}`)
}

/** Says what a run has found, and ends with 1 unless all holds. */
const report = (results: SoakResults): void => {
  tell(`\n${quantileTable(results)}\n\n${judgementTable(judge(results.samples))}\n`)
  for (const [message, times] of Object.entries(results.logged)) tell(`logged ${times} times: ${message}`)
  const flaws = flawsOf(results)
  if (flaws.length > 0) refuse(flaws.join("\n"))
  tell(`${results.checked} charges are as they must be, and nothing grew that must not`)
}

const soak = async (): Promise<void> => {
  const results = await runSoak({
    minutes: number("minutes"),
    rate: number("rate"),
    seed: Math.trunc(number("seed")),
    faults: faultKinds,
    onSample: (sample) => tell(describeSample(sample)),
  })
  if (values.results !== undefined) writeFileSync(values.results, JSON.stringify(results))
  report(results)
}

const draw = async (file: string): Promise<void> => {
  const results = JSON.parse(readFileSync(file, "utf8")) as SoakResults
  writeFileSync(join(root, "docs/soak.svg"), drawSoak(results))
  const page = join(root, "docs/benchmarks.md")
  writeFileSync(page, writeSection(readFileSync(page, "utf8"), results))
  await run(process.execPath, ["node_modules/oxfmt/bin/oxfmt", page])
  report(results)
}

if (values.help) tell(help)
else if (values.draw !== undefined) await draw(values.draw)
else await soak()
