import type { ServerResponse } from "node:http"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { TLSSocket } from "node:tls"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Certificate, trustedCertificate, untrustedCertificate } from "../../fixtures/certificates.ts"
import { type ReceivedPost, type Receiver, startReceiver } from "../../fixtures/Receiver.ts"
import type { SeededRandom } from "../../simulation/SeededRandom.ts"

/** A receiver's records of events. */
export interface UnreliableReceiver {
  readonly url: string
  readonly port: number
  /** The ids of events answered with a 2xx, in order. */
  readonly taken: ReadonlyArray<string>
  /** The bodies under each id. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>
}

/** One way to fail an event. */
type Fault = (response: ServerResponse, random: SeededRandom) => void

/** Resets the connection; one behind TLS can only be closed. */
const cut = ({ socket }: ServerResponse): void => {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket?.resetAndDestroy()
}

const faults: ReadonlyArray<Fault> = [
  (response) => response.writeHead(500).end("erro"),
  (response) => response.writeHead(503, { "retry-after": "1" }).end(),
  (response) => response.writeHead(302, { location: "http://127.0.0.1/" }).end(),
  (response) => response.writeHead(404).end(),
  // Disables the endpoint until it is resumed.
  (response) => response.writeHead(410).end(),
  // No answer for a while, in which workers are stopped and killed; it is shorter than any limit of ours.
  (response, random) => setTimeout(() => cut(response), random.between(0, 700)),
  // A lost answer of a receiver that took the event looks the same to the sender.
  cut,
  (response) => {
    response.writeHead(200, { "content-length": "100" })
    response.write("meia respos")
    setTimeout(() => cut(response), 5)
  },
]

/** The maximum failures of an event, so that none is dead within its ten attempts. */
const maxFaults = 5
/** The number of connections that fail before the first request. */
const maxBadConnections = 4

/** A receiver that fails randomly, and takes every event in the end. */
export const startUnreliableReceiver = (
  random: SeededRandom,
  faultiness: number,
  certificate?: Certificate,
): Effect.Effect<UnreliableReceiver, never, Scope.Scope> =>
  Effect.suspend(() => {
    const taken: Array<string> = []
    const bodies = new Map<string, Set<string>>()
    const failed = new Map<string, number>()
    const answer = (response: ServerResponse, post: ReceivedPost): void => {
      const id = String(post.headers["webhook-id"])
      bodies.set(id, (bodies.get(id) ?? new Set()).add(post.body))
      const count = failed.get(id) ?? 0
      const fault =
        count < maxFaults && random.chance(faultiness) ? faults[random.between(0, faults.length - 1)] : undefined
      if (fault !== undefined) {
        failed.set(id, count + 1)
        return fault(response, random)
      }
      taken.push(id)
      setTimeout(() => response.end("recebido"), random.chance(0.1) ? random.between(0, 30) : 0)
      return undefined
    }
    return Effect.map(startReceiver(answer, certificate), ({ url, port }) => ({ url, port, taken, bodies }))
  })

/** Faults of a connection. */
const badConnections: ReadonlyArray<(socket: Socket, stranger: Receiver) => void> = [
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  (socket, stranger) => join(socket, stranger.port),
]

const join = (socket: Socket, port: number): void => {
  const behind = connect(port, "127.0.0.1")
  behind.on("error", () => socket.destroy())
  socket.on("error", () => behind.destroy())
  socket.pipe(behind).pipe(socket)
}

/**
 * The same behind TLS, whose first connections fail: they are reset, answered in plain text, or served by another
 * server under a certificate that is not trusted, which must not receive any event.
 */
export const startUnreliableTlsReceiver = Effect.fnUntraced(function* (random: SeededRandom, faultiness: number) {
  const receiver = yield* startUnreliableReceiver(random, faultiness, trustedCertificate)
  const stranger = yield* startReceiver((response) => response.end(), untrustedCertificate)
  let bad = 0
  const sockets = new Set<Socket>()
  const front = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy())
    socket.once("close", () => sockets.delete(socket))
    const fault = bad < maxBadConnections ? badConnections[random.between(0, badConnections.length - 1)] : undefined
    if (fault === undefined) return join(socket, receiver.port)
    bad++
    return fault(socket, stranger)
  })
  const listening = Effect.callback<number>((resume) => {
    front.listen(0, "127.0.0.1", () => resume(Effect.succeed((front.address() as AddressInfo).port)))
  })
  const port = yield* Effect.acquireRelease(listening, () =>
    Effect.sync(() => {
      front.close()
      for (const socket of sockets) socket.destroy()
    }),
  )
  return { ...receiver, url: `https://127.0.0.1:${port}/`, port, stranger }
})
