import { createServer } from "node:https"
import { type AddressInfo, Socket } from "node:net"
import {
  type Answer,
  guardedFetch,
  type GuardedFetchOptions,
  type NoAnswer,
  type Transport,
} from "@pixcharge/callback-fetch"
import {
  type Receiver,
  startReceiver,
  startSocketReceiver,
  trustedCertificate,
  untrustedCertificate,
} from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { describe, expect, vi } from "vitest"

const sandbox = { allowHttp: true, allowPrivateNetworks: true, ports: "any" } as const

const send = (transport: Transport, url: string): Effect.Effect<Answer | NoAnswer> =>
  Effect.match(transport.send({ url, headers: {}, body: "{}" }), {
    onSuccess: (answer): Answer | NoAnswer => answer,
    onFailure: (failure) => failure,
  })

const eventually = (holds: () => boolean) => Effect.promise(() => expect.poll(holds, { interval: 5 }).toBe(true))

const answerOk = (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")

/** A receiver that answers the first POST with 200 and keeps the connection, and a transport that keeps the connection open. */
const openKeptConnection = Effect.fnUntraced(function* (
  answer: (socket: Socket, count: number) => void,
  options: GuardedFetchOptions = {},
) {
  let posts = 0
  const receiver = yield* startSocketReceiver((socket, count) => {
    posts = count
    return count === 1 ? answerOk(socket) : answer(socket, count)
  })
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer((exit) => Scope.close(scope, exit))
  const transport = yield* Scope.provide(guardedFetch({ ...sandbox, ...options }), scope)
  expect(yield* send(transport, receiver.url)).toMatchObject({ status: 200 })
  // The connection becomes free shortly after the answer.
  yield* Effect.sleep(20)
  return { receiver, transport, scope, posts: () => posts }
})

const closed = ({ sockets }: Receiver) => eventually(() => sockets.size === 0)

describe("a POST on a kept connection", () => {
  it.live("sends a POST once if its answer began, even if the answer breaks, and closes the connection", () =>
    Effect.gen(function* () {
      const { receiver, transport, posts } = yield* openKeptConnection((socket, count) => {
        // The third request gets no answer.
        if (count > 2) return
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nrecebi")
        setTimeout(() => socket.resetAndDestroy(), 50)
      })
      expect(yield* send(transport, receiver.url)).toMatchObject({ reason: "ECONNRESET" })
      yield* closed(receiver)
      yield* Effect.sleep(50)
      expect([posts(), receiver.connections()]).toEqual([2, 1])
    }),
  )

  for (const [how, close] of [
    ["reset", (socket: Socket) => void socket.resetAndDestroy()],
    ["closed", (socket: Socket) => void socket.destroy()],
  ] as const) {
    it.live(`sends a POST again on a new connection if the receiver has silently ${how} the kept connection`, () =>
      Effect.gen(function* () {
        const { receiver, transport, posts } = yield* openKeptConnection((socket, count) =>
          count === 2 ? close(socket) : answerOk(socket),
        )
        expect(yield* send(transport, receiver.url)).toMatchObject({ status: 200, head: "ok" })
        expect([posts(), receiver.connections()]).toEqual([3, 2])
        yield* closed(receiver)
      }),
    )
  }

  it.live("sends a POST again on a new connection if the kept connection breaks while the POST is written", () =>
    Effect.gen(function* () {
      const dials = vi.spyOn(Socket.prototype, "connect")
      yield* Effect.addFinalizer(() => Effect.sync(() => dials.mockRestore()))
      const { receiver, transport, posts } = yield* openKeptConnection((socket, count) =>
        count === 2
          ? (dials.mock.contexts[0] as Socket).destroy(Object.assign(new Error(), { code: "EPIPE" }))
          : answerOk(socket),
      )
      expect(yield* send(transport, receiver.url)).toMatchObject({ status: 200, head: "ok" })
      expect([posts(), receiver.connections()]).toEqual([3, 2])
    }),
  )

  it.live("sends a POST again only once", () =>
    Effect.gen(function* () {
      const { receiver, transport, posts } = yield* openKeptConnection((socket) => socket.resetAndDestroy())
      expect(yield* send(transport, receiver.url)).toMatchObject({ reason: "ECONNRESET" })
      expect([posts(), receiver.connections()]).toEqual([3, 2])
    }),
  )

  it.live("doesn't send a POST again after an answer that isn't HTTP", () =>
    Effect.gen(function* () {
      const { receiver, transport, posts } = yield* openKeptConnection(
        (socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
      )
      expect(yield* send(transport, receiver.url)).toMatchObject({ reason: expect.stringMatching(/^HPE_/) })
      expect([posts(), receiver.connections()]).toEqual([2, 1])
    }),
  )

  it.live("sends a POST again over https to the same receiver", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver(
        (response, _, count) => (count === 2 ? response.socket?.destroy() : response.end()),
        trustedCertificate,
      )
      const transport = yield* guardedFetch({ ...sandbox, ca: trustedCertificate.cert })
      for (const round of [1, 2]) {
        expect([round, yield* send(transport, receiver.url)]).toMatchObject([round, { status: 200 }])
        yield* Effect.sleep(20)
      }
      expect([receiver.received.length, receiver.connections()]).toEqual([3, 2])
    }),
  )

  it.live("doesn't send a POST again over https to a receiver without a trusted certificate, in any environment", () =>
    Effect.gen(function* () {
      let posts = 0
      const server = createServer({ ...trustedCertificate }, (request, response) => {
        posts++
        if (posts === 1) return response.end()
        server.setSecureContext({ ...untrustedCertificate })
        return request.socket.destroy()
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      yield* Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      })
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
      const transport = yield* guardedFetch({ ...sandbox, ca: trustedCertificate.cert })
      expect(yield* send(transport, url)).toMatchObject({ status: 200 })
      yield* Effect.sleep(20)
      expect(yield* send(transport, url)).toMatchObject({ reason: "DEPTH_ZERO_SELF_SIGNED_CERT" })
      expect(posts).toBe(2)
    }),
  )

  it.live("gives up a POST if the new connection takes more than 5 s", () =>
    Effect.gen(function* () {
      let lookups = 0
      const resolve = () =>
        ++lookups === 1 ? Promise.resolve(["127.0.0.1"]) : new Promise<ReadonlyArray<string>>(() => undefined)
      const receiver = yield* startReceiver((response, _, count) =>
        count === 1 ? response.end() : setTimeout(() => response.socket?.resetAndDestroy(), 500),
      )
      const transport = yield* guardedFetch({ ...sandbox, resolve })
      const url = `http://receiver.example:${receiver.port}/`
      yield* send(transport, url)
      yield* Effect.sleep(20)
      const began = performance.now()
      expect(yield* send(transport, url)).toMatchObject({ reason: "no connection within 5 s" })
      expect(performance.now() - began).toBeGreaterThan(5_400)
      expect([lookups, receiver.received.length]).toEqual([2, 2])
    }),
  )
})

for (const [bytes, connections] of [
  [64 * 1024, 1],
  [64 * 1024 + 1, 2],
] as const) {
  it.live(`receives two answers of ${bytes} bytes on ${connections} connections, each cut off at 64 KiB`, () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end("a".repeat(bytes)))
      const transport = yield* guardedFetch(sandbox)
      for (const round of [1, 2]) {
        expect([round, yield* send(transport, receiver.url)]).toMatchObject([round, { status: 200 }])
        yield* Effect.sleep(20)
      }
      expect(receiver.connections()).toBe(connections)
    }),
  )
}

describe("the end of the scope", () => {
  it.live("ends a POST on a kept connection, and doesn't send it again", () =>
    Effect.gen(function* () {
      const { receiver, transport, scope, posts } = yield* openKeptConnection(() => undefined)
      const sending = yield* Effect.forkChild(send(transport, receiver.url))
      yield* eventually(() => posts() === 2)
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(sending)).toMatchObject({ reason: "given up" })
      yield* closed(receiver)
      expect([posts(), receiver.connections()]).toEqual([2, 1])
    }),
  )

  it.live("ends a POST that is being sent again, and closes its connection", () =>
    Effect.gen(function* () {
      const { receiver, transport, scope, posts } = yield* openKeptConnection((socket, count) => {
        if (count === 2) socket.resetAndDestroy()
      })
      const sending = yield* Effect.forkChild(send(transport, receiver.url))
      yield* eventually(() => posts() === 3)
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(sending)).toMatchObject({ reason: "given up" })
      yield* closed(receiver)
      expect([posts(), receiver.connections()]).toEqual([3, 2])
    }),
  )

  it.live("closes kept connections", () =>
    Effect.gen(function* () {
      const { receiver, scope } = yield* openKeptConnection(() => undefined)
      yield* Effect.sleep(100)
      expect(receiver.sockets.size).toBe(1)
      yield* Scope.close(scope, Exit.void)
      yield* closed(receiver)
    }),
  )
})
