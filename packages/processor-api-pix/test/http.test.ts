import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, test } from "vitest"
import { openConnection } from "../src/connection/openConnection.ts"
import { makeAccessToken } from "../src/client/AccessToken.ts"
import { makeBankBreaker, makeRateLimit, maxPauseWaitMs, openMs, rule } from "../src/client/BankGate.ts"
import { makePspClient } from "../src/client/PspClient.ts"
import { failNotSent, type HttpAnswer, makeUnanswered, type Transport } from "../src/connection/Transport.ts"
import { paymentsPath } from "../src/wire/paths.ts"

/** Numbers its tokens, and takes 10 ms for each. */
const aBank = (lifetimeMs?: number) => {
  let given = 0
  const fetchToken = Effect.delay(
    Effect.sync(() => {
      given += 1
      return { token: Redacted.make(`token ${given}`), ...(lifetimeMs !== undefined && { lifetimeMs }) }
    }),
    10,
  )
  return { fetchToken, given: () => given }
}

const withToken = (lifetimeMs?: number) =>
  Effect.gen(function* () {
    const { fetchToken, given } = aBank(lifetimeMs)
    const token = makeAccessToken(fetchToken, yield* Effect.scope)
    const get = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(token.get)
      yield* TestClock.adjust(10)
      return yield* Fiber.join(fiber)
    })
    return { token, get, given }
  })

describe("a bank's token", () => {
  it.effect("is fetched once for all waiting calls, and kept", () =>
    Effect.gen(function* () {
      const { token, get, given } = yield* withToken(3_600_000)
      const waiting = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(token.get))
      yield* TestClock.adjust(10)
      for (const fiber of waiting) expect(Redacted.value((yield* Fiber.join(fiber)).token)).toBe("token 1")
      yield* TestClock.adjust(3_000_000)
      expect(Redacted.value((yield* get).token)).toBe("token 1")
      expect(given()).toBe(1)
    }),
  )

  it.effect("is renewed a minute before its end", () =>
    Effect.gen(function* () {
      const { get } = yield* withToken(3_600_000)
      yield* get
      yield* TestClock.adjust(3_600_000 - 60_000 - 11)
      expect(Redacted.value((yield* get).token)).toBe("token 1")
      yield* TestClock.adjust(1)
      expect(Redacted.value((yield* get).token)).toBe("token 2")
    }),
  )

  it.effect("is used for most of a short lifetime", () =>
    Effect.gen(function* () {
      const { get } = yield* withToken(30_000)
      yield* get
      yield* TestClock.adjust(26_000)
      expect(Redacted.value((yield* get).token)).toBe("token 1")
      yield* TestClock.adjust(1_000)
      expect(Redacted.value((yield* get).token)).toBe("token 2")
    }),
  )

  it.effect("is used for four and a half minutes without a lifetime", () =>
    Effect.gen(function* () {
      const { get } = yield* withToken()
      yield* get
      yield* TestClock.adjust(270_000 - 11)
      expect(Redacted.value((yield* get).token)).toBe("token 1")
      yield* TestClock.adjust(1)
      expect(Redacted.value((yield* get).token)).toBe("token 2")
    }),
  )

  it.effect("is forgotten once refused, but a newer token stays", () =>
    Effect.gen(function* () {
      const { token, get } = yield* withToken(3_600_000)
      const first = yield* get
      yield* token.forget(first)
      const second = yield* get
      expect(Redacted.value(second.token)).toBe("token 2")
      yield* token.forget(first)
      expect(yield* get).toBe(second)
    }),
  )

  it.effect("appears in no text or log", () =>
    Effect.gen(function* () {
      const { get } = yield* withToken()
      expect(`${String((yield* get).token)} ${JSON.stringify(yield* get)}`).not.toContain("token 1")
    }),
  )
})

const times = (n: number, effect: Effect.Effect<void>) => Effect.forEach(Array.from({ length: n }), () => effect)

describe("the circuit breaker of a bank", () => {
  it.effect("opens after several failures in a row, and stops calls", () =>
    Effect.gen(function* () {
      const breaker = makeBankBreaker()
      yield* times(rule.failuresToOpen - 1, breaker.failed)
      yield* breaker.pass
      yield* breaker.failed
      expect(yield* Effect.flip(breaker.pass)).toMatchObject({
        cause: "circuitOpen",
        retryAfterMs: openMs,
        mayRetry: false,
        isNotExecuted: true,
      })
      yield* TestClock.adjust(openMs - 1)
      expect(yield* Effect.flip(breaker.pass)).toMatchObject({ retryAfterMs: 1 })
    }),
  )

  it.effect("starts its count again after any answer", () =>
    Effect.gen(function* () {
      const breaker = makeBankBreaker()
      yield* times(rule.failuresToOpen - 1, breaker.failed)
      yield* breaker.succeeded
      yield* times(rule.failuresToOpen - 1, breaker.failed)
      yield* breaker.pass
      yield* breaker.failed
      expect((yield* Effect.flip(breaker.pass)).cause).toBe("circuitOpen")
    }),
  )

  it.effect("lets one probe through, whose answer closes it for all calls", () =>
    Effect.gen(function* () {
      const breaker = makeBankBreaker()
      yield* times(rule.failuresToOpen, breaker.failed)
      yield* TestClock.adjust(openMs)
      yield* breaker.pass
      expect((yield* Effect.flip(breaker.pass)).cause).toBe("circuitOpen")
      yield* breaker.succeeded
      yield* breaker.pass
      yield* breaker.pass
    }),
  )

  it.effect("stays open as long again after a failed probe", () =>
    Effect.gen(function* () {
      const breaker = makeBankBreaker()
      yield* times(rule.failuresToOpen, breaker.failed)
      yield* TestClock.adjust(openMs)
      yield* breaker.pass
      yield* TestClock.adjust(openMs / 2)
      yield* breaker.failed
      expect(yield* Effect.flip(breaker.pass)).toMatchObject({ retryAfterMs: openMs })
    }),
  )
})

describe("the rate limit of a bank", () => {
  it.effect("waits out a short requested pause", () =>
    Effect.gen(function* () {
      const rateLimit = makeRateLimit()
      yield* rateLimit.pause(maxPauseWaitMs)
      const caller = yield* Effect.forkChild(rateLimit.wait)
      yield* TestClock.adjust(maxPauseWaitMs - 1)
      expect(caller.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      yield* Fiber.join(caller)
    }),
  )

  it.effect("fails calls during a long pause, which a shorter one doesn't end", () =>
    Effect.gen(function* () {
      const rateLimit = makeRateLimit()
      yield* rateLimit.pause(60_000)
      yield* rateLimit.pause(1_000)
      expect(yield* Effect.flip(rateLimit.wait)).toMatchObject({ cause: "rateLimited", retryAfterMs: 60_000 })
      yield* TestClock.adjust(60_000)
      yield* rateLimit.wait
    }),
  )
})

const tokenUrl = "https://bank.invalid/oauth/token"

const makeClient = (send: Transport["send"]) =>
  Effect.gen(function* () {
    const { transport: _, ...connection } = openConnection("12345678000195", {
      baseUrl: "https://bank.invalid",
      tokenUrl,
      clientId: "id",
      clientSecret: "secret",
      timeoutMs: 86_400_000,
      fetch,
    })
    return makePspClient({ ...connection, transport: { send, close: () => undefined } }, yield* Effect.scope)
  })

const lookup = {
  operation: "lookup",
  method: "GET",
  path: paymentsPath,
  read: () => Result.succeed(undefined),
} as const

const callTo = (answer: HttpAnswer) =>
  Effect.gen(function* () {
    const client = yield* makeClient(async ({ url }) =>
      url === tokenUrl ? { status: 200, text: '{"access_token":"token"}' } : answer,
    )
    return yield* Effect.flip(client.call(lookup))
  })

/** Numbers its tokens, each valid for an hour. */
const numberedTokens = (answer: (token: string) => Promise<HttpAnswer>) => {
  const used: Array<string> = []
  let given = 0
  const send: Transport["send"] = ({ url, headers }) => {
    if (url === tokenUrl) {
      given += 1
      return Promise.resolve({ status: 200, text: `{"access_token":"token-${given}","expires_in":3600}` })
    }
    const token = headers["authorization"] ?? ""
    used.push(token)
    return answer(token)
  }
  return { used, send, given: () => given }
}

const done: HttpAnswer = { status: 200, text: "{}" }

describe("a bank that refuses a client a token", () => {
  it.live("gets one request for a token", () =>
    Effect.gen(function* () {
      for (const [status, text] of [
        [400, '{"error":"invalid_client"}'],
        [200, '{"error":"invalid_client"}'],
        [200, "{}"],
      ] as const) {
        let asked = 0
        const client = yield* makeClient(async () => {
          asked += 1
          return { status, text }
        })
        expect((yield* Effect.flip(client.call(lookup)))._tag).toBe("ProcessorUnavailable")
        expect(asked).toBe(1)
      }
    }),
  )
})

describe("a bank's token for notices", () => {
  it.effect("serves at most eight notice calls at once, and they don't delay other calls", () =>
    Effect.gen(function* () {
      let answer = (): Promise<HttpAnswer> => new Promise(() => undefined)
      const { used, send } = numberedTokens(() => answer())
      const client = yield* makeClient(send)
      const notices = Array.from({ length: 8 }, () => client.forNotices.call(lookup))
      yield* Effect.forEach(notices, (call) => Effect.forkChild(call))
      yield* Effect.promise(() => expect.poll(() => used).toHaveLength(8))
      yield* TestClock.adjust("1 hour")
      yield* Effect.forkChild(client.forNotices.call(lookup), { startImmediately: true })
      answer = () => Promise.resolve(done)
      yield* client.call(lookup)
      expect(used).toHaveLength(9)
    }),
  )

  it.live("is unavailable if the bank refuses a fresh token", () =>
    Effect.gen(function* () {
      const { used, send, given } = numberedTokens(async () => ({ status: 401, text: "{}" }))
      const failure = yield* Effect.flip((yield* makeClient(send)).call(lookup))
      expect(failure).toMatchObject({ operation: "lookup", cause: "the bank refuses a fresh token (HTTP 401)" })
      expect([used, given()]).toEqual([["Bearer token-1", "Bearer token-2"], 2])
    }),
  )

  it.effect("is renewed separately when the bank refuses it", () =>
    Effect.gen(function* () {
      const refused = new Set<string>()
      const { used, send, given } = numberedTokens(async (token) =>
        refused.has(token) ? { status: 401, text: "{}" } : done,
      )
      const client = yield* makeClient(send)
      yield* client.call(lookup)
      yield* client.forNotices.call(lookup)
      const [others = "", notices = ""] = used
      refused.add(notices)
      yield* client.forNotices.call(lookup)
      const before = given()
      yield* client.call(lookup)
      expect([used.at(-1), given()]).toEqual([others, before])
    }),
  )
})

describe("PspUnanswered", () => {
  test("says whether the bank can have acted", () => {
    const said = (whether: string) => `The bank gave no usable answer, and ${whether}: retry the same call.`
    expect(makeUnanswered("x").message).toBe(said("may have acted"))
    expect(failNotSent("x", 1).message).toBe(said("did not act"))
  })
})

describe("a pause that a bank requests", () => {
  it.effect("is passed on, up to an hour", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12))
      const cases = [
        ["7", 7_000],
        ["Fri, 20 Nov 2026 12:00:09 GMT", 9_000],
        ["999999999", 3_600_000],
      ] as const
      for (const [retryAfter, retryAfterMs] of cases) {
        expect(yield* callTo({ status: 503, text: "", retryAfter })).toMatchObject({ retryAfterMs })
      }
    }),
  )
})
