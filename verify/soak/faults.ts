import { setTimeout as pause } from "node:timers/promises"
import type pg from "pg"
import { applicationName } from "../world/startHost.ts"
import type { TcpProxy } from "../world/TcpProxy.ts"
import type { Outside, OutsideFault } from "./outside/Outside.ts"

export interface FaultPlaces {
  readonly proxy: TcpProxy
  readonly db: pg.Pool
  readonly outside: Outside
}

type Fault = (places: FaultPlaces) => unknown

const terminateOldest = `
SELECT pg_terminate_backend(pid) FROM (
  SELECT pid FROM pg_stat_activity WHERE application_name = $1 ORDER BY backend_start LIMIT 1
) AS oldest`

const outsideFor =
  (ms: number, kind: OutsideFault): Fault =>
  async ({ outside }) => {
    const end = outside.beginFault(kind)
    await pause(ms)
    end()
  }

const faults = {
  "connections cut": ({ proxy }) => proxy.cut(),
  "receiver down": outsideFor(8_000, "receiverDown"),
  "backend terminated": ({ db }) => db.query(terminateOldest, [applicationName]),
  "bank slow": outsideFor(6_000, "slowBank"),
  "database out of reach": ({ proxy }) => proxy.refuse(2_000),
  "bank refusing": outsideFor(3_000, "refusingBank"),
  "database silent": ({ proxy }) => proxy.hold(2_000),
} as const satisfies Readonly<Record<string, Fault>>

export type FaultKind = keyof typeof faults

export const faultKinds = Object.keys(faults) as ReadonlyArray<FaultKind>

export const makeFault = async (kind: FaultKind, places: FaultPlaces): Promise<void> => {
  const { latencies } = places.outside
  latencies.beginFault()
  await faults[kind](places)
  latencies.endFault()
}
