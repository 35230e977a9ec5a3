import { callbackFetch } from "@pixcharge/callback-fetch"
import pg from "pg"

export interface Contender {
  readonly fill: (count: number) => Promise<unknown>
  readonly start: () => Promise<unknown>
  readonly countDelivered: () => Promise<number>
}

export type MakeContender = (databaseUrl: string, receiverUrl: string) => Promise<Contender>

export const bounds = { posts: 64, connections: 10 }

export const benchSecret = "whsec_c2VncmVkby1kYS1tZWRpY2FvLWNvbS0zMi1ieXRlcyE="

export const openCallbacks = () => callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any" })

/** Opens connections whose breaks at the end of the run don't matter. */
export const openPool = (connectionString: string): pg.Pool =>
  new pg.Pool({ connectionString, max: bounds.connections })
    .on("error", () => undefined)
    .on("connect", (client) => client.on("error", () => undefined))

export const count = async (pool: pg.Pool, from: string): Promise<number> =>
  (await pool.query(`SELECT count(*)::int AS count FROM ${from}`)).rows[0].count
