import { Laboratory } from "./Laboratory.ts"
import { simulatePostgres } from "./simulatePostgres.ts"
const [from = 1, count = 1, verbose = 0] = process.argv.slice(2).map(Number)
const laboratory = await Laboratory.open()
const fault = process.env["FAULT"] === undefined ? {} : { fault: JSON.parse(process.env["FAULT"]) }
const kills = new Map<string, number>()
let found = 0
for (let seed = from; seed < from + count; seed++) {
  const t = performance.now()
  const r = await simulatePostgres({ seed, laboratory, ...fault })
  for (const [k, n] of r.kills) kills.set(k, (kills.get(k) ?? 0) + n)
  console.log(seed, Math.round(performance.now() - t), r.history.length, r.incidents.size, JSON.stringify([...r.kills]), JSON.stringify(r.violations))
  if (verbose > 1 || (verbose && r.violations.length)) console.log(r.history.join("\n"))
  if (r.violations.length && process.env["FAULT"] && ++found >= 1) break
}
console.log([...kills])
await laboratory.close()
process.exit(0)
