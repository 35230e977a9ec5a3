/**
 * The gate, after `pnpm install` and `tsc -b`: `pnpm test`; with `check` what needs no run of ours, with `long` what only
 * repeats. Steps of a group run beside each other, for most leave a core idle for much of their time; a group begins once the one before it has ended
 * well. The fuzz waits for answers by the clock: beside it runs only what is short.
 * Tests with a set-up wait for databases and browsers: beside them run those without, which compute.
 */
import { endAtSignals, runTogether } from "./runTogether.ts"
import { refuse } from "../world/commandLine.ts"

const vitest = "node_modules/vitest/vitest.mjs run --config vitest.workspace.ts"
const check = [
  "node_modules/oxlint/bin/oxlint",
  "node_modules/oxfmt/bin/oxfmt --check .",
  "node_modules/knip/bin/knip.js",
]

interface Gate {
  readonly groups: ReadonlyArray<ReadonlyArray<string>>
  /** After so long a step is ended. */
  readonly minutes: number
}

const gates: Readonly<Record<string, Gate>> = {
  check: { groups: [check], minutes: 30 },
  test: {
    groups: [
      [...check, "verify/dist/fuzz/main.js"],
      [
        "verify/dist/release/main.js check",
        "verify/dist/gate/checkGate.js",
        "verify/dist/simulate/main.js --seeds 200",
        `${vitest} --project *shared`,
        `${vitest} --project !*shared`,
      ],
    ],
    minutes: 30,
  },
  long: {
    groups: [
      ["verify/dist/simulate/main.js --seeds 10000", "verify/dist/fuzz/main.js --count 50000", vitest],
      ["verify/dist/mutate/main.js --package http,portal,store-memory,web --sample 60", "verify/dist/soak/main.js"],
    ],
    minutes: 40,
  },
}

const { groups, minutes } = gates[process.argv[2] ?? "test"] ?? refuse(`name one of ${Object.keys(gates).join(", ")}`)
endAtSignals()
for (const group of groups) if (!(await runTogether(group, { minutes }))) process.exit(1)
