import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { serveOrders } from "../../world/index.ts"
import { monotonicMs } from "./Contender.ts"

/**
 * A receiver that answers immediately and records when the first byte of each event arrives. It parses little HTTP, to
 * leave the processor to the measured processes.
 */

let arrivals: Record<string, number> = {}

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=60\r\n\r\nok"
const endOfHead = "\r\n\r\n"

const headerValue = (head: string, name: string): string =>
  new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim() ?? ""

const wholeRequest = (text: string): number => {
  const end = text.indexOf(endOfHead)
  if (end < 0) return 0
  const length = end + endOfHead.length + Number(headerValue(text.slice(0, end), "content-length"))
  return text.length >= length ? length : 0
}

const serve = (socket: Socket): void => {
  let text = ""
  let cameAt = 0
  socket.setNoDelay()
  // Latin-1 has one byte per character, so lengths are bytes.
  socket.setEncoding("latin1")
  socket.on("error", () => socket.destroy())
  socket.on("data", (chunk: string) => {
    if (text === "") cameAt = monotonicMs()
    text += chunk
    for (let length = wholeRequest(text); length > 0; length = wholeRequest(text)) {
      arrivals[headerValue(text.slice(0, length), "webhook-id")] ??= cameAt
      text = text.slice(length)
      socket.write(answer)
    }
  })
}

const server = createServer(serve)

const orders = {
  listen: async (): Promise<number> => {
    await once(server.listen(0, "127.0.0.1"), "listening")
    return (server.address() as AddressInfo).port
  },
  /** Returns the arrivals since the last call by event id, in milliseconds of the monotonic clock. */
  arrivals: (): Readonly<Record<string, number>> => {
    const came = arrivals
    arrivals = {}
    return came
  },
}

export type ReceiverOrders = typeof orders

serveOrders(orders)
