import type { PaymentProcessor, StorePorts } from "@pixcharge/core"
import type * as Layer from "effect/Layer"
import type { BankClient } from "./bank/BankClient.ts"
import type { Violation } from "./judge/rules.ts"
import type { Step } from "./Action.ts"

export const defaultHosts = 2

export interface SimulationOptions {
  /** A whole number from 0 to 4 294 967 295; other numbers repeat the run of one of these. */
  readonly seed: number
  /** The number of processes; by default 2. */
  readonly hosts?: number
  /** The number of steps; by default 24. */
  readonly steps?: number
  /** The store under test, empty whenever built; by default `memoryStore`. */
  readonly store?: Layer.Layer<StorePorts, unknown>
  /** The processor under test, for one process; by default it calls the simulated bank directly. */
  readonly processor?: (bank: BankClient) => Layer.Layer<PaymentProcessor, unknown>
  readonly plan?: ReadonlyArray<Step>
  readonly muted?: ReadonlySet<string>
}

export interface Simulated {
  /** Equal for equal options and code. */
  readonly traceHash: string
  /** The broken rules; empty if all hold. */
  readonly violations: ReadonlyArray<Violation>
  /** The history, one sentence each, with seconds since the start. */
  readonly history: ReadonlyArray<string>
  readonly plan: ReadonlyArray<Step>
  readonly incidents: ReadonlySet<string>
}
