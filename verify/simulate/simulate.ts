import { memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeDirectory } from "@pixcharge/adapter-tests/fixtures"
import { chosenKinds, companyFacts } from "./names.ts"
import { makePlan } from "./Plan.ts"
import { Simulation } from "./Simulation.ts"
import { defaultHosts, type Simulated, type SimulationOptions } from "./SimulationOptions.ts"

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
  const directory = makeDirectory(facts, [], chosenKinds)
  const run = Effect.gen(function* () {
    const shared = { store: yield* Layer.build(store), directory: yield* Layer.build(directory), facts }
    const simulation = new Simulation(options, shared)
    yield* Effect.promise(() => simulation.run(plan))
    const { world, faults, judge } = simulation
    const { traceHash, history } = world
    return {
      traceHash,
      history,
      plan,
      violations: judge.violations,
      incidents: faults.incidents,
      states: simulation.findStates(),
    }
  })
  return Effect.runPromise(Effect.scoped(run))
}
