import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { serveOrders } from "../../world/index.ts"

/** A receiver that answers immediately. It parses little HTTP, to leave the processor to the measured processes. */

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=60\r\n\r\nok"
const endOfHead = "\r\n\r\n"

const wholeRequest = (text: string): number => {
  const end = text.indexOf(endOfHead)
  if (end < 0) return 0
  const length = end + endOfHead.length + Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0)
  return text.length >= length ? length : 0
}

const serve = (socket: Socket): void => {
  let text = ""
  socket.setNoDelay()
  // Latin-1 has one byte per character, so lengths are bytes.
  socket.setEncoding("latin1")
  socket.on("error", () => socket.destroy())
  socket.on("data", (chunk: string) => {
    text += chunk
    for (let length = wholeRequest(text); length > 0; length = wholeRequest(text)) {
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
}

export type ReceiverOrders = typeof orders

serveOrders(orders)
