// The host under load. It runs in its own process.
import { readdirSync } from "node:fs"
import { type HostSetting, startHost } from "../world/startHost.ts"
import { serveOrders } from "../world/Worker.ts"
import { type Leak, plantLeaks } from "./plantLeaks.ts"

export interface HostSample {
  /** The used JavaScript heap after a garbage collection. */
  readonly heapBytes: number
  readonly rssBytes: number
  /** Timers, sockets and other resources that keep a process alive. */
  readonly handles: number
  readonly descriptors: number
}

const logged: Record<string, number> = {}

const log = (message: string): void => {
  logged[message] = (logged[message] ?? 0) + 1
}

const orders = {
  start: async (setting: HostSetting, planted: ReadonlyArray<Leak>): Promise<string> => {
    const leaks = planted.length > 0 ? { onRequest: plantLeaks(planted, setting.databaseUrl) } : {}
    const { baseUrl } = await startHost({ ...setting, log, ...leaks })
    return baseUrl
  },
  sample: (): HostSample => {
    globalThis.gc?.()
    const { heapUsed: heapBytes, rss: rssBytes } = process.memoryUsage()
    const handles = process.getActiveResourcesInfo().length
    return { heapBytes, rssBytes, handles, descriptors: readdirSync("/dev/fd").length }
  },
  logged: () => logged,
}

export type HostOrders = typeof orders

serveOrders(orders)
