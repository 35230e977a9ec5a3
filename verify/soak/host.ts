// The host under load, as a process of its own.
import { readdirSync } from "node:fs"
import { type HostSetting, startHost } from "../world/startHost.ts"
import { serveOrders } from "../world/Worker.ts"
import { type Leak, plantLeaks } from "./plantLeaks.ts"

/** What the host's process takes. */
export interface HostSample {
  /** What is in use of the JavaScript heap, once what is unused was collected. */
  readonly heapBytes: number
  readonly rssBytes: number
  /** Timers, sockets and whatever else keeps a process alive. */
  readonly handles: number
  readonly descriptors: number
}

/** How often each warning and error was logged. */
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

/** What this process is asked. */
export type HostOrders = typeof orders

serveOrders(orders)
