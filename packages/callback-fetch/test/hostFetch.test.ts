import { callbackFetch } from "@pixcharge/callback-fetch"
import { CallbackDelivery, type DeliveryOutcome } from "@pixcharge/core"
import { anHttpEndpoint, aTestEvent, startReceiver } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"

type Fetch = typeof globalThis.fetch

/** Waits real milliseconds, even under the test's clock. */
const pause = (ms: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, ms)))

const eventually = (holds: () => boolean) => Effect.promise(() => expect.poll(holds, { interval: 5 }).toBe(true))

const deliver = (fetch: Fetch, url: string): Effect.Effect<DeliveryOutcome> =>
  Effect.gen(function* () {
    return yield* (yield* CallbackDelivery).deliver(aTestEvent(), anHttpEndpoint(url), 1)
  }).pipe(Effect.provide(callbackFetch({ fetch, allowHttp: true, allowPrivateNetworks: true, ports: "any" })))

/** A fetch that remembers the signal passed to it. */
const watched = () => {
  const seen: { signal?: AbortSignal } = {}
  const own: Fetch = (input, init = {}) => {
    if (init.signal) seen.signal = init.signal
    return fetch(input, init)
  }
  return { own, isAborted: () => seen.signal?.aborted }
}

/** A fetch that ignores its signal. */
const ignoringSignal: Fetch = (input, { signal: _, ...init } = {}) => fetch(input, init)

/** An answer of a fetch that isn't the platform's. */
const statusOnly = (status: number) => ({ status, headers: new Headers(), body: null }) as Response

describe("delivery with the host's fetch", () => {
  it.effect("aborts the fetch after 15 s if the receiver never answers", () =>
    Effect.gen(function* () {
      const { own, isAborted } = watched()
      const receiver = yield* startReceiver(() => undefined)
      const sending = yield* Effect.forkChild(deliver(own, receiver.url))
      yield* eventually(() => receiver.received.length === 1)
      yield* TestClock.adjust(14_999)
      yield* pause(20)
      expect([sending.pollUnsafe(), isAborted()]).toEqual([undefined, false])
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(sending)).toEqual({ _tag: "Retry", reason: "no answer within 15 s" })
      expect(isAborted()).toBe(true)
    }),
  )

  it.effect("stops waiting after 15 s for a fetch that ignores its signal", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver(() => undefined)
      const sending = yield* Effect.forkChild(deliver(ignoringSignal, receiver.url))
      yield* eventually(() => receiver.received.length === 1)
      yield* TestClock.adjust(15_000)
      expect(yield* Fiber.join(sending)).toEqual({ _tag: "Retry", reason: "no answer within 15 s" })
    }),
  )

  it.effect("stops waiting after 15 s for an answer that never ends", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver((response) => void response.writeHead(200).write("recebi"))
      const sending = yield* Effect.forkChild(deliver(ignoringSignal, receiver.url))
      yield* eventually(() => receiver.received.length === 1)
      yield* pause(50)
      yield* TestClock.adjust(15_000)
      expect(yield* Fiber.join(sending)).toMatchObject({ _tag: "Retry", reason: "no answer within 15 s" })
    }),
  )

  it.effect("aborts the fetch when the delivery is given up", () =>
    Effect.gen(function* () {
      const receiver = yield* startReceiver(() => undefined)
      const { own, isAborted } = watched()
      const sending = yield* Effect.forkChild(deliver(own, receiver.url))
      yield* eventually(() => receiver.received.length === 1)
      yield* Fiber.interrupt(sending)
      expect(isAborted()).toBe(true)
    }),
  )

  it.effect("retries after a fetch that fails, without its error's message in the reason", () =>
    Effect.gen(function* () {
      const failing: Fetch = async () => {
        throw new TypeError("10.1.2.3 can't be reached")
      }
      expect(yield* deliver(failing, "https://receiver.example/")).toEqual({ _tag: "Retry", reason: "TypeError" })
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a fetch of somebody else's may
      const failingWithText: Fetch = () => Promise.reject("10.1.2.3 can't be reached")
      expect(yield* deliver(failingWithText, "https://receiver.example/")).toEqual({
        _tag: "Retry",
        reason: "the host's fetch failed",
      })
    }),
  )

  it.effect("reads little of a gigantic answer, and uses its status", () =>
    Effect.gen(function* () {
      let pulled = 0
      const endless: Fetch = async () =>
        new Response(
          new ReadableStream<Uint8Array>({
            pull: (controller) => {
              pulled += 16 * 1024
              controller.enqueue(new Uint8Array(16 * 1024).fill(97))
            },
          }),
        )
      const outcome = yield* deliver(endless, "https://receiver.example/")
      expect(outcome).toEqual({ _tag: "Delivered", status: 200, answer: "a".repeat(1_024) })
      expect(pulled).toBeLessThanOrEqual(128 * 1024)
    }),
  )

  const answers: ReadonlyArray<[string, Response, DeliveryOutcome]> = [
    [
      "status 429",
      new Response(null, { status: 429, headers: { "retry-after": "7" } }),
      { _tag: "Retry", reason: "HTTP 429", status: 429, retryAfterMs: 7_000 },
    ],
    [
      "a redirect",
      new Response(null, { status: 307, headers: { location: "http://127.0.0.1/" } }),
      { _tag: "Retry", reason: "redirects are not followed", status: 307 },
    ],
    ["status 410", new Response(null, { status: 410 }), { _tag: "Gone", status: 410 }],
    [
      "a body with unstorable characters",
      new Response(Buffer.concat([Buffer.from("a\ufffd\u0000b\n\tc"), Buffer.of(0xc3)])),
      { _tag: "Delivered", status: 200, answer: "a\ufffdb\n\tc" },
    ],
    ["no status", Response.error(), { _tag: "Retry", reason: "HTTP 0", status: 0 }],
    ["a status below success", statusOnly(199), { _tag: "Retry", reason: "HTTP 199", status: 199 }],
    ["the lowest redirect", statusOnly(300), { _tag: "Retry", reason: "redirects are not followed", status: 300 }],
    ["the highest redirect", statusOnly(399), { _tag: "Retry", reason: "redirects are not followed", status: 399 }],
    ["the lowest error", statusOnly(400), { _tag: "Retry", reason: "HTTP 400", status: 400 }],
  ]
  for (const [what, response, expected] of answers) {
    it.effect(`handles an answer with ${what} like the answer to any transport`, () =>
      Effect.gen(function* () {
        expect(yield* deliver(async () => response, "https://receiver.example/")).toEqual(expected)
      }),
    )
  }
})
