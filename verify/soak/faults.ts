import type pg from "pg"
import { applicationName } from "../world/startHost.ts"
import type { TcpProxy } from "../world/TcpProxy.ts"
import type { Worker } from "../world/Worker.ts"
import type { OutsideOrders } from "./outside/main.ts"
import type { OutsideFault } from "./outside/Outside.ts"

/** Where faults are made. */
export interface FaultPlaces {
  /** The host's way to the database. */
  readonly proxy: TcpProxy
  readonly db: pg.Pool
  readonly outside: Worker<OutsideOrders>
}

interface Fault {
  /** How long it lasts; 0 for what happens at once. */
  readonly ms: number
  readonly outside?: OutsideFault
  /** What is done beside what those outside do. */
  readonly carryOut?: (places: FaultPlaces, ms: number) => unknown
}

const terminateOldest = `
SELECT pg_terminate_backend(pid) FROM (
  SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY backend_start LIMIT 1
) AS oldest`

const faults = {
  "connections cut": { ms: 0, carryOut: ({ proxy }) => proxy.cut() },
  "receiver down": { ms: 8_000, outside: "receiverDown" },
  "backend terminated": { ms: 0, carryOut: ({ db }) => db.query(terminateOldest, [applicationName]) },
  "bank slow": { ms: 6_000, outside: "slowBank" },
  "database out of reach": { ms: 2_000, carryOut: ({ proxy }, ms) => proxy.refuse(ms) },
  "bank refusing": { ms: 3_000, outside: "refusingBank" },
  "database silent": { ms: 2_000, carryOut: ({ proxy }, ms) => proxy.hold(ms) },
} as const satisfies Readonly<Record<string, Fault>>

/** What goes wrong in a run, one after the other. */
export type FaultKind = keyof typeof faults

/** Every kind, in the order in which they come. */
export const faultKinds = Object.keys(faults) as ReadonlyArray<FaultKind>

/** Makes a fault, and waits until it is over. */
export const makeFault = async (kind: FaultKind, places: FaultPlaces): Promise<void> => {
  const { ms, outside, carryOut }: Fault = faults[kind]
  await Promise.all([places.outside.ask("fault", outside, ms), carryOut?.(places, ms)])
}
