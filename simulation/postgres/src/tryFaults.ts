import { Laboratory } from "./Laboratory.ts"
import { simulatePostgres } from "./simulatePostgres.ts"
import { sqlFaults } from "./sqlFaults.ts"
const [from = 0, to = 99, most = 15] = process.argv.slice(2).map(Number)
const laboratory = await Laboratory.open()
for (const [name, fault] of Object.entries(sqlFaults).slice(from, to)) {
  const t = performance.now()
  let found: string | undefined
  let seed = 0
  while (found === undefined && seed < most) {
    const r = await simulatePostgres({ seed: ++seed, laboratory, fault })
    if (r.violations.length) found = JSON.stringify(r.violations.slice(0, 2))
  }
  console.log(name, "|", found === undefined ? "NOT FOUND" : `after ${seed}`, Math.round((performance.now() - t) / seed), found ?? "")
}
await laboratory.close()
process.exit(0)
