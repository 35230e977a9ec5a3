import { it } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { once } from "node:events"
import type { RequestListener } from "node:http"
import { describe, expect, it as plainIt } from "vitest"
import { openConnection } from "../src/connection/openConnection.ts"
import { makePspClient } from "../src/client/PspClient.ts"
import { type HttpAnswer, readText, type Transport } from "../src/connection/Transport.ts"
import { paymentsPath } from "../src/wire/paths.ts"
import { readPaymentPage } from "../src/wire/PixBody.ts"
import type { Reader } from "../src/wire/Reader.ts"
import { company } from "./bank/openBank.ts"
import { transports } from "./bank/transports.ts"

const maxBytes = 8 * 1024 * 1024
const refused = { cause: "the answer is too large, or in too many pieces" }

const makeBody = async function* (...sizes: ReadonlyArray<number>) {
  for (const size of sizes) yield new Uint8Array(size).fill(97)
}

describe("the body of a bank's answer", () => {
  plainIt("is accepted up to 8 MiB in one or two pieces, and rejected with one byte more", async () => {
    expect(await readText(null)).toBe("")
    expect(await readText(makeBody(maxBytes))).toHaveLength(maxBytes)
    expect(await readText(makeBody(1, maxBytes - 1))).toHaveLength(maxBytes)
    await expect(readText(makeBody(maxBytes + 1))).rejects.toMatchObject(refused)
    await expect(readText(makeBody(maxBytes, 1))).rejects.toMatchObject(refused)
  })

  plainIt("is rejected in too many small pieces", async () => {
    const pieces = (count: number, size: number) => makeBody(...Array.from({ length: count }, () => size))
    expect(await readText(pieces(20_000, 100))).toHaveLength(2_000_000)
    await expect(readText(pieces(2_000, 1))).rejects.toMatchObject(refused)
  })

  plainIt.each(Object.entries(transports))("is cut off by %s once the body is too large", async (_, open) => {
    let isCut: Promise<unknown> = Promise.resolve()
    const [transport, url] = await open((_request, response) => {
      isCut = once(response, "close")
      const pour = (): void =>
        void (response.destroyed || response.write("a".repeat(64 * 1024), () => setImmediate(pour)))
      pour()
    })
    const sent = transport.send({ method: "GET", url, headers: {} }, new AbortController().signal)
    await expect(sent).rejects.toMatchObject(refused)
    await isCut
    transport.close()
  })

  const endless: Readonly<Record<string, RequestListener>> = {
    "before the answer begins": () => undefined,
    "in the middle of the answer": (_, response) => void response.writeHead(200).write("{"),
  }

  const cases = Object.entries(transports).flatMap(([name, open]) =>
    Object.entries(endless).map(([when, listener]) => [name, when, open, listener] as const),
  )

  plainIt.each(cases)("closes the connection over %s when the caller aborts %s", async (_, __, open, listener) => {
    const caller = new AbortController()
    let isCut: Promise<unknown> = Promise.resolve()
    const [transport, url] = await open((request, response) => {
      isCut = once(response, "close")
      listener(request, response)
      setImmediate(() => caller.abort())
    })
    await expect(transport.send({ method: "GET", url, headers: {} }, caller.signal)).rejects.toThrow(/abort/i)
    await isCut
    transport.close()
  })
})

const pass = (ms: number) =>
  Effect.gen(function* () {
    yield* Effect.promise(() => new Promise(setImmediate))
    yield* TestClock.adjust(ms)
    yield* Effect.promise(() => new Promise(setImmediate))
  })

const readAny: Reader<unknown> = () => Result.succeed("read")

const beginCall = (answer: () => Promise<HttpAnswer>, timeoutMs?: number, read: Reader<unknown> = readAny) =>
  Effect.gen(function* () {
    const { transport: _, ...connection } = openConnection(company.cnpj, {
      baseUrl: "https://bank.invalid",
      clientId: "id",
      clientSecret: "secret",
      fetch,
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
    const clock = yield* Clock.Clock
    const sentAt: Array<number> = []
    const givenUpAt: Array<number> = []
    const transport: Transport = {
      close: () => undefined,
      send: async ({ url }, signal) => {
        if (connection.tokenUrls.list().includes(url)) return { status: 200, text: '{"access_token":"token"}' }
        sentAt.push(clock.currentTimeMillisUnsafe())
        signal.addEventListener("abort", () => givenUpAt.push(clock.currentTimeMillisUnsafe()))
        return answer()
      },
    }
    const client = makePspClient({ ...connection, transport }, yield* Effect.scope)
    const call = yield* Effect.forkChild(
      Effect.flip(client.call({ operation: "lookup", method: "GET", path: paymentsPath, read })),
    )
    yield* pass(0)
    return { call, sentAt, givenUpAt }
  })

const never = () => new Promise<never>(() => undefined)

describe("PspClient", () => {
  for (const [title, given, timeoutMs] of [
    ["the default of 8 s", undefined, 8_000],
    ["the connection's timeout of 1 s", 1_000, 1_000],
  ] as const) {
    it.effect(`waits ${title} for an attempt, and 2.5 times as long for a call`, () =>
      Effect.gen(function* () {
        const { call, sentAt, givenUpAt } = yield* beginCall(never, given)
        yield* pass(timeoutMs - 1)
        expect(givenUpAt).toEqual([])
        yield* pass(1)
        expect(givenUpAt).toEqual([timeoutMs])
        yield* pass(120)
        yield* pass(timeoutMs + 240)
        expect([sentAt.length, givenUpAt.length]).toEqual([3, 2])
        yield* pass(timeoutMs * 0.5 - 361)
        expect(call.pollUnsafe()).toBeUndefined()
        yield* pass(1)
        expect(yield* Fiber.join(call)).toMatchObject({ cause: "no answer within the deadline" })
        expect(givenUpAt[2]).toBe(timeoutMs * 2.5)
      }),
    )
  }

  for (const [status, times] of [
    [408, 3],
    [425, 3],
    [500, 3],
    [599, 3],
    [400, 1],
    [404, 1],
    [426, 1],
  ] as const) {
    it.effect(`makes a call that returns ${status} ${times} times`, () =>
      Effect.gen(function* () {
        const { call, sentAt } = yield* beginCall(async () => ({ status, text: "{}" }))
        for (let round = 0; round < 10; round++) yield* pass(120)
        yield* Fiber.join(call)
        expect(sentAt).toHaveLength(times)
      }),
    )
  }

  it.effect("treats a refusal without a reason as no answer", () =>
    Effect.gen(function* () {
      for (const [status, text] of [
        [404, ""],
        [404, "null"],
        [404, " null "],
        [404, "{}"],
        [403, ""],
        [403, "null"],
        [403, "<html>"],
        [302, '{"title":"moved"}'],
      ] as const) {
        const { call, sentAt } = yield* beginCall(async () => ({ status, text }))
        expect(yield* Fiber.join(call)).toMatchObject({
          _tag: "ProcessorUnavailable",
          cause: `HTTP ${status} without JSON that says why`,
        })
        expect(sentAt).toHaveLength(1)
      }
    }),
  )

  it.effect("retries a broken answer, but not an unreadable one", () =>
    Effect.gen(function* () {
      for (const [text, times, cause] of [
        ['{"pix":', 3, "the answer is no JSON"],
        ["{}", 1, { _tag: "UnreadableAnswer", fields: ["pix"] }],
      ] as const) {
        const { call, sentAt } = yield* beginCall(async () => ({ status: 200, text }), 1_000, readPaymentPage)
        for (let round = 0; round < 10; round++) yield* pass(120)
        expect(yield* Fiber.join(call)).toMatchObject({ _tag: "ProcessorUnavailable", cause })
        expect(sentAt).toHaveLength(times)
      }
    }),
  )

  it.effect("waits up to 2 s for the Retry-After of a 503", () =>
    Effect.gen(function* () {
      for (const [retryAfter, times] of [
        ["2", 3],
        ["3", 1],
      ] as const) {
        const { call, sentAt } = yield* beginCall(async () => ({ status: 503, text: "", retryAfter }))
        for (let round = 0; round < 10; round++) yield* pass(120)
        expect(yield* Fiber.join(call)).toMatchObject({ retryAfterMs: Number(retryAfter) * 1_000 })
        expect(sentAt).toHaveLength(times)
      }
    }),
  )

  it.effect("waits a second after a 429 without Retry-After", () =>
    Effect.gen(function* () {
      const { call, sentAt } = yield* beginCall(async () => ({ status: 429, text: "" }))
      for (let round = 0; round < 30; round++) yield* pass(100)
      expect(yield* Fiber.join(call)).toMatchObject({ retryAfterMs: 1_000 })
      expect(sentAt).toEqual([0, 1_000, 2_000])
    }),
  )
})
