import type { SeededRandom } from "@pixcharge/testkit/simulation"
import type { Hosts, Target } from "../hosts/Hosts.ts"
import type { TablePlace } from "../judge/readRows.ts"

/** What a fault of a database acts on. */
export interface Surroundings {
  readonly hosts: Hosts
  readonly random: SeededRandom
  /** Resolves once so many more attempts of calls have failed. */
  readonly waitForFailed: (count: number) => Promise<void>
}

/** Something that happens to a database; ends once it serves again. */
export type DatabaseFault = (around: Surroundings) => Promise<unknown>

/** A database that hosts share, with what can happen to it. */
export interface Database {
  readonly store: "postgres" | "citus" | "embedded"
  readonly schema: string
  /** Where hosts connect to: each to the next of them. */
  readonly targets: ReadonlyArray<Target>
  /** By name. */
  readonly faults: Readonly<Record<string, DatabaseFault>>
  /** Makes what hosts don't make by themselves. */
  readonly prepare?: () => Promise<void>
  /** The tables as they lie on disk. */
  readonly places: (issuers: ReadonlyArray<string>) => Promise<ReadonlyArray<TablePlace>>
  readonly close: () => Promise<void>
}
