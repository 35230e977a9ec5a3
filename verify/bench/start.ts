import { execFileSync } from "node:child_process"
import { compareRounds, type Ratio } from "./compareRounds.ts"

const rounds = 9

const effectAlone = `await import("effect")`

const ours = `
const [{ createPix }, { memoryStore, memoryDirectory }, { sandboxProcessor }, { callbackFetch }] = await Promise.all([
  import("@pixcharge/embed"), import("@pixcharge/store-memory"),
  import("@pixcharge/processor-sandbox"), import("@pixcharge/callback-fetch"),
])
const pix = createPix({
  environment: "sandbox", store: memoryStore(), directory: memoryDirectory({ companies: [] }),
  processor: sandboxProcessor(), callbacks: callbackFetch(), tokens: { keys: [{ kid: "1", secret: "x".repeat(32) }] },
})
await pix.ready()`

/** Runs code in a new process. Returns the nanoseconds that the process itself measured. */
const measureOnce = (code: string): number => {
  const program = `const began = process.hrtime.bigint()\n${code}\nconsole.log(Number(process.hrtime.bigint() - began))\nprocess.exit()`
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: import.meta.dirname }))
}

/** Compares the start of a whole service with the import of Effect alone. */
export const startBench = async (): Promise<ReadonlyArray<Ratio>> => {
  const times = { ours: [] as Array<number>, effect: [] as Array<number> }
  for (let round = 0; round < rounds; round++) {
    times.effect.push(measureOnce(effectAlone))
    times.ours.push(measureOnce(ours))
  }
  return [
    {
      what: "import and start on the memory store",
      peer: "importing effect alone",
      ...compareRounds(times.ours, times.effect),
      goal: 1 / 1.5,
    },
  ]
}
