// The host of chaos with planted leaks, which grow with each call.
import { openSync } from "node:fs"
import pg from "pg"
// First, because a message that comes before the host listens is lost.
import "../chaos/host.ts"

const strandedDelivery = `
INSERT INTO pixcharge.deliveries (
  issuer, event_id, endpoint_id, event, kind, occurred_at, position, queued_at, next_at
) VALUES ('12345678000195', 'planted_' || gen_random_uuid(), 'planted', '{}', 'paid', now(), 1, now(), now() + interval '1 day')`

const kept: Array<unknown> = []
let url = ""
let calls = 0

const connect = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  return client
}

const strand = async (): Promise<void> => {
  const client = await connect()
  await client.query(strandedDelivery)
  await client.end()
}

const leak = (): void => {
  calls += 1
  kept.push(Array.from({ length: 256 }, (_, index) => index + 0.5))
  if (calls % 20 === 0) setInterval(() => undefined, 3_600_000)
  if (calls % 20 === 0) openSync("/dev/null", "r")
  if (calls % 50 === 0) void strand().catch(() => undefined)
  if (calls % 500 === 0)
    void connect().then(
      (client) => kept.push(client),
      () => undefined,
    )
}

interface Order {
  readonly order: string
  readonly args: ReadonlyArray<unknown>
}

process.on("message", ({ order, args }: Order) => {
  if (order === "start") ({ url } = args[0] as { readonly url: string })
  if (order === "call") leak()
})
