/**
 * Runs a host for minutes or hours under mixed load with faults. Exits with 1 after forbidden growth, or if a promised
 * result is missing at the end. `pnpm soak --help` lists the options.
 */
import { parseArgs } from "node:util"
import { refuse, tell } from "../world/commandLine.ts"
import { describeSample, describeSoak, findFlaws } from "./describeSoak.ts"
import { faultKinds } from "./faults.ts"
import { runSoak } from "./runSoak.ts"

const help = `pnpm soak [options]
  --minutes N     duration (4)
  --rate R        charges a second (4)
  --seed S        seed of the load (1)`

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "4" },
    rate: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
})

/** The value of a numeric option. Zero is refused, because the run would do nothing and seem to succeed. */
const number = (option: "minutes" | "rate" | "seed"): number => {
  const value = Number(values[option])
  return value > 0 && value < 1e6 ? value : refuse(`--${option} must be a number above 0, but is ${values[option]}`)
}

const soak = async (): Promise<void> => {
  const results = await runSoak({
    minutes: number("minutes"),
    rate: number("rate"),
    seed: Math.trunc(number("seed")),
    faults: faultKinds,
    onSample: (sample) => tell(describeSample(sample)),
  })
  tell(`\n${describeSoak(results)}\n`)
  for (const [message, times] of Object.entries(results.logged)) tell(`logged ${times} times: ${message}`)
  const flaws = findFlaws(results)
  if (flaws.length > 0) refuse(flaws.join("\n"))
  tell(`${results.checked} charges kept all promises, and no judged quantity grew`)
}

if (values.help) tell(help)
else await soak()
