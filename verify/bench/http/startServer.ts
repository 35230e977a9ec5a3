import { Worker } from "../../world/Worker.ts"
import { cpuNsOfThreads } from "../costs.ts"
import type { Framework, ServerOrders, Writer } from "./serve.ts"

export interface Server {
  readonly framework: Framework
  readonly writer: Writer
  readonly port: number
  readonly token: string
  /** The processor time of the server's process so far, in nanoseconds. */
  readonly cpuNs: () => number
  readonly stop: () => Promise<void>
}

export const startServer = async (framework: Framework, writer: Writer, databaseUrl: string): Promise<Server> => {
  const worker = new Worker<ServerOrders>(`${import.meta.dirname}/serve.js`)
  const served = await worker.ask("start", framework, writer, databaseUrl)
  return { framework, writer, ...served, cpuNs: () => cpuNsOfThreads(worker.pid), stop: () => worker.end() }
}
