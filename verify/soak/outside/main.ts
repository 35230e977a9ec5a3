// All that is outside of the host, as a process of its own.
import type { Certificates } from "../makeCertificates.ts"
import { serveOrders } from "../../world/Worker.ts"
import { Outside, type OutsideFault } from "./Outside.ts"

let outside: Outside | undefined

const opened = (): Outside => {
  if (outside === undefined) throw new Error("it isn't open")
  return outside
}

const orders = {
  open: (seed: number, certificates: Certificates) => {
    outside = new Outside(seed)
    return outside.open(certificates)
  },
  begin: (hostUrl: string, rate: number, durationMs: number) => opened().begin(hostUrl, rate, durationMs),
  fault: (kind: OutsideFault, ms: number) => opened().fault(kind, ms),
  sample: () => opened().sample(),
  rest: () => opened().rest(),
  awaited: () => opened().awaited(),
  verify: () => opened().verify(),
  measured: () => opened().measured(),
}

/** What this process is asked. */
export type OutsideOrders = typeof orders

serveOrders(orders)
