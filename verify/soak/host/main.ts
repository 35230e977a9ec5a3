// The host under load, as a process of its own.
import { readdirSync } from "node:fs"
import { serveOrders } from "../../world/Worker.ts"
import { type HostSetting, type StartedHost, startHost } from "./startHost.ts"

/** What the host's process takes. */
export interface HostSample {
  /** What is in use of the JavaScript heap, once what is unused was collected. */
  readonly heapBytes: number
  readonly rssBytes: number
  /** Timers, sockets and whatever else keeps a process alive. */
  readonly handles: number
  readonly descriptors: number
  /** CPU time since the process began. */
  readonly cpuMs: number
}

let host: StartedHost | undefined

const orders = {
  start: async (setting: HostSetting): Promise<string> => {
    host = await startHost(setting)
    return host.baseUrl
  },
  sample: (): HostSample => {
    globalThis.gc?.()
    const { heapUsed: heapBytes, rss: rssBytes } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    return {
      heapBytes,
      rssBytes,
      handles: process.getActiveResourcesInfo().length,
      descriptors: readdirSync("/dev/fd").length,
      cpuMs: (user + system) / 1_000,
    }
  },
  logged: (): StartedHost["logged"] => host?.logged ?? {},
}

/** What this process is asked. */
export type HostOrders = typeof orders

serveOrders(orders)
