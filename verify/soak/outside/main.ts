// All that is outside of the host, as a process of its own.
import type { Certificates } from "../../world/makeCertificates.ts"
import { serveOrders } from "../../world/Worker.ts"
import { Outside, type OutsideFault } from "./Outside.ts"

let opened: Outside | undefined

const outside = (): Outside => {
  if (opened === undefined) throw new Error("it isn't open")
  return opened
}

const orders = {
  open: async (seed: number, certificates: Certificates) => {
    const { outside: begun, ...urls } = await Outside.open(seed, certificates)
    opened = begun
    return urls
  },
  begin: (hostUrl: string, rate: number, durationMs: number) => outside().begin(hostUrl, rate, durationMs),
  fault: (kind: OutsideFault | undefined, ms: number) => outside().fault(kind, ms),
  sample: () => outside().sample(),
  rest: () => outside().rest(),
  awaited: () => outside().awaited(),
  verify: () => outside().verify(),
  measured: () => outside().measured(),
}

/** What this process is asked. */
export type OutsideOrders = typeof orders

serveOrders(orders)
