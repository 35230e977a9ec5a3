import type { PaymentProcessor, StorePorts } from "@pixcharge/core"
import type * as Layer from "effect/Layer"
import type { BankClient } from "./bank/BankClient.ts"
import type { Violation } from "../judge/rules.ts"
import type { Step } from "./Action.ts"

/** How many processes run at once if nobody says. */
export const defaultHosts = 2

/** What is simulated. */
export interface SimulationOptions {
  /** A whole number from 0 to 4 294 967 295: others repeat the run of one of these. */
  readonly seed: number
  /** Processes at once; 2 by default. */
  readonly hosts?: number
  /** How much is done; 24 by default. */
  readonly steps?: number
  /** The store under test, empty whenever it is built; by default `memoryStore`. */
  readonly store?: Layer.Layer<StorePorts, unknown>
  /** The processor under test, for one process; by default one that calls the simulated bank directly. */
  readonly processor?: (bank: BankClient) => Layer.Layer<PaymentProcessor, unknown>
  /** What is done, instead of what follows from the seed. */
  readonly plan?: ReadonlyArray<Step>
  /** What would go wrong, by name, and doesn't. */
  readonly muted?: ReadonlySet<string>
}

/** What came of a run. */
export interface Simulated {
  /** The same for the same options and the same code. */
  readonly traceHash: string
  /** What was broken; empty if all holds. */
  readonly violations: ReadonlyArray<Violation>
  /** What happened, one sentence each, with the seconds since the beginning. */
  readonly history: ReadonlyArray<string>
  /** What was done. */
  readonly plan: ReadonlyArray<Step>
  /** What went wrong, by name. */
  readonly incidents: ReadonlySet<string>
}
