// The host of chaos with planted leaks, which grow with each call.
import { openSync } from "node:fs"
import pg from "pg"

const strandedDelivery = `
INSERT INTO pixcharge.deliveries (
  issuer, event_id, endpoint_id, event, kind, occurred_at, position, queued_at, next_at
) VALUES ('12345678000195', 'planted_' || gen_random_uuid(), 'planted', '{}', 'paid', now(), 1, now(), now() + interval '1 day')`

const kept: Array<unknown> = []
let url = ""
let calls = 0
const ignore = (): void => undefined

const connect = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  client.on("error", ignore)
  await client.connect()
  return client
}

const strand = async (): Promise<void> => {
  const client = await connect()
  await client.query(strandedDelivery)
  await client.end()
}

/** Holds a connection, and opens another one after it is cut. */
const hold = async (): Promise<void> => {
  const client = await connect()
  client.once("end", () => void hold().catch(ignore))
}

const leak = (): void => {
  calls += 1
  kept.push(Array.from({ length: 4_096 }, (_, index) => index + 0.5))
  if (calls % 10 !== 0) return
  setInterval(ignore, 3_600_000)
  openSync("/dev/null", "r")
  void strand().catch(ignore)
  if (calls % 50 === 0) void hold().catch(ignore)
}

interface Order {
  readonly order: string
  readonly args: ReadonlyArray<unknown>
}

// The host listens first, because an order that comes before it does is lost.
await import("../chaos/host.ts")
process.on("message", ({ order, args }: Order) => {
  if (order === "start") ({ url } = args[0] as { readonly url: string })
  if (order === "call") leak()
})
