import { Socket } from "node:net"
import { type Answer, guardedFetch, type GuardedFetchOptions, NoAnswer } from "@pixcharge/callback-fetch"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { CallbackDelivery } from "@pixcharge/core"
import {
  anHttpEndpoint,
  aTestEvent,
  startReceiver,
  startSocketReceiver,
  trustedCertificate,
  untrustedCertificate,
} from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { afterEach, describe, expect, vi } from "vitest"
import { hostileAddresses, hostileUrls } from "./ssrf.ts"

const spyOnDials = () => vi.spyOn(Socket.prototype, "connect")

const send = (url: string, options: GuardedFetchOptions) =>
  Effect.gen(function* () {
    const transport = yield* guardedFetch(options)
    return yield* Effect.match(transport.send({ url, headers: {}, body: "{}" }), {
      onSuccess: (answer): Answer | NoAnswer => answer,
      onFailure: (failure) => failure,
    })
  })

const earlyHints = "HTTP/1.1 103 Early Hints\r\n\r\n"
const emptyAnswer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

describe("guardedFetch", () => {
  it.live("neither looks up nor dials a hostile URL", () =>
    Effect.gen(function* () {
      const dials = spyOnDials()
      const lookups: Array<string> = []
      const resolve = async (name: string) => (lookups.push(name), [])
      const delivery = Context.get(yield* Layer.build(callbackFetch({ resolve })), CallbackDelivery)
      const outcomes = yield* Effect.forEach(hostileUrls, ({ url }) =>
        delivery.deliver(aTestEvent(), anHttpEndpoint(url), 1),
      )
      expect(outcomes.map(({ _tag }) => _tag)).toEqual(hostileUrls.map(() => "Retry"))
      expect(dials).not.toHaveBeenCalled()
      expect(lookups).toEqual([])
    }),
  )

  it.live("doesn't dial a URL that the policy forbids, even without callbackFetch", () =>
    Effect.gen(function* () {
      const dials = spyOnDials()
      for (const { url } of hostileUrls)
        expect(yield* send(url, {})).toMatchObject({ _tag: "NoAnswer", reason: expect.stringContaining("not allowed") })
      expect(dials).not.toHaveBeenCalled()
    }),
  )

  const unusable: ReadonlyArray<[string, ReadonlyArray<string>]> = [
    ...hostileAddresses.map(({ address }): [string, [string]] => [`that resolves to ${address}`, [address]]),
    ["with one bad address among good ones", ["203.0.114.1", "127.0.0.1"]],
    ["without an address", []],
  ]
  for (const [which, addresses] of unusable) {
    it.live(`doesn't dial a name ${which}`, () =>
      Effect.gen(function* () {
        const answer = yield* send("https://receiver.example/", { resolve: async () => addresses })
        expect(answer).toBeInstanceOf(NoAnswer)
        expect(answer).toMatchObject({ reason: expect.stringContaining("address") })
      }),
    )
  }

  for (const [what, error, reason] of [
    ["a code", Object.assign(new Error("10.1.2.3"), { code: "ESERVFAIL" }), "ESERVFAIL"],
    ["no code", new TypeError("10.1.2.3"), "TypeError"],
    ["a code that isn't a string", Object.assign(new RangeError("10.1.2.3"), { code: 7 }), "RangeError"],
  ] as const) {
    it.live(`names the reason of a look-up that fails with ${what}, without the error's message`, () =>
      Effect.gen(function* () {
        const answer = yield* send("https://receiver.example/", { resolve: () => Promise.reject(error) })
        expect(answer).toMatchObject({ _tag: "NoAnswer", reason })
      }),
    )
  }

  const broken: ReadonlyArray<[string, (socket: Socket) => void, string]> = [
    ["closed before any answer", (socket) => socket.end(), "ECONNRESET"],
    [
      "closed in mid-answer",
      (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nre"),
      "connection lost in mid-answer",
    ],
    [
      "switched to another protocol",
      (socket) =>
        void socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
      "connection closed without an answer",
    ],
    [
      "full of informational responses",
      (socket) => void socket.write(`${earlyHints.repeat(17)}${emptyAnswer}`),
      "more than 16 informational responses",
    ],
  ]
  for (const [what, answer, reason] of broken) {
    it.live(`names the reason of a connection that is ${what}`, () =>
      Effect.gen(function* () {
        const receiver = yield* startSocketReceiver(answer)
        const options = { allowHttp: true, allowPrivateNetworks: true, ports: "any" } as const
        expect(yield* send(receiver.url, options)).toMatchObject({ _tag: "NoAnswer", reason })
      }),
    )
  }

  it.live("accepts an answer after 16 informational responses", () =>
    Effect.gen(function* () {
      const receiver = yield* startSocketReceiver((socket) => void socket.write(earlyHints.repeat(16) + emptyAnswer))
      const options = { allowHttp: true, allowPrivateNetworks: true, ports: "any" } as const
      expect(yield* send(receiver.url, options)).toMatchObject({ status: 200 })
    }),
  )

  it.live("names no address in an outcome", () =>
    Effect.gen(function* () {
      const answer = yield* send("https://receiver.example/", { resolve: async () => ["10.1.2.3"] })
      expect(JSON.stringify(answer)).not.toContain("10.1.2.3")
    }),
  )

  it.live("dials the checked address, with one look-up for each connection", () =>
    Effect.gen(function* () {
      const names: Array<string> = []
      const receiver = yield* startReceiver((response) => response.end())
      // The second look-up finds a forbidden address: a look-up between check and dial would find it too.
      const resolve = async (name: string) => {
        names.push(name)
        return [names.length === 1 ? "127.0.0.1" : "169.254.169.254"]
      }
      const options = { resolve, allowHttp: true, allowPrivateNetworks: true, ports: "any" } as const
      const transport = yield* guardedFetch(options)
      const post = { url: `http://receiver.example:${receiver.port}/`, headers: {}, body: "{}" }
      expect(yield* transport.send(post)).toMatchObject({ status: 200 })
      yield* Effect.sleep(20)
      // The reused connection was checked when it was made.
      expect(yield* transport.send(post)).toMatchObject({ status: 200 })
      expect(names).toEqual(["receiver.example"])
      for (const socket of receiver.sockets) socket.destroy()
      yield* Effect.sleep(50)
      const rebound = yield* Effect.flip(transport.send(post))
      expect(rebound.reason).toContain("address")
      expect(receiver.received).toHaveLength(2)
    }),
  )

  it.live("checks certificates even if NODE_TLS_REJECT_UNAUTHORIZED disables the check", () =>
    Effect.gen(function* () {
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
      const impostor = yield* startReceiver((response) => response.end(), untrustedCertificate)
      const answer = yield* send(impostor.url, { allowPrivateNetworks: true, ports: "any" })
      expect(answer).toMatchObject({ reason: "DEPTH_ZERO_SELF_SIGNED_CERT" })
      expect(impostor.received).toEqual([])
    }),
  )

  it.live("gives up after 5 s on a receiver that never ends the TLS handshake", () =>
    Effect.gen(function* () {
      const receiver = yield* startSocketReceiver(() => undefined)
      const url = `https://127.0.0.1:${receiver.port}/`
      expect(yield* send(url, { allowPrivateNetworks: true, ports: "any" })).toMatchObject({
        reason: "no connection within 5 s",
      })
    }),
  )

  for (const [scheme, certificate] of [
    ["http", undefined],
    ["https", trustedCertificate],
  ] as const) {
    it.live(`gives up on a silent ${scheme} receiver after 15 s, not after 5 s, and leaves no timer`, () =>
      Effect.gen(function* () {
        vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
        let resolve = (): void => undefined
        const requested = new Promise<void>((heard) => (resolve = heard))
        const ca = certificate?.cert
        const receiver = yield* startReceiver(
          (response, _post, count) => (count === 1 ? response.end() : resolve()),
          certificate,
        )
        const options = {
          allowHttp: true,
          allowPrivateNetworks: true,
          ports: "any",
          ...(ca !== undefined && { ca }),
        } as const
        expect(yield* send(receiver.url, options)).toMatchObject({ status: 200 })
        expect(vi.getTimerCount()).toBe(0)
        let outcome: Answer | NoAnswer | undefined
        const sending = yield* Effect.forkChild(
          Effect.tap(send(receiver.url, options), (ended) => Effect.sync(() => (outcome = ended))),
        )
        yield* Effect.promise(() => requested)
        vi.advanceTimersByTime(14_999)
        yield* Effect.promise(() => new Promise(setImmediate))
        expect(outcome).toBeUndefined()
        vi.advanceTimersByTime(1)
        expect(yield* Fiber.join(sending)).toMatchObject({ reason: "no answer within 15 s" })
        expect(vi.getTimerCount()).toBe(0)
      }),
    )
  }

  it.live("ignores proxies of the environment", () =>
    Effect.gen(function* () {
      const proxy = yield* startReceiver((response) => response.end())
      const receiver = yield* startReceiver((response) => response.end())
      for (const name of ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]) {
        vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`)
      }
      vi.stubEnv("NODE_USE_ENV_PROXY", "1")
      const answer = yield* send(receiver.url, { allowHttp: true, allowPrivateNetworks: true, ports: "any" })
      expect(answer).toMatchObject({ status: 200 })
      expect(proxy.connections()).toBe(0)
    }),
  )
})

describe("callbackFetch with the host's own fetch", () => {
  it.live("uses the host's fetch, doesn't follow redirects, and still checks the URL's text", () =>
    Effect.gen(function* () {
      const calls: Array<{ url: string; redirect: string | undefined }> = []
      const fetch = async (input: string | URL | Request, init?: RequestInit) => {
        calls.push({ url: String(input), redirect: init?.redirect })
        return new Response("feito", { status: 202 })
      }
      const delivery = Context.get(yield* Layer.build(callbackFetch({ fetch })), CallbackDelivery)
      const ping = (url: string) => delivery.deliver(aTestEvent(), anHttpEndpoint(url), 1)
      const outcomes = [yield* ping("https://receiver.example/"), yield* ping("https://127.0.0.1/")]
      expect(outcomes).toMatchObject([{ _tag: "Delivered", status: 202, answer: "feito" }, { _tag: "Retry" }])
      expect(calls).toEqual([{ url: "https://receiver.example/", redirect: "manual" }])
      expect(outcomes[1]).toMatchObject({ reason: "the callback URL is not allowed: address" })
    }),
  )
})
