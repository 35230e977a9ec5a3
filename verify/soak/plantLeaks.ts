import { openSync } from "node:fs"
import pg from "pg"
import { applicationName } from "../world/startHost.ts"

export type Leak = "memory" | "handles" | "descriptors" | "connections" | "outbox"

const kept: Array<unknown> = []

const strandedDelivery = `
INSERT INTO pixcharge.deliveries (
  issuer, event_id, endpoint_id, event, kind, occurred_at, position, queued_at, next_at
) VALUES ('12345678000195', 'planted_' || gen_random_uuid(), 'planted', '{}', 'paid', now(), 1, now(), now() + interval '1 day')`

const leaks: Readonly<Record<Leak, (databaseUrl: string, requests: number) => unknown>> = {
  memory: () => kept.push(Array.from({ length: 512 }, (_, index) => index + 0.5)),
  handles: (_, requests) => requests % 5 === 0 && setInterval(() => undefined, 3_600_000),
  descriptors: (_, requests) => requests % 5 === 0 && openSync("/dev/null", "r"),
  connections: (databaseUrl, requests) => {
    if (requests % 100 !== 0) return
    const client = new pg.Client({ connectionString: databaseUrl, application_name: applicationName })
    client.on("error", () => undefined)
    kept.push(client)
    return client.connect()
  },
  outbox: async (databaseUrl, requests) => {
    if (requests % 20 !== 0) return
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(strandedDelivery)
    await client.end()
  },
}

/** Returns a function to call at each request. Each call makes the planted leaks grow. */
export const plantLeaks = (planted: ReadonlyArray<Leak>, databaseUrl: string): (() => void) => {
  let requests = 0
  return () => {
    requests += 1
    for (const leak of planted) leaks[leak](databaseUrl, requests)
  }
}
