import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Certificate } from "./certificates.ts"

/** One request as a receiver saw it. */
export interface ReceivedPost {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A real receiver on a port of its own, on 127.0.0.1, until the scope ends. */
export interface Receiver {
  readonly url: string
  readonly port: number
  /** Every request whose body came in full. */
  readonly received: Array<ReceivedPost>
  readonly sockets: Set<Socket>
  /** How many connections were ever made. */
  readonly connections: () => number
}

const listen = (server: Server, scheme: "http" | "https", received: Array<ReceivedPost>) =>
  Effect.acquireRelease(
    Effect.callback<Receiver>((resume) => {
      const sockets = new Set<Socket>()
      let connections = 0
      server.on("connection", (socket) => {
        connections++
        sockets.add(socket)
        socket.on("error", () => undefined)
        socket.once("close", () => sockets.delete(socket))
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const url = `${scheme}://127.0.0.1:${port}/eventos?origem=pix`
        resume(Effect.succeed({ url, port, received, sockets, connections: () => connections }))
      })
    }),
    ({ sockets }) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      }),
  )

/** An HTTP receiver that reads every request to its end and then answers in this way. */
export const startReceiver = (
  answer: (response: ServerResponse, post: ReceivedPost, count: number) => void,
  certificate?: Certificate,
): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.suspend(() => {
    const received: Array<ReceivedPost> = []
    const server = certificate === undefined ? createHttpServer() : createHttpsServer({ ...certificate })
    server.on("request", (request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const { method = "", url: path = "", headers } = request
        const post = { method, path, headers, body: Buffer.concat(chunks).toString("utf8") }
        received.push(post)
        answer(response, post, received.length)
      })
      request.on("error", () => undefined)
    })
    return listen(server, certificate === undefined ? "http" : "https", received)
  })

/** A receiver that speaks to the bare connection, at the first bytes of each request; requests are counted from 1. */
export const startSocketReceiver = (
  answer: (socket: Socket, count: number) => void,
): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.suspend(() => {
    let count = 0
    const server = createTcpServer((socket) =>
      socket.on("data", (chunk) => {
        if (chunk.subarray(0, 5).toString("latin1") === "POST ") answer(socket, ++count)
      }),
    )
    return listen(server, "http", [])
  })

/** A port on which nobody listens. */
export const closedPort: Effect.Effect<number> = Effect.scoped(
  Effect.map(
    startReceiver(() => undefined),
    ({ port }) => port,
  ),
)
