// The hosts whose processor time is counted. They run in their own process, and messages set their time.
import pg from "pg"
import { type HostSetting, startHost, type StartedHost } from "../../world/startHost.ts"
import { serveOrders } from "../../world/Worker.ts"

const hosts: Array<StartedHost> = []
let now = Date.now()
Date.now = () => now

let statements = 0
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: ReadonlyArray<unknown>) {
  statements++
  return Reflect.apply(query, this, given)
} as typeof query

const orders = {
  /** The number of statements so far. Each is a round trip. */
  statements: (): number => statements,
  start: async (setting: HostSetting, startsAt: number): Promise<string> => {
    now = startsAt
    const host = await startHost({ ...setting, background: false })
    hosts.push(host)
    return host.baseUrl
  },
  tick: async (at: number, first: number, count: number): Promise<void> => {
    now = at
    for (let which = first; which < first + count; which++)
      while ((await hosts[which % hosts.length]?.pix.tick({ deadlineMs: 60_000 }))?.more);
  },
}

export type HostOrders = typeof orders

serveOrders(orders)
