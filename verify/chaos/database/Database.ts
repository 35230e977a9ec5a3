import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Hosts, Target } from "../hosts/Hosts.ts"
import type { TablePlace } from "../judge/readRows.ts"

export interface Surroundings {
  readonly hosts: Hosts
  readonly random: SeededRandom
  /** Resolves after this many more failed attempts. */
  readonly waitForFailed: (count: number) => Promise<void>
}

/** A fault of a database; resolves once the database serves again. */
export type DatabaseFault = (around: Surroundings) => Promise<unknown>

/** A database shared by hosts, with its possible faults. */
export interface Database {
  readonly store: "postgres" | "citus" | "embedded"
  readonly schema: string
  /** The database's addresses. Each host takes the next one. */
  readonly targets: ReadonlyArray<Target>
  readonly faults: Readonly<Record<string, DatabaseFault>>
  /** Creates the objects that hosts don't create. */
  readonly prepare?: () => Promise<void>
  /** The tables as stored on disk. */
  readonly places: (issuers: ReadonlyArray<string>) => Promise<ReadonlyArray<TablePlace>>
  readonly close: () => Promise<void>
}
