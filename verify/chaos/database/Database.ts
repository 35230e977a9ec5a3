import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Hosts, Target } from "../hosts/Hosts.ts"
import type { TablePlace } from "../judge/readRows.ts"

export interface Surroundings {
  readonly hosts: Hosts
  readonly random: SeededRandom
  /** Resolves once this many more attempts have failed. */
  readonly waitForFailed: (count: number) => Promise<void>
}

/** A fault of a database; resolves once it serves again. */
export type DatabaseFault = (around: Surroundings) => Promise<unknown>

/** A database shared by hosts, with its possible faults. */
export interface Database {
  readonly store: "postgres" | "citus" | "embedded"
  readonly schema: string
  /** The hosts' addresses of it: each host takes the next one. */
  readonly targets: ReadonlyArray<Target>
  readonly faults: Readonly<Record<string, DatabaseFault>>
  /** Creates what hosts don't create themselves. */
  readonly prepare?: () => Promise<void>
  /** The tables as stored on disk. */
  readonly places: (issuers: ReadonlyArray<string>) => Promise<ReadonlyArray<TablePlace>>
  readonly close: () => Promise<void>
}
