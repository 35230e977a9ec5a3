import { Worker } from "../../world/Worker.ts"
import { cpuNsOfThreads } from "../processes/ServerCpu.ts"
import type { ServerOrders, Variant } from "./serve.ts"

export interface Server {
  readonly variant: Variant
  readonly port: number
  readonly token: string
  /** The processor time of the server's process so far, in nanoseconds. */
  readonly cpuNs: () => number
  readonly stop: () => Promise<void>
}

export const startServer = async (variant: Variant, databaseUrl: string): Promise<Server> => {
  const worker = new Worker<ServerOrders>(`${import.meta.dirname}/serve.js`)
  const served = await worker.ask("start", variant, databaseUrl)
  return { variant, ...served, cpuNs: () => cpuNsOfThreads(worker.pid), stop: () => worker.end() }
}
