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

/** A bank that numbers its tokens, and takes 10 ms for each token. */
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
  it.effect("is fetched once for all waiting calls, and kept for later calls", () =>
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

  it.effect("is used for nine tenths of a short lifetime", () =>
    Effect.gen(function* () {
      const { get } = yield* withToken(30_000)
      yield* get
      yield* TestClock.adjust(26_000)
      expect(Redacted.value((yield* get).token)).toBe("token 1")
      yield* TestClock.adjust(1_000)
      expect(Redacted.value((yield* get).token)).toBe("token 2")
    }),
  )

  it.effect("is used for four and a half minutes if the bank names no lifetime", () =>
    Effect.gen(function* () {
      const { get } = yield* withToken()
      yield* get
      yield* TestClock.adjust(270_000 - 11)
      expect(Redacted.value((yield* get).token)).toBe("token 1")
      yield* TestClock.adjust(1)
      expect(Redacted.value((yield* get).token)).toBe("token 2")
    }),
  )

  it.effect("is forgotten once the bank refuses it, but a newer token is kept", () =>
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

  it.effect("doesn't appear in a string or JSON of the token object", () =>
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

  it.effect("starts its count of failures again after a success", () =>
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

  it.effect("lets one probe through, and a successful probe closes it for all calls", () =>
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

  it.effect("stays open for the same time again after a failed probe", () =>
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
  it.effect("delays a call until a short requested pause is over", () =>
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

  it.effect("fails calls during a long pause, even if the bank requests a shorter pause meanwhile", () =>
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

/** A bank that numbers its tokens. Each is valid for an hour. */
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

describe("a bank that gives a client no token", () => {
  it.live("gets only one request for a token", () =>
    Effect.gen(function* () {
      for (const [status, text] of [
        [400, '{"error":"invalid_client"}'],
        [200, '{"error":"invalid_client"}'],
        [200, "{}"],
      ] as const) {
        let requests = 0
        const client = yield* makeClient(async () => {
          requests += 1
          return { status, text }
        })
        expect((yield* Effect.flip(client.call(lookup)))._tag).toBe("ProcessorUnavailable")
        expect(requests).toBe(1)
      }
    }),
  )
})

describe("a bank's token for notices", () => {
  it.effect("serves at most eight notice calls at once, which don't delay other calls", () =>
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

  it.live("leads to an error if the bank also refuses a fresh token", () =>
    Effect.gen(function* () {
      const { used, send, given } = numberedTokens(async () => ({ status: 401, text: "{}" }))
      const failure = yield* Effect.flip((yield* makeClient(send)).call(lookup))
      expect(failure).toMatchObject({ operation: "lookup", cause: "the bank refuses a fresh token (HTTP 401)" })
      expect([used, given()]).toEqual([["Bearer token-1", "Bearer token-2"], 2])
    }),
  )

  it.effect("is renewed without the token of other calls if the bank refuses it", () =>
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
  test("says in its message whether the bank can have acted", () => {
    const messageWith = (whether: string) => `The bank gave no usable answer, and ${whether}: retry the same call.`
    expect(makeUnanswered("x").message).toBe(messageWith("may have acted"))
    expect(failNotSent("x", 1).message).toBe(messageWith("did not act"))
  })
})

describe("a pause that a bank requests", () => {
  it.effect("is reported in the error, up to an hour", () =>
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
