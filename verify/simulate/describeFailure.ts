import type { Shrunk } from "./shrink.ts"
import type { Simulated, SimulationOptions } from "./SimulationOptions.ts"

const listLines = (values: Iterable<unknown>): ReadonlyArray<string> =>
  [...values].map((value) => `    ${JSON.stringify(value)},`)

/** The code that replays a run in a test. It refers to a store or processor under test as `store` or `processor`. */
const replayingCall = ({ seed, hosts, store, processor, plan = [], muted = new Set() }: SimulationOptions) => [
  "await simulate({",
  `  seed: ${seed},`,
  ...(hosts === undefined ? [] : [`  hosts: ${hosts},`]),
  ...(store === undefined ? [] : ["  store,"]),
  ...(processor === undefined ? [] : ["  processor,"]),
  "  plan: [",
  ...listLines(plan),
  "  ],",
  ...(muted.size === 0 ? [] : ["  muted: new Set([", ...listLines(muted), "  ]),"]),
  "})",
]

export const describeFailure = (seed: number, failed: Simulated, { options, ...shrunk }: Shrunk): string =>
  [
    `Seed ${seed} (trace ${failed.traceHash}) breaks ${failed.violations.map(({ rule }) => rule).join(", ")}.`,
    ...shrunk.violations.map(({ rule, what }) => `${rule}: ${what}`),
    `It also happens (trace ${shrunk.traceHash}) in this run:`,
    ...replayingCall(options),
    `Its incidents: ${[...shrunk.incidents].join("; ") || "none"}.`,
    "What happens then, by the second:",
    ...shrunk.history.map((line) => `  ${line}`),
  ].join("\n")
