// The host whose processor time is counted, as a process of its own.
import { type HostSetting, startHost, type StartedHost } from "../../world/startHost.ts"
import { serveOrders } from "../../world/Worker.ts"

let host: StartedHost | undefined

const orders = {
  /** Each step is asked for, so that none is counted with another. */
  start: async (setting: HostSetting): Promise<string> => {
    host = await startHost({ ...setting, background: false })
    return host.baseUrl
  },
  /** Does all that is due: checks of charges, deliveries. */
  tick: async (): Promise<void> => {
    while ((await host?.pix.tick({ deadlineMs: 60_000 }))?.more);
  },
}

/** What this process is asked. */
export type HostOrders = typeof orders

serveOrders(orders)
