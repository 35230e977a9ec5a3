import type { Step } from "./Plan.ts"
import type { Shrunk } from "./shrink.ts"
import type { Simulated } from "./SimulationOptions.ts"

const describeStep = ({ afterMs, host, action }: Step): string =>
  `  after ${afterMs} ms, host ${host + 1}: ${JSON.stringify(action)}`

/** A run that broke a rule, for a person to read. */
export const describeFailure = (seed: number, failed: Simulated, { options, ...shrunk }: Shrunk): string =>
  [
    `Seed ${seed} (trace ${failed.traceHash}) breaks ${failed.violations.map(({ rule }) => rule).join(", ")}.`,
    ...shrunk.violations.map(({ rule, what }) => `${rule}: ${what}`),
    `It also happens (trace ${shrunk.traceHash}) on ${options.hosts ?? 2} hosts with these steps:`,
    ...shrunk.plan.map(describeStep),
    `where this goes wrong: ${[...shrunk.incidents].join("; ") || "nothing"}.`,
    "What happens then, by the second:",
    ...shrunk.history.map((line) => `  ${line}`),
  ].join("\n")
