import type { Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { expect } from "vitest"
import { aTestEvent } from "../../fixtures/Payments.ts"
import {
  expiredCertificate,
  misnamedCertificate,
  trustedCertificate,
  untrustedCertificate,
} from "../../fixtures/certificates.ts"
import { type DeliveryCase, deliverTo, measureTime } from "./DeliveryDriver.ts"
import { inChunks } from "../../fixtures/inChunks.ts"
import { closedPort, type Receiver, startReceiver, startSocketReceiver } from "../../fixtures/Receiver.ts"

/** A time longer than the limit of an attempt (decision 24). */
const limitMs = 17_000

/** Tests receivers that fail in every way: no failure counts as a success, and every attempt ends within its limit. */
export const faultCases = (test: DeliveryCase, slow: DeliveryCase): void => {
  const failsQuickly = (title: string, url: () => Url) => test(title, () => fails(url()))

  failsQuickly("doesn't count a refused connection as a success", () =>
    Effect.map(closedPort, (port) => `http://127.0.0.1:${port}/`),
  )

  for (const [title, fault] of Object.entries(faults)) {
    failsQuickly(`doesn't count ${title} as a success`, () => receiverUrl(startSocketReceiver(fault)))

    test(`doesn't count ${title} as a success on a kept connection either`, () => failsKept(fault))
  }

  test("sends an event again under the same id after its success was lost on the way back", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response, _, count) =>
        count === 1 ? response.socket?.resetAndDestroy() : response.end(),
      )
      const event = aTestEvent()
      expect((yield* deliverTo(receiver.url, event))._tag).toBe("Retry")
      expect((yield* deliverTo(receiver.url, event))._tag).toBe("Delivered")
      expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([event.id, event.id])
    }))

  test("doesn't follow a redirect, even to the host's own network", () =>
    Effect.gen(function* () {
      const inside = yield* startReceiver((response) => response.end())
      for (const status of [301, 302, 303, 307, 308]) {
        const receiver = yield* startReceiver((response) => response.writeHead(status, { location: inside.url }).end())
        expect(yield* deliverTo(receiver.url)).toMatchObject({ _tag: "Retry", status })
      }
      expect(inside.connections()).toBe(0)
    }))

  test("cuts off a gigantic answer after reading little of it, and uses its status", () =>
    Effect.gen(function* () {
      let sent = 0
      const receiver = yield* startReceiver((response) => {
        const chunk = Buffer.alloc(64 * 1024, "a")
        response.writeHead(200)
        const pour = (): void => {
          if (response.destroyed || sent > 200 * 1024 * 1024) return
          sent += chunk.length
          response.write(chunk, () => setImmediate(pour))
        }
        pour()
      })
      const { outcome, ms } = yield* measureTime(deliverTo(receiver.url))
      expect(outcome).toMatchObject({ _tag: "Delivered", status: 200 })
      expect(ms).toBeLessThan(5_000)
      expect(sent).toBeLessThan(50 * 1024 * 1024)
    }))

  test("cuts off an answer that comes in pieces of one byte, uses its status, and closes the connection", () =>
    Effect.gen(function* () {
      const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
      const receiver = yield* startSocketReceiver((socket) => socket.write(head + inChunks("x".repeat(2_000), 1)))
      expect(yield* deliverTo(receiver.url)).toMatchObject({ _tag: "Delivered", status: 200 })
      expect(yield* deliverTo(receiver.url)).toMatchObject({ _tag: "Delivered", status: 200 })
      expect(receiver.connections()).toBe(2)
    }))

  test("trusts a receiver with a good certificate", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => response.end(), trustedCertificate)
      expect(yield* deliverTo(receiver.url)).toMatchObject({ _tag: "Delivered" })
    }))

  test("sends no event to a host with an untrusted, misnamed or expired certificate", () =>
    Effect.gen(function* () {
      for (const certificate of [untrustedCertificate, misnamedCertificate, expiredCertificate]) {
        const receiver = yield* startReceiver((response) => response.end(), certificate)
        expect((yield* deliverTo(receiver.url))._tag).toBe("Retry")
        expect(receiver.received).toHaveLength(0)
      }
    }))

  failsQuickly("doesn't count a receiver without TLS behind an https URL as a success", () =>
    Effect.map(
      startReceiver((response) => response.end()),
      ({ port }) => `https://127.0.0.1:${port}/`,
    ),
  )

  test("closes the connection of an abandoned attempt", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver(() => undefined)
      const attempt = yield* Effect.forkChild(deliverTo(receiver.url))
      while (receiver.received.length === 0) yield* Effect.sleep(5)
      yield* Fiber.interrupt(attempt)
      yield* closes(receiver)
    }))

  for (const [title, fault] of Object.entries(slowFaults)) {
    slow(`gives up within the limit on a receiver that ${title}, on a new and a kept connection`, () =>
      Effect.all([fails(receiverUrl(startSocketReceiver(fault))), failsKept(fault)], {
        concurrency: "unbounded",
        discard: true,
      }),
    )
  }
}

const fails = Effect.fnUntraced(function* (url: Url) {
  const { outcome, ms } = yield* measureTime(deliverTo(yield* url))
  expect(outcome._tag).toBe("Retry")
  expect(ms).toBeLessThan(limitMs)
})

/** Waits until no connection is open. If one stays open, the test reaches its time limit. */
const closes = Effect.fnUntraced(function* ({ sockets }: Receiver) {
  while (sockets.size > 0) yield* Effect.sleep(5)
  expect([...sockets]).toEqual([])
})

/** The receiver accepts the first event and keeps the connection. The next event meets the fault, which must end the connection. */
const failsKept = Effect.fnUntraced(function* (fault: Fault) {
  const receiver = yield* startSocketReceiver((socket, count) =>
    count === 1 ? socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n") : fault(socket),
  )
  expect(yield* deliverTo(receiver.url)).toMatchObject({ _tag: "Delivered" })
  // The connection becomes free shortly after the answer.
  yield* Effect.sleep(20)
  yield* fails(Effect.succeed(receiver.url))
  yield* closes(receiver)
})

type Fault = (socket: Socket) => void

const dripping =
  (first: string, drop: string): Fault =>
  (socket) => {
    socket.write(first)
    const drip = setInterval(() => socket.write(drop), 500)
    socket.once("close", () => clearInterval(drip))
  }

const faults: Record<string, Fault> = {
  "a connection reset before any answer": (socket) => socket.resetAndDestroy(),
  "a connection closed before any answer": (socket) => socket.end(),
  "an answer reset in its middle": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nrecebi")
    setTimeout(() => socket.resetAndDestroy(), 50)
  },
  "an answer closed in its middle": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nrecebi"),
  "an answer cut off in its headers": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-le"),
  "something that isn't HTTP": (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
  "an answer whose headers have no end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n")
    const more = setInterval(() => socket.write(`x-${"a".repeat(60_000)}: b\r\n`), 1)
    socket.once("close", () => clearInterval(more))
  },
  "a change of protocol": (socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
}

const slowFaults: Record<string, Fault> = {
  "never answers": () => undefined,
  "drips its headers": dripping("HTTP/1.1 200 OK\r\n", "x-gota: 1\r\n"),
  "drips its body": dripping("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\n.\r\n"),
}

type Url = Effect.Effect<string, never, Scope.Scope>

const receiverUrl = (receiver: Effect.Effect<Receiver, never, Scope.Scope>): Url =>
  Effect.map(receiver, ({ url }) => url)
