import { execFileSync } from "node:child_process"
import { median } from "../world/quantile.ts"
import { alternate } from "./alternate.ts"
import { compareRounds, type Ratio } from "./compareRounds.ts"

const rounds = 15

const started = `
const [{ createPix }, { memoryStore, memoryDirectory }, { sandboxProcessor }, { callbackFetch }] = await Promise.all([
  import("@pixcharge/embed"), import("@pixcharge/store-memory"),
  import("@pixcharge/processor-sandbox"), import("@pixcharge/callback-fetch"),
])
const pix = createPix({
  environment: "sandbox", store: memoryStore(), directory: memoryDirectory({ companies: [] }),
  processor: sandboxProcessor(), callbacks: callbackFetch(), tokens: { keys: [{ kid: "1", secret: "x".repeat(32) }] },
})
await pix.ready()`

const programs = [
  { what: "import @pixcharge/embed", code: `await import("@pixcharge/embed")`, goal: 1 / 1.25 },
  { what: "import @pixcharge/express", code: `await import("@pixcharge/express")`, goal: 5 },
  { what: "import and start on the memory store", code: started, goal: 1 / 1.5 },
]

/** Runs code in a new process. Returns its processor time in microseconds. */
const measureOnce = (code: string): number => {
  const program = `const began = process.cpuUsage()
${code}
const { user, system } = process.cpuUsage(began)
console.log(user + system)
process.exit()`
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: import.meta.dirname }))
}

/** Compares imports, and the start of a whole service, with the import of Effect alone. */
export const startBench = async (): Promise<ReadonlyArray<Ratio>> => {
  const codes = [`await import("effect")`, ...programs.map(({ code }) => code)]
  const [effect = [], ...others] = await alternate(codes, { rounds }, measureOnce)
  return programs.map(({ what, goal }, index) => {
    const times = others[index] ?? []
    const costs = [[median(times), median(effect)]]
    return { what, peer: "importing effect alone", ...compareRounds(times, effect), costs, goal }
  })
}
