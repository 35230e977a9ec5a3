import type { FaultKind } from "./faults.ts"
import type { HostSample } from "./host/main.ts"
import type { Measured } from "./measure/Latencies.ts"
import type { DatabaseSample } from "./measure/Observer.ts"
import type { LoadSample } from "./outside/Outside.ts"

/** All that was looked at, at one moment. */
export interface SoakSample {
  /** Since the load began. */
  readonly atMs: number
  readonly host: HostSample
  readonly database: DatabaseSample
  readonly load: LoadSample
  /** How many processes of the whole machine wanted a core, on average over a minute. */
  readonly machineLoad: number
}

/** What a run has found; kept as JSON. */
export interface SoakResults {
  readonly minutes: number
  /** Charges a second. */
  readonly rate: number
  readonly seed: number
  readonly startedAt: string
  readonly versions: { readonly node: string; readonly postgres: string }
  readonly machine: string
  readonly samples: ReadonlyArray<SoakSample>
  readonly faults: ReadonlyArray<{ readonly kind: FaultKind; readonly atMs: number }>
  readonly measured: Measured
  /** How often the host logged each warning and error. */
  readonly logged: Readonly<Record<string, number>>
  /** Charges that were held against what was promised, and what was wrong with them, or during the run. */
  readonly checked: number
  readonly violations: ReadonlyArray<string>
}
