import { embeddedPostgres, type PostgresPrograms } from "../world/index.ts"
import { CitusCluster } from "./database/CitusCluster.ts"
import type { Database } from "./database/Database.ts"
import { openEmbedded } from "./database/openEmbedded.ts"
import { openServer } from "./database/openServer.ts"
import { StandbyPair } from "./database/StandbyPair.ts"

/** The releases before and after the working tree differ from it by one step of the schema. */
export type ReleaseName = "this" | "older" | "newer"

export interface Topology {
  readonly database: "one" | "embedded" | "synchronous" | "asynchronous" | "citus"
  readonly hosts: ReadonlyArray<ReleaseName>
  readonly faults: ReadonlyArray<string>
}

const hostFaults = ["killHost", "edge", "cut", "silence", "suspendHost"]

export const topologies = {
  one: { database: "one", hosts: ["this", "this"], faults: [...hostFaults, "lockRows", "killDatabase"] },
  embedded: { database: "embedded", hosts: ["this"], faults: ["killHost"] },
  synchronous: { database: "synchronous", hosts: ["this", "this"], faults: ["failover", "edge", "killHost"] },
  asynchronous: { database: "asynchronous", hosts: ["this", "this"], faults: ["laggingFailover"] },
  citus: {
    database: "citus",
    hosts: ["this", "this", "this"],
    faults: ["moveShard", "splitShard", "rebalance", "killNode", "killHost"],
  },
  releases: { database: "one", hosts: ["older", "newer"], faults: ["deploy", "killHost", "edge", "cut"] },
} as const satisfies Readonly<Record<string, Topology>>

export const lossyFaults: ReadonlySet<string> = new Set(["laggingFailover"])

const citusUrl = (): string => {
  const url = process.env["CITUS_URL"]
  if (!url) throw new Error("CITUS_URL names no coordinator of a Citus cluster")
  return url
}

export const openDatabase = (
  { database }: Pick<Topology, "database">,
  programs: PostgresPrograms = embeddedPostgres(),
): Promise<Database> => {
  if (database === "citus") return CitusCluster.open(citusUrl())
  if (database === "one") return openServer()
  if (database === "embedded") return Promise.resolve(openEmbedded())
  return StandbyPair.open(programs, database === "synchronous")
}
