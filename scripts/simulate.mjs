// pnpm simulate --seeds 50000 --from 1: runs these seeds of the simulated world, and ends with 1 at the first that breaks a rule.
import { parseArgs } from "node:util"
import { describeFailure, shrink, simulate } from "@pixcharge/testkit/simulation"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "3000" },
    from: { type: "string", default: "1" },
    steps: { type: "string", default: "24" },
    hosts: { type: "string", default: "2" },
    history: { type: "boolean", default: false },
  },
})
const [seeds, from, steps, hosts] = [values.seeds, values.from, values.steps, values.hosts].map(Number)
const toldEvery = 1_000

const startedAt = performance.now()
for (let seed = from; seed < from + seeds; seed++) {
  const options = { seed, steps, hosts }
  const simulated = await simulate(options)
  if (values.history) console.log([...simulated.history, `trace ${simulated.traceHash}`].join("\n"))
  if (simulated.violations.length > 0) {
    console.error(describeFailure(seed, simulated, await shrink(options, simulated)))
    process.exit(1)
  }
  const done = seed - from + 1
  if (done % toldEvery === 0) {
    const each = (performance.now() - startedAt) / done
    console.log(`seeds ${from} to ${seed} hold (${each.toFixed(1)} ms each)`)
  }
}
console.log(`seeds ${from} to ${from + seeds - 1} hold`)
