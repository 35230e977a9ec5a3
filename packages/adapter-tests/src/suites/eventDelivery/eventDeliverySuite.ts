import { type CallbackDelivery, CallbackEndpoints, Outbox, PixCharges } from "@pixcharge/core"
import { chargeEventId, type PaidCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import type { ServerResponse } from "node:http"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { describe, expect } from "vitest"
import { endpointIds, eventPorts, issuers, paidCharge } from "../../fixtures/EventWorld.ts"
import { type ReceivedPost, type Receiver, startReceiver } from "../../fixtures/Receiver.ts"
import { makeSeededRandom, type SeededRandom } from "../../fixtures/SeededRandom.ts"
import { makeShiftableClock, type ShiftableClock } from "../../fixtures/ShiftableClock.ts"
import { type Certificate, trustedCertificate, untrustedCertificate } from "../../fixtures/certificates.ts"
import type { TestedPorts } from "../StoreDriver.ts"
import type { DeliverySurroundings } from "../callbackDelivery/callbackDeliverySuite.ts"
import { it } from "../itEffect.ts"
import { makeNotes, startWorker, type Worker } from "./Worker.ts"

export interface EventDeliveryUnderTest {
  readonly store: Layer.Layer<TestedPorts, unknown>
  /** The transport that delivers to the suite's receivers. */
  readonly delivery: (surroundings: DeliverySurroundings) => Layer.Layer<CallbackDelivery, unknown>
  /** Ends every lease, like 30 s of the store's own clock; by default moves Effect's monotonic clock forward. */
  readonly endLeases?: Effect.Effect<void>
}

const hour = 3_600_000
const chargesPerRun = 30
/** The probabilities that receivers fail: first the companies' receivers (the first one behind TLS), then the reseller's. */
const receiversFaultiness = [0.5, 0.2, 0, 0.4]

/** Issues and pays charges, and refunds some, at random times. */
const trade = Effect.fnUntraced(function* (random: SeededRandom) {
  const charges = yield* PixCharges
  return yield* Effect.forEach(
    Array.from({ length: chargesPerRun }),
    Effect.fnUntraced(function* () {
      yield* Effect.sleep(random.between(0, 400))
      const issuer = random.pick(issuers)
      // The clock can advance by more than a day while a store is writing.
      const isLate = ({ _tag }: { readonly _tag: string }) => _tag === "ChargeExpired"
      const charge = yield* Effect.retry(
        Effect.suspend(() => paidCharge(issuer)),
        { while: isLate },
      )
      if (!random.chance(0.3)) return { charge, isRefunded: false }
      yield* Effect.sleep(random.between(0, 150))
      yield* charges.refund(charge.issuer, charge.id)
      return { charge, isRefunded: true }
    }),
    { concurrency: "unbounded" },
  )
})

/** Enables every endpoint again, including those disabled by a 410. */
const resumeAll = Effect.flatMap(CallbackEndpoints, (endpoints) =>
  Effect.forEach(endpointIds, (id) => endpoints.setStatus(id, "enabled")),
)

interface Surroundings {
  readonly clock: ShiftableClock
  readonly endLeases: Effect.Effect<void>
  readonly random: SeededRandom
}

/** Starts, stops and kills workers, and moves the clock, until no delivery waits. */
const disturb = Effect.fnUntraced(function* (
  start: Effect.Effect<Worker>,
  isTrading: () => boolean,
  { clock, endLeases, random }: Surroundings,
) {
  const outbox = yield* Outbox
  let workers = [yield* start, yield* start, yield* start]
  let rounds = 0
  while (isTrading() || (yield* outbox.depth).waiting > 0) {
    yield* Effect.sleep(10 + random.between(0, 40))
    clock.shiftUnsafe({ businessMs: random.between(0, 12 * hour) })
    if (++rounds === 5 || random.chance(0.2)) {
      const [victim, ...others] = workers
      if (victim !== undefined) yield* victim.kill
      // Only the killed worker's leases can end early: the other workers' leases are far longer than an attempt.
      yield* Effect.forEach(others, (worker) => worker.stop, { concurrency: "unbounded" })
      yield* endLeases
      workers = [yield* start, yield* start]
    }
    if (random.chance(0.3)) yield* resumeAll
    yield* Effect.forEach(workers, (worker) => worker.notifyAll)
  }
  yield* Effect.forEach(workers, (worker) => worker.stop, { concurrency: "unbounded" })
})

/** The receivers of a charge's events: the company's receiver and the reseller's receiver. */
const expectedReceivers = (receivers: ReadonlyArray<UnreliableReceiver>, { issuer }: PaidCharge) =>
  [receivers[issuers.indexOf(issuer)], receivers.at(-1)].filter((one) => one !== undefined)

const run = (underTest: EventDeliveryUnderTest, seed: number) =>
  Effect.gen(function* () {
    const random = makeSeededRandom(seed)
    const clock = makeShiftableClock()
    const endLeases = underTest.endLeases ?? Effect.sync(() => clock.shiftUnsafe({ monotonicMs: 31_000 }))
    const [first = 0, ...others] = receiversFaultiness
    const behindTls = yield* startUnreliableTlsReceiver(random, first)
    const plain = yield* Effect.forEach(others, (share) => startUnreliableReceiver(random, share))
    const receivers = [behindTls, ...plain]
    const urls = receivers.map(({ url }) => url)
    const delivery = underTest.delivery({ ca: [trustedCertificate.cert] })
    const ports = yield* Layer.build(eventPorts({ store: underTest.store, delivery, urls, clock }))
    const notes = makeNotes()
    yield* Effect.gen(function* () {
      const trading = yield* Effect.forkChild(trade(random))
      const isTrading = () => trading.pollUnsafe() === undefined
      yield* disturb(startWorker(ports, clock, notes, random), isTrading, { clock, endLeases, random })
      const traded = yield* Fiber.join(trading)
      expect(notes.afterSuccess).toEqual([])
      for (const { charge, isRefunded } of traded) {
        const paidId = chargeEventId(charge, "paid")
        const refundedId = chargeEventId(charge, "refunded")
        for (const { taken } of expectedReceivers(receivers, charge)) {
          if (!isRefunded) expect(taken).toContain(paidId)
          else {
            expect(taken).toContain(refundedId)
            // `paid` can be superseded or sent before, but is never sent after `refunded`.
            expect(taken.lastIndexOf(paidId)).toBeLessThan(taken.indexOf(refundedId))
          }
        }
      }
      expect(behindTls.stranger.received).toEqual([])
      for (const { bodies } of receivers) {
        for (const [, texts] of bodies) expect(texts.size).toBe(1)
      }
      const outbox = yield* Outbox
      for (const issuer of issuers) {
        for (const status of ["waiting", "dead"] as const) {
          expect((yield* outbox.list(issuer, { status }, { limit: 1_000 })).items).toEqual([])
        }
      }
    }).pipe(Effect.provideContext(ports))
  })

/**
 * Tests dispatcher, store and transport together, with real receivers that fail in every way and workers killed at work. Every
 * event arrives at least once, always under one id. It isn't sent again after its success was recorded. A charge's `paid` event
 * isn't sent after its refund.
 */
export const eventDeliverySuite = (name: string, underTest: EventDeliveryUnderTest): void => {
  const seeds = Array.from({ length: process.env["LONG"] === undefined ? 3 : 25 }, (_, index) => 1_000 + index)
  describe(`${name}: delivery of events`, () => {
    for (const seed of seeds) {
      it.live(
        `loses no event, sends none after its success, and keeps each id and body, with seed ${seed}`,
        () => Effect.provide(run(underTest, seed), Logger.layer([])),
        180_000,
      )
    }
  })
}

export interface UnreliableReceiver {
  readonly url: string
  readonly port: number
  /** The ids of events answered with a 2xx, in order. */
  readonly taken: ReadonlyArray<string>
  /** The bodies under each id. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>
}

type Fault = (response: ServerResponse, random: SeededRandom) => void

/** Resets the connection. A TLS connection can only be closed. */
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
  // This fault fails late, while workers are stopped and killed, but within every time limit of the worker.
  (response, random) => setTimeout(() => cut(response), random.between(0, 700)),
  // This fault looks like a lost answer of a receiver that took the event.
  cut,
  (response) => {
    response.writeHead(200, { "content-length": "100" })
    response.write("meia respos")
    setTimeout(() => cut(response), 5)
  },
]

/** The maximum number of failures of one event, which still succeeds within its ten attempts. */
const maxFaults = 5
/** The maximum number of connections that fail before the first request. */
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

const badConnections: ReadonlyArray<(socket: Socket, stranger: Receiver) => void> = [
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
  (socket, stranger) => join(socket, stranger.port),
]

const join = (socket: Socket, port: number): void => {
  const serverSocket = connect(port, "127.0.0.1")
  serverSocket.on("error", () => socket.destroy())
  socket.on("error", () => serverSocket.destroy())
  socket.pipe(serverSocket).pipe(socket)
}

/**
 * An unreliable receiver behind TLS, whose first connections fail: they are reset, answered in plain text, or served by another
 * server under an untrusted certificate, which must receive no event.
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
