import type { DatabaseLink } from "./DatabaseLink.ts"
import type { Observer } from "./measure/Observer.ts"
import type { OutsideOrders } from "./outside/main.ts"
import type { OutsideFault } from "./outside/Outside.ts"
import type { Worker } from "../world/Worker.ts"

/** Where faults are made. */
export interface FaultPlaces {
  readonly link: DatabaseLink
  readonly observer: Observer
  readonly outside: Worker<OutsideOrders>
}

interface Fault {
  /** How long it lasts; 0 for what happens at once. */
  readonly ms: number
  readonly outside: OutsideFault
  /** What is done beside what those outside do. */
  readonly carryOut?: (places: FaultPlaces, ms: number) => unknown
}

const faults = {
  "connections cut": { ms: 0, outside: "host", carryOut: ({ link }) => link.cut() },
  "receiver down": { ms: 8_000, outside: "receiverDown" },
  "backend terminated": { ms: 0, outside: "host", carryOut: ({ observer }) => observer.terminateBackend() },
  "bank slow": { ms: 6_000, outside: "slowBank" },
  "database out of reach": { ms: 2_000, outside: "host", carryOut: ({ link }, ms) => link.refuse(ms) },
  "bank refusing": { ms: 3_000, outside: "refusingBank" },
  "database silent": { ms: 2_000, outside: "host", carryOut: ({ link }, ms) => link.hold(ms) },
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
