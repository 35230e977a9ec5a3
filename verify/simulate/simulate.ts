import { memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeDirectory } from "@pixcharge/adapter-tests/fixtures"
import type { Step } from "./Action.ts"
import { findStates } from "./census/findStates.ts"
import type { Violation } from "./judge/rules.ts"
import { chosenKinds, companyFacts } from "./names.ts"
import { makePlan } from "./Plan.ts"
import { runPlan } from "./runPlan.ts"
import { defaultHosts, Simulation, type SimulationOptions } from "./Simulation.ts"

export interface Simulated {
  /** The hash of the history. Equal options and code give an equal hash. */
  readonly traceHash: string
  /** The broken rules; empty if all hold. */
  readonly violations: ReadonlyArray<Violation>
  /** The history of the run: one line for each event, with the seconds since the start. */
  readonly history: ReadonlyArray<string>
  readonly plan: ReadonlyArray<Step>
  readonly incidents: ReadonlySet<string>
  /** The states that the run has reached, as `--census` counts them. */
  readonly states: ReadonlySet<string>
}

/**
 * Runs the engine in a simulated world: several processes that can die at any call, a bank and receivers with their own
 * ledgers, and a network that loses messages. Everything follows from the seed, on a virtual clock: the same options
 * and code give the same trace hash. A store or processor of your own also replays exactly on the real event loop, if it
 * depends only on that.
 *
 * @example
 * ```ts
 * import { simulate } from "@pixcharge/verify/simulate"
 *
 * const { violations } = await simulate({ seed: 7 })
 * violations // => []
 * ```
 */
export const simulate = (options: SimulationOptions): Promise<Simulated> => {
  const { seed, steps = 24, hosts = defaultHosts, store = memoryStore() } = options
  const plan = options.plan ?? makePlan(seed, steps, hosts)
  const facts = [...companyFacts]
  const run = Effect.gen(function* () {
    const directory = yield* Layer.build(makeDirectory(facts, [], chosenKinds))
    const simulation = new Simulation(options, { store: yield* Layer.build(store), directory, facts })
    yield* Effect.promise(() => runPlan(simulation, plan))
    const { world, faults, judge, bank } = simulation
    const { traceHash, history } = world
    const { violations } = judge
    const states = findStates({ history, ledger: bank.ledger })
    return { traceHash, history, plan, violations, incidents: faults.incidents, states }
  })
  return Effect.runPromise(Effect.scoped(run))
}
