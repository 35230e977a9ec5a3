import type { Step } from "./Action.ts"
import { type Simulated, simulate } from "./simulate.ts"
import { defaultHosts, type SimulationOptions } from "./Simulation.ts"

const maxRuns = 400

export interface Shrunk extends Simulated {
  readonly options: SimulationOptions
}

/** Finds a minimal list that still fails. Removes halves, then quarters, down to single items (ddmin, A. Zeller). */
const minimize = async <A>(
  items: ReadonlyArray<A>,
  stillDo: (items: ReadonlyArray<A>) => Promise<boolean>,
): Promise<ReadonlyArray<A>> => {
  let kept = items
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let index = 0; index < kept.length;) {
      const without = kept.toSpliced(index, size)
      if (await stillDo(without)) kept = without
      else index += size
    }
  }
  return kept
}

interface TimedStep {
  readonly at: number
  readonly step: Step
}

const addTimes = (plan: ReadonlyArray<Step>): ReadonlyArray<TimedStep> => {
  let at = 0
  return plan.map((step) => ({ at: (at += step.afterMs), step }))
}

/** Gives each step its absolute moment, which removals of others don't move. */
const removeTimes = (steps: ReadonlyArray<TimedStep>): ReadonlyArray<Step> =>
  steps.map(({ at, step }, n) => ({ ...step, afterMs: at - (steps[n - 1]?.at ?? 0) }))

/** Shortens a run that broke a rule: fewer processes, fewer steps and fewer incidents. */
export const shrink = async (options: SimulationOptions, failed: Simulated): Promise<Shrunk> => {
  const rule = failed.violations[0]?.rule
  const { hosts: startedHosts = defaultHosts } = options
  let best: Shrunk = { ...failed, options: { ...options, plan: failed.plan } }
  let runs = 0

  const tries = async (change: Partial<SimulationOptions>): Promise<boolean> => {
    runs += 1
    if (runs > maxRuns) return false
    const changed = { ...best.options, ...change }
    const simulated = await simulate(changed)
    const isBroken = simulated.violations.some((violation) => violation.rule === rule)
    if (isBroken) best = { ...simulated, options: changed }
    return isBroken
  }

  for (let hosts = 1; hosts < startedHosts && !(await tries({ hosts }));) hosts += 1
  await minimize(addTimes(best.plan), (steps) => tries({ plan: removeTimes(steps) }))
  const incidents = [...best.incidents]
  await minimize(incidents, (kept) =>
    tries({ muted: new Set(incidents.filter((incident) => !kept.includes(incident))) }),
  )
  await minimize(addTimes(best.plan), (steps) => tries({ plan: removeTimes(steps) }))
  return best
}

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
