/**
 * Runs the gate after `pnpm install` and `tsc -b`. `pnpm test` runs all of it; `check` runs the steps without our
 * programs; `long` repeats the random ones at length. The steps of a group run at the same time, because most leave a
 * core idle. A group begins once the previous one has succeeded, in the long run once it has ended. Only short steps
 * run together with the fuzz, because it has time limits. Tests with a set-up mostly wait for databases and browsers,
 * so the tests that compute run together with them. Tests that share nothing run last.
 */
import { readFileSync } from "node:fs"
import { refuse, tell } from "../world/commandLine.ts"
import { endAtSignals, runGroups } from "./runTogether.ts"

const vitest = "node_modules/vitest/vitest.mjs run --config vitest.workspace.ts"
const check = [
  "node_modules/oxlint/bin/oxlint",
  "node_modules/oxfmt/bin/oxfmt --check .",
  "node_modules/knip/bin/knip.js",
]
/** An edit seldom breaks what these steps prove, so only CI runs them. */
const inCi = ["verify/dist/release/main.js check", "verify/dist/gate/checkGate.js"]
const isCi = process.env["CI"] !== undefined

interface Gate {
  readonly groups: ReadonlyArray<ReadonlyArray<string>>
  /** The time limit of a step. */
  readonly minutes: number
  /** Runs all groups, even if one fails. */
  readonly goesOn?: boolean
}

const gates: Readonly<Record<string, Gate>> = {
  check: { groups: [check], minutes: 30 },
  test: {
    groups: [
      [...check, "verify/dist/fuzz/main.js"],
      [
        ...(isCi ? inCi : []),
        "verify/dist/simulate/main.js --chosen",
        "verify/dist/simulate/main.js --recurrences --seeds 5",
        `${vitest} --project shared`,
        `${vitest} --project !shared`,
      ],
    ],
    minutes: 60,
  },
  long: {
    groups: [
      [
        "verify/dist/simulate/main.js --seeds 10000",
        "verify/dist/simulate/main.js --recurrences --seeds 1000",
        "verify/dist/fuzz/main.js --count 50000",
        vitest,
      ],
      ["verify/dist/mutate/main.js --package http,portal,store-memory,web --sample 60", "verify/dist/soak/main.js"],
    ],
    minutes: 40,
    goesOn: true,
  },
}

/** Fields of `/proc/self/stat` after the name: user and system time of the process and of its ended children. */
const times = [11, 12, 13, 14]
/** The kernel's clock ticks a second, on every architecture that Node supports. */
const ticksPerSecond = 100

/**
 * The processor time of this process and of its ended children in seconds, as `time` counts it; "unknown" outside
 * Linux.
 */
const cpuSeconds = (): string => {
  if (process.platform !== "linux") return "unknown"
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? []
  const ticks = times.reduce((sum, field) => sum + Number(fields[field]), 0)
  return (ticks / ticksPerSecond).toFixed(1)
}

const name = process.argv[2] ?? "test"
const { groups, ...options } = gates[name] ?? refuse(`name one of ${Object.keys(gates).join(", ")}`)
endAtSignals()
process.once("exit", () =>
  tell(`The gate took ${cpuSeconds()} CPU seconds in ${(performance.now() / 1_000).toFixed(0)} s`),
)
if (!(await runGroups(groups, options))) process.exit(1)
if (name === "test" && !isCi) tell(["Left to CI, or to a run with CI=true:", ...inCi].join("\n  "))
