import type { PaymentProcessor, StorePorts } from "@pixcharge/core"
import type * as Layer from "effect/Layer"
import type { BankClient } from "./bank/BankClient.ts"
import type { Violation } from "./judge/rules.ts"
import type { Step } from "./Action.ts"

export const defaultHosts = 2

export interface SimulationOptions {
  /** An integer from 0 to 4 294 967 295. Any other number is reduced to 32 bits. */
  readonly seed: number
  /** The number of processes; by default 2. */
  readonly hosts?: number
  /** The number of steps; by default 24. */
  readonly steps?: number
  /** The store under test. Each build must be empty. By default `memoryStore`. */
  readonly store?: Layer.Layer<StorePorts, unknown>
  /** The processor under test, built for each process. By default it calls the simulated bank directly. */
  readonly processor?: (bank: BankClient) => Layer.Layer<PaymentProcessor, unknown>
  readonly plan?: ReadonlyArray<Step>
  readonly muted?: ReadonlySet<string>
}

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
