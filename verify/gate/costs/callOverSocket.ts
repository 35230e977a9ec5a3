import { once } from "node:events"
import type { Server } from "node:http"
import { type AddressInfo, connect } from "node:net"

/** An HTTP client with callbacks. It makes no promises, so all promises of a call are the server's. */
export interface RawClient {
  /** Calls back with the answer, which must come in one piece. */
  readonly ask: (request: string, onAnswer: (answer: string) => void) => void
  readonly close: () => Promise<void>
}

export const callOverSocket = async (server: Server): Promise<RawClient> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  await once(socket, "connect")
  return {
    ask: (request, answered) => {
      socket.once("data", (data) => answered(data.toString()))
      socket.write(request)
    },
    close: async () => {
      socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
