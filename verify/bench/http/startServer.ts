import { Worker } from "../../world/Worker.ts"
import type { ServerOrders, Variant } from "./serve.ts"

export interface Server {
  readonly variant: Variant
  readonly port: number
  readonly token: string
  /** Returns the processor time of the server's process so far, in nanoseconds. */
  readonly cpuNs: () => Promise<number>
  readonly stop: () => Promise<void>
}

export const startServer = async (variant: Variant, databaseUrl: string): Promise<Server> => {
  const worker = new Worker<ServerOrders>(`${import.meta.dirname}/serve.js`)
  const served = await worker.ask("start", variant, databaseUrl)
  return { variant, ...served, cpuNs: () => worker.ask("cpuNs"), stop: () => worker.end() }
}
