import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { steadyMs } from "./Contender.ts"

/** A receiver in a process of its own: takes everything at once, and remembers when each event's first byte came. */

/** What the process is asked, and what it answers with: arrivals by event id, in milliseconds of the machine's steady clock. */
export type Arrivals = Readonly<Record<string, number>>

let arrivals: Record<string, number> = {}

const server = createServer((request, response) => {
  arrivals[String(request.headers["webhook-id"])] ??= steadyMs()
  request.resume()
  request.once("end", () => response.end("ok"))
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }))

process.on("message", () => {
  process.send?.(arrivals)
  arrivals = {}
})
process.on("disconnect", () => process.exit())
