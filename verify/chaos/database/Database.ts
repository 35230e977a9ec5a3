import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import type { Hosts, Target } from "../hosts/Hosts.ts"
import type { TablePlace } from "../judge/readRows.ts"

export interface Surroundings {
  readonly hosts: Hosts
  readonly random: SeededRandom
  readonly waitForFailed: (count: number) => Promise<void>
}

/** Resolves once the database serves again. */
export type DatabaseFault = (around: Surroundings) => Promise<unknown>

export interface Database {
  readonly store: "postgres" | "citus" | "embedded"
  readonly schema: string
  /** The database's addresses. Hosts take them in turn. */
  readonly targets: ReadonlyArray<Target>
  readonly faults: Readonly<Record<string, DatabaseFault>>
  readonly prepare?: () => Promise<void>
  readonly places: (issuers: ReadonlyArray<string>) => Promise<ReadonlyArray<TablePlace>>
  readonly close: () => Promise<void>
}
