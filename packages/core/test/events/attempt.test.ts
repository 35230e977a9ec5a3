import { type DeliveryOutcome, type DueDelivery, isStorableText } from "@pixcharge/core"
import type { Endpoint } from "@pixcharge/core/directory"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import { describe, expect, it } from "vitest"
import { type AttemptPorts, attemptsBy, makeAttempt, type Verdict } from "../../src/services/events/attempt.ts"
import { eventCalled } from "./dispatching.ts"

const endpoint: Endpoint = { id: "a", kinds: ["paid"], status: "enabled", target: { _tag: "Host" } }

let logged: Array<string> = []
const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
  logged.push(`${logLevel} ${Array.isArray(message) ? message[0] : message}`)
})

const makeVerdict = (
  deliver: () => Effect.Effect<DeliveryOutcome>,
  attempt = 1,
  endpoints: Partial<AttemptPorts["endpoints"]> = {},
  mayBegin = true,
): Promise<Verdict> => {
  const due: DueDelivery = { event: eventCalled("evt_1"), endpointId: "a", attempt, number: attempt }
  logged = []
  return Effect.runPromise(
    Clock.clockWith((clock) =>
      makeAttempt({
        endpoints: {
          forCompany: () => Effect.succeed([endpoint]),
          find: () => Effect.succeed(endpoint),
          setStatus: () => Effect.void,
          ...endpoints,
        },
        delivery: { deliver },
        clock,
        random: () => 0.5,
      })(due, () => mayBegin),
    ).pipe(Effect.provide(Logger.layer([logger]))),
  )
}

/** The verdict on any answer, because a host in plain JavaScript can answer anything. */
const verdictOn = (answer: unknown, attempt = 1) =>
  makeVerdict(() => Effect.succeed(answer as DeliveryOutcome), attempt)

const attempted = (verdict: Verdict) => {
  if (verdict._tag !== "Attempted") throw new Error("expected an attempt")
  return verdict
}

const strangeTexts = ["conta\0encerrada", "saldo \ud83e", "\udd9c saldo", `x${"\ud83e\udd9c".repeat(5_000)}`]

const expectKept = (text: string | undefined) => {
  expect(isStorableText(text ?? "")).toBe(true)
  expect((text ?? "").length).toBeLessThanOrEqual(1_024)
}

describe("the outcome of a host's own delivery", () => {
  it.each([1e12, Number.NaN, 1.5, -1, 0, 99, 600, "200", null])("drops the invalid status %s", async (status) => {
    for (const _tag of ["Delivered", "Retry", "Gone"]) {
      const { attempt, outcome } = attempted(await verdictOn({ _tag, status, reason: "it failed" }))
      expect("status" in attempt || "status" in outcome).toBe(false)
    }
  })

  it.each([100, 204, 410, 599])("keeps the status %d", async (status) => {
    expect(attempted(await verdictOn({ _tag: "Delivered", status })).attempt.status).toBe(status)
  })

  it.each([...strangeTexts, 7, null])("keeps reason and answer storable and within a kilobyte", async (text) => {
    const retry = attempted(await verdictOn({ _tag: "Retry", reason: text, answer: text }))
    expectKept(retry.attempt.error)
    expectKept(retry.attempt.answer)
    const { fate } = attempted(await verdictOn({ _tag: "Retry", reason: text }, 10))
    if (fate._tag !== "Dead") throw new Error("expected the tenth attempt to be the last")
    expectKept(fate.reason)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1, "soon", null])(
    "retries within a day after a Retry-After of %s",
    async (retryAfterMs) => {
      const { fate } = attempted(await verdictOn({ _tag: "Retry", reason: "it failed", retryAfterMs }))
      if (fate._tag !== "Retry") throw new Error("expected a retry")
      const restMs = fate.at - Date.now()
      expect(restMs).toBeGreaterThan(1_000)
      expect(restMs).toBeLessThanOrEqual(86_400_000)
    },
  )

  it.each([undefined, null, "Delivered", {}, { _tag: "Lost" }])("retries after the answer %s", async (answer) => {
    const { fate, attempt } = attempted(await verdictOn(answer))
    expect(fate._tag).toBe("Retry")
    expect(attempt.error).toBe("the delivery itself broke")
  })

  it("retries after the host's function throws", async () => {
    const verdict = await makeVerdict(() => {
      throw new TypeError("the host's code broke")
    })
    expect(attempted(verdict).fate._tag).toBe("Retry")
    expect(logged).toEqual(["Error A callback delivery broke"])
  })

  it("records the receiver's reason, or none after a delivery", async () => {
    const errorOf = async (outcome: DeliveryOutcome) => attempted(await verdictOn(outcome)).attempt.error
    expect(await errorOf({ _tag: "Retry", reason: "HTTP 500" })).toBe("HTTP 500")
    expect(await errorOf({ _tag: "Gone" })).toBe("the receiver wants no more events")
    expect(await errorOf({ _tag: "Delivered" })).toBeUndefined()
    const { fate } = attempted(await verdictOn({ _tag: "Retry", reason: "HTTP 500" }, 10))
    expect(fate).toEqual({ _tag: "Dead", reason: "HTTP 500" })
  })
})

describe("an attempt at an endpoint", () => {
  const gone = () => Effect.succeed<DeliveryOutcome>({ _tag: "Gone", status: 410 })
  const isDisabled = "Warn The receiver of endpoint a wants no more events (410): it is disabled"

  it("disables the endpoint after a 410, and logs it", async () => {
    const statuses: Array<readonly [string, string]> = []
    const setStatus = (id: string, status: string) => Effect.sync(() => void statuses.push([id, status]))
    expect(attempted(await makeVerdict(gone, 1, { setStatus })).outcome._tag).toBe("Gone")
    expect([statuses, logged]).toEqual([[["a", "disabled"]], [isDisabled]])
  })

  it("logs a failure to disable the endpoint, and still counts the attempt", async () => {
    const setStatus = () => Effect.die(new Error("down"))
    expect(attempted(await makeVerdict(gone, 1, { setStatus })).outcome._tag).toBe("Gone")
    expect(logged).toEqual([isDisabled, "Warn Endpoint a could not be disabled"])
  })

  it("makes no attempt if the endpoint can't be looked up or takes no events", async () => {
    const untried = { _tag: "Untried" }
    const never = () => Effect.die(new Error("the event was sent"))
    expect(await makeVerdict(never, 1, { find: () => Effect.die(new Error("down")) })).toEqual(untried)
    expect(logged).toEqual(["Warn Endpoint a could not be looked up"])
    expect(await makeVerdict(never, 1, { find: () => Effect.succeed({ ...endpoint, status: "paused" }) })).toEqual(
      untried,
    )
    expect(await makeVerdict(never, 1, {}, false)).toEqual(untried)
    expect(logged).toEqual([])
  })

  it("retries while the endpoint isn't registered, and finally makes a dead letter", async () => {
    const never = () => Effect.die(new Error("the event was sent"))
    const find = () => Effect.succeed(undefined)
    expect(attempted(await makeVerdict(never, 1, { find })).attempt.error).toBe("the endpoint is not registered")
    const reason = "the endpoint is not registered"
    expect(attempted(await makeVerdict(never, 10, { find })).fate).toEqual({ _tag: "Dead", reason })
  })
})

it("counts each attempt once, by its outcome", async () => {
  const counts = async () => {
    const values = Object.values(attemptsBy).map(
      async (metric) => (await Effect.runPromise(Metric.value(metric))).count,
    )
    return Promise.all(values)
  }
  const before = await counts()
  await verdictOn({ _tag: "Delivered" })
  for (let n = 0; n < 2; n++) await verdictOn({ _tag: "Retry", reason: "HTTP 500" })
  await verdictOn({ _tag: "Gone" })
  await verdictOn({ _tag: "Retry", reason: "HTTP 500" }, 10)
  const added = (await counts()).map((count, index) => count - (before[index] ?? 0))
  expect(Object.fromEntries(Object.keys(attemptsBy).map((name, index) => [name, added[index]]))).toEqual({
    delivered: 1,
    retry: 2,
    gone: 1,
    dead: 1,
  })
})
