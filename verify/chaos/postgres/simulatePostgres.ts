import type { Charge } from "@pixcharge/core/charge"
import { type Receipt, type Step, type Violation } from "@pixcharge/testkit/simulation"
import { impatientPlan } from "./impatientPlan.ts"
import type { Laboratory } from "./Laboratory.ts"
import { type Kill, PostgresSimulation } from "./PostgresSimulation.ts"
import type { SqlFault } from "./SqlFault.ts"

/** What is simulated. */
export interface PostgresSimulationOptions {
  readonly seed: number
  readonly laboratory: Laboratory
  /** Processes at once; 2 by default. */
  readonly hosts?: number
  /** How much is done; 30 by default. */
  readonly steps?: number
  /** A fault to be found. */
  readonly fault?: SqlFault
}

/** What came of a history. */
export interface PostgresSimulated {
  /** What was broken; empty if all holds. */
  readonly violations: ReadonlyArray<Violation>
  /** What happened, one sentence each, with the seconds of business time since the beginning. */
  readonly history: ReadonlyArray<string>
  /** What was done. */
  readonly plan: ReadonlyArray<Step>
  /** What went wrong, by name. */
  readonly incidents: ReadonlySet<string>
  /** The processes that were killed about a write. */
  readonly kills: ReadonlyArray<Kill>
  /** How many writes of two processes met. */
  readonly meetings: number
  /** The charges in the end. */
  readonly charges: ReadonlyArray<Charge>
  /** The events that arrived. */
  readonly receipts: ReadonlyArray<Receipt>
}

/**
 * The same history as `simulate` on a real Postgres: real processes that are killed, and a network that cuts, delays and
 * goes silent between them and the database. What is done and what goes wrong follow from the seed, but not what comes first
 * and what comes next: the same seed makes another history each time.
 */
export const simulatePostgres = async (options: PostgresSimulationOptions): Promise<PostgresSimulated> => {
  const { seed, laboratory, hosts = 2, steps = 30 } = options
  const plan = impatientPlan(seed, steps, hosts)
  const database = await laboratory.makeDatabase()
  const simulation = await PostgresSimulation.open({ ...options, hosts, database })
  try {
    await simulation.run(plan)
    const { world, auditor, fates, kills, meetings, receipts } = simulation
    const { violations } = auditor
    const { incidents } = fates
    const charges = await simulation.charges()
    return { violations, history: world.history, plan, incidents, kills, meetings: meetings.count, charges, receipts }
  } finally {
    await simulation.close()
    await laboratory.dropDatabase(database)
  }
}
