import { EventDispatcher, OutboxSignal } from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import { describe, expect, it } from "vitest"
import { oldestAge, queueDepth } from "../../src/services/events/attempt.ts"
import { eventCalled, failure, makeWorld, ok, pass } from "./dispatching.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

describe("EventDispatcher", () => {
  it("delivers events that wait at its start, and settles them as delivered", async () => {
    const world = makeWorld()
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(pass(100))
    expect(world.sent.map((one) => one.eventId)).toEqual(["evt_1"])
    expect(row.state).toBe("delivered")
    expect(row.log).toMatchObject([{ status: 200 }])
  })

  it("is woken by the signal, and otherwise finds new events within 5 s", async () => {
    const world = makeWorld()
    await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        world.add(eventCalled("evt_notified"), "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(20, 5)
        expect(world.sent.map((one) => one.eventId)).toEqual(["evt_notified"])
        yield* pass(minute)
        world.add(eventCalled("evt_polled"), "a")
        yield* pass(5 * second + 20)
        expect(world.sent.map((one) => one.eventId)).toEqual(["evt_notified", "evt_polled"])
      }),
    )
  })

  it("sends only during its rounds when it works on demand", async () => {
    const world = makeWorld()
    world.add(eventCalled("evt_1"), "a")
    const scenario = Effect.gen(function* () {
      const { health, roundWithin } = yield* EventDispatcher
      yield* pass(minute)
      expect(world.sent).toEqual([])
      expect(yield* roundWithin(second)).toEqual({ more: false })
      expect(world.sent.map((one) => one.eventId)).toEqual(["evt_1"])
      expect(yield* health).toEqual({ inFlight: 0, failing: [] })
    })
    await world.run(scenario, EventDispatcher.onDemand)
  })

  it("makes no claim in a round that can't record deliveries, and ends the round in time", async () => {
    const world = makeWorld()
    world.failing.settle = true
    world.add(eventCalled("evt_1"), "a")
    const scenario = Effect.gen(function* () {
      const { roundWithin } = yield* EventDispatcher
      const round = yield* Effect.forkChild(roundWithin(10 * second))
      yield* pass(second)
      const claims = world.calls.claim
      // Attempts under way can take 20 s more.
      yield* pass(30 * second)
      expect(yield* Fiber.join(round)).toEqual({ more: true })
      expect(world.calls.claim).toBe(claims)
    })
    await world.run(scenario, EventDispatcher.onDemand)
    expect(world.sent).toHaveLength(1)
  })

  it("looks every 5 s while idle, and claims only what a look finds", async () => {
    const world = makeWorld()
    await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        const before = { ...world.calls }
        yield* pass(minute)
        expect([world.calls.look - before.look, world.calls.claim - before.claim]).toEqual([12, 0])
        world.add(eventCalled("evt_1"), "a")
        yield* pass(5 * second)
        expect(world.sent.map(({ eventId }) => eventId)).toEqual(["evt_1"])
        expect(world.calls.claim - before.claim).toBeLessThan(3)
      }),
    )
  })

  it("doesn't look again soon after a claim that left no delivery", async () => {
    const world = makeWorld()
    world.add(eventCalled("evt_1"), "a")
    await world.run(pass(4 * second, 50))
    expect([world.sent.length, world.calls.claim]).toEqual([1, 1])
  })

  it("tries ten times by the schedule of decision 24, spread by a fifth, then marks the event dead", async () => {
    const world = makeWorld(() => failure)
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second)
        while (row.state === "waiting") {
          const sent = world.sent.length
          // Endpoints cool down on the monotonic clock, at most for a minute.
          const waitMs = row.nextAt - (yield* Clock.currentTimeMillis)
          yield* world.jump(Math.max(0, waitMs - minute))
          while (world.sent.length === sent) yield* pass(second)
          yield* pass(second)
        }
        yield* world.jump(30 * hour)
        yield* pass(minute)
      }),
    )
    expect(row.state).toBe("dead")
    expect(row.log).toHaveLength(10)
    const schedule = [
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ]
    schedule.forEach((delay, index) => {
      const waited = (world.sent[index + 1]?.at ?? 0) - (world.sent[index]?.at ?? 0)
      expect(waited).toBeGreaterThanOrEqual(delay * 0.8)
      expect(waited).toBeLessThanOrEqual(delay * 1.2 + 25 * second)
    })
  })

  it("waits for the receiver's Retry-After, at most a day", async () => {
    const world = makeWorld(() => ({ _tag: "Retry", status: 429, reason: "HTTP 429", retryAfterMs: 7 * minute }))
    const patient = makeWorld(() => ({ _tag: "Retry", status: 503, reason: "HTTP 503", retryAfterMs: 900 * hour }))
    world.add(eventCalled("evt_1"), "a")
    patient.add(eventCalled("evt_1"), "a")
    await world.run(pass(10 * minute))
    const aDayLater = Effect.andThen(patient.jump(24 * hour - 10 * minute), pass(15 * minute, second))
    await patient.run(Effect.andThen(pass(second), aDayLater))
    const gapMs = ({ sent }: typeof world) => (sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)
    expect(gapMs(world)).toBeGreaterThanOrEqual(7 * minute)
    expect(gapMs(world)).toBeLessThanOrEqual(7 * minute + 5 * second)
    expect(gapMs(patient)).toBeGreaterThanOrEqual(24 * hour)
    expect(gapMs(patient)).toBeLessThanOrEqual(24 * hour + 2 * minute)
  })

  it("disables an endpoint after a 410, and keeps its events waiting", async () => {
    const world = makeWorld(() => ({ _tag: "Gone", status: 410 }))
    const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => world.add(eventCalled(`evt_${n}`), "a"))
    const tenMinutes = pass(10 * minute, second)
    await world.run(Effect.andThen(tenMinutes, Effect.andThen(world.jump(3 * hour), tenMinutes)))
    expect(world.statuses.get("a")).toBe("disabled")
    expect(world.sent.length).toBeLessThanOrEqual(4)
    expect(rows.every((row) => row.state === "waiting")).toBe(true)
  })

  it("holds a paused endpoint's events until the endpoint is resumed", async () => {
    const world = makeWorld()
    world.statuses.set("paused", "paused")
    const rows = Array.from({ length: 300 }, (_, n) => world.add(eventCalled(`evt_${n}`), "paused"))
    world.add(eventCalled("evt_other"), "other")
    await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        expect(world.sentTo("paused")).toHaveLength(0)
        expect(world.sentTo("other")).toHaveLength(1)
        expect(world.excepted.at(-1)).toEqual(["paused"])
        world.statuses.set("paused", "enabled")
        yield* pass(6 * second)
        expect(world.sentTo("paused")).toHaveLength(300)
      }),
    )
    expect(rows.every((row) => row.state === "delivered" && row.attempts === 1)).toBe(true)
  })

  it("tries the waiting deliveries of a removed endpoint, and records the reason", async () => {
    const world = makeWorld()
    world.statuses.set("a", "paused")
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        expect(row.attempts).toBe(0)
        world.unknown.add("a")
        yield* pass(10 * second)
      }),
    )
    expect(row.log[0]).toMatchObject({ error: "the endpoint is not registered" })
  })

  it("counts attempts at an unregistered endpoint, and delivers once it is registered again", async () => {
    const world = makeWorld()
    world.unknown.add("ghost")
    const row = world.add(eventCalled("evt_1"), "ghost")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second)
        expect(row.log).toMatchObject([{ error: "the endpoint is not registered" }])
        expect(world.sent).toHaveLength(0)
        world.unknown.clear()
        yield* pass(12 * second)
      }),
    )
    expect(row.state).toBe("delivered")
  })

  const countingWorld = (latencyMs: (underWay: number) => number) => {
    const count = { underWay: 0, peak: 0 }
    const world = makeWorld(() =>
      Effect.gen(function* () {
        count.peak = Math.max(count.peak, ++count.underWay)
        yield* Effect.sleep(latencyMs(count.underWay))
        count.underWay--
        return ok
      }),
    )
    return { world, count }
  }

  it("raises an endpoint's limit from four to 64 deliveries while it stays fast", async () => {
    const { world, count } = countingWorld(() => 100)
    for (let n = 0; n < 3_000; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(90, 10)
        expect(count.peak).toBe(4)
        yield* pass(15 * second, 50)
      }),
    )
    expect(count.peak).toBe(64)
    expect(world.sent).toHaveLength(3_000)
  })

  it("keeps the limit low for an endpoint that slows down under load", async () => {
    const { world, count } = countingWorld((underWay) => underWay * 50)
    for (let n = 0; n < 300; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(pass(30 * second, 50))
    expect(count.peak).toBeLessThanOrEqual(8)
    expect(world.sent).toHaveLength(300)
  })

  it("shares an endpoint's limit among its queues", async () => {
    const { world, count } = countingWorld(() => 100)
    for (let n = 0; n < 40; n++) {
      const issuer = `${n % 10}2345678000195` as Cnpj
      world.add({ ...eventCalled(`evt_${n}`), issuer }, "reseller")
    }
    await world.run(
      Effect.gen(function* () {
        yield* pass(90, 10)
        expect(count.peak).toBe(4)
        yield* pass(3 * second, 50)
        expect(world.sent).toHaveLength(40)
        const companies = world.sent.slice(0, 14).map(({ eventId }) => Number(eventId.slice(4)) % 10)
        expect(new Set(companies).size).toBe(10)
      }),
    )
  })

  it("delivers to a healthy endpoint while 60 other endpoints hang", async () => {
    const world = makeWorld(({ endpointId }) =>
      endpointId.startsWith("dead") ? Effect.delay(Effect.succeed(failure), 15 * second) : ok,
    )
    for (let n = 0; n < 3_000; n++) world.add(eventCalled(`evt_dead_${n}`), `dead${n % 60}`)
    for (let n = 0; n < 500; n++) world.add(eventCalled(`evt_${n}`), "healthy")
    await world.run(
      Effect.gen(function* () {
        yield* pass(2 * second, 5)
        expect(world.sentTo("healthy")).toHaveLength(500)
      }),
    )
  })

  it("stops after five failures in a row, and then probes with one delivery at a time", async () => {
    const world = makeWorld(({ endpointId }) => (endpointId === "down" ? failure : ok))
    for (let n = 0; n < 400; n++) world.add(eventCalled(`evt_${n}`), "down")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second)
        const first = world.sent.length
        expect(first).toBeGreaterThanOrEqual(5)
        expect(first).toBeLessThanOrEqual(8)
        expect((yield* (yield* EventDispatcher).health).failing.map((r) => r.endpointId)).toEqual(["down"])
        yield* pass(10 * minute, second)
        // Cool-downs of 5, 10, 20, 40 and then 60 s.
        expect(world.sent.length - first).toBeLessThanOrEqual(14)
        expect(world.sent.length - first).toBeGreaterThanOrEqual(11)
      }),
    )
  })

  it("delivers all waiting events once a failing endpoint recovers", async () => {
    let isDown = true
    const world = makeWorld(() => (isDown ? failure : ok))
    for (let n = 0; n < 300; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(minute, second)
        isDown = false
        yield* pass(6 * minute + minute, second)
      }),
    )
    expect(world.rows.filter((row) => row.state !== "delivered")).toEqual([])
  })

  it("continues after refusals of single events", async () => {
    const world = makeWorld(({ eventId }) =>
      eventId.startsWith("evt_bad") ? { _tag: "Retry", status: 404, reason: "HTTP 404" } : ok,
    )
    for (let n = 0; n < 40; n++) world.add(eventCalled(`evt_bad_${n}`), "a")
    world.add(eventCalled("evt_good"), "a")
    await world.run(pass(second))
    expect(world.sent.map((one) => one.eventId)).toContain("evt_good")
  })

  it("continues after an outage of the store, and records the deliveries made meanwhile", async () => {
    const world = makeWorld()
    world.failing.settle = true
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(20 * second)
        world.failing.claim = true
        yield* pass(10 * second)
        world.failing.claim = false
        world.failing.settle = false
        yield* pass(10 * second)
      }),
    )
    expect(row.state).toBe("delivered")
    expect(world.sent).toHaveLength(1)
  })

  it("retries a failing store every second for claims, and every 2 s for settlements", async () => {
    const world = makeWorld()
    world.failing.claim = true
    const silent = makeWorld()
    silent.failing.settle = true
    silent.add(eventCalled("evt_1"), "a")
    const callsIn = (ofWorld: typeof world, operation: "claim" | "settle") =>
      ofWorld.run(
        Effect.gen(function* () {
          yield* pass(minute)
          const before = ofWorld.calls[operation]
          yield* pass(20 * second)
          expect(ofWorld.calls[operation] - before).toBe(operation === "claim" ? 20 : 10)
          ofWorld.failing[operation] = false
        }),
      )
    await callsIn(world, "claim")
    await callsIn(silent, "settle")
  })

  it("makes no claim while it can't record deliveries, to avoid sending them twice", async () => {
    const world = makeWorld()
    world.failing.settle = true
    world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(10 * second)
        const { claim } = world.calls
        yield* pass(20 * second)
        expect(world.calls.claim).toBe(claim)
        world.failing.settle = false
        yield* pass(10 * second)
        expect(world.calls.claim).toBeGreaterThan(claim)
      }),
    )
  })

  it("reads a late delivery again, and never sends a superseded delivery", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 3 * second))
    const rows = Array.from({ length: 12 }, (_, n) => world.add(eventCalled(`evt_${n}`), "slow"))
    await world.run(
      Effect.gen(function* () {
        yield* pass(second)
        const last = rows.at(-1)
        if (last) last.state = "superseded"
        yield* pass(30 * second)
      }),
    )
    expect(world.sent.map((one) => one.eventId)).not.toContain("evt_11")
    expect(world.sent).toHaveLength(11)
    expect(world.rows.every(({ attempts }) => attempts <= 1)).toBe(true)
  })

  it("renews the lease of a slow delivery, so it is sent once", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 100 * second))
    const row = world.add(eventCalled("evt_1"), "slow")
    await world.run(pass(2 * minute))
    expect(world.sent).toHaveLength(1)
    expect(row.state).toBe("delivered")
  })

  it("renews the lease of a slow settlement that releases it, so its delivery is sent once", async () => {
    const world = makeWorld()
    world.slow.settleMs = 40 * second
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(pass(minute))
    expect(world.sent).toHaveLength(1)
    expect(row.state).toBe("delivered")
  })

  it("doesn't renew a lease that a settlement has just released", async () => {
    const world = makeWorld(({ eventId }) => (eventId === "evt_1" ? Effect.delay(Effect.succeed(ok), 9_900) : ok))
    world.slow.releasedMs = 500
    world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(10_500, 50)
        expect([world.calls.settle, world.calls.release]).toEqual([1, 1])
        world.add(eventCalled("evt_2"), "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(100, 50)
        expect(world.sent.map(({ eventId }) => eventId)).toEqual(["evt_1", "evt_2"])
      }),
    )
  })

  it("releases and reclaims a busy queue whose lease can't be renewed", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 200))
    world.failing.renew = true
    for (let n = 0; n < 20_000; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(pass(20 * second, 50))
    const gaps = world.sent.map(({ at }, index) => at - (world.sent[index - 1]?.at ?? at))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * 200 + 100)
  })

  it("releases queues that wait for a slow receiver within seconds", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 10 * second))
    for (let n = 0; n < 200; n++) world.add({ ...eventCalled(`evt_${n}`), issuer: `${n}` as Cnpj }, "slow")
    await world.run(
      Effect.gen(function* () {
        yield* pass(5 * second)
        expect(world.leasedAt(yield* Clock.currentTimeMillis).length).toBeLessThanOrEqual(4)
      }),
    )
  })

  it("leaves a queue to the process that has taken it over", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 3 * second))
    for (let n = 0; n < 100; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second)
        world.takeOver("a", (yield* Clock.currentTimeMillis) + minute)
        yield* pass(30 * second)
        // At most the deliveries under way and those read in the second before.
        expect(world.sent.length).toBeLessThanOrEqual(8)
        expect(world.rows.every(({ attempts }) => attempts === 0)).toBe(true)
        yield* pass(minute)
        expect(world.sent.length).toBeGreaterThan(50)
      }),
    )
  })

  it("doesn't renew a failing endpoint's lease during its cool-down", async () => {
    const world = makeWorld(() => failure)
    for (let n = 0; n < 20; n++) world.add(eventCalled(`evt_${n}`), "down")
    await world.run(
      Effect.gen(function* () {
        yield* pass(2 * second)
        expect(world.leasedAt(yield* Clock.currentTimeMillis)).toEqual(["down"])
        const { renew } = world.calls
        yield* pass(2 * second)
        expect(world.calls.renew).toBe(renew)
        expect((yield* (yield* EventDispatcher).health).inFlight).toBe(0)
      }),
    )
  })

  it("keeps a failing endpoint's queue during the cool-down, even if no delivery is left to send", async () => {
    const world = makeWorld(() => ({ ...failure, status: 503, retryAfterMs: 20 * second }))
    world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second, 50)
        expect(world.sent).toHaveLength(1)
        expect(world.leasedAt(yield* Clock.currentTimeMillis)).toEqual(["a"])
      }),
    )
  })

  it("frees a failing endpoint's queue 100 ms before the cool-down ends", async () => {
    const world = makeWorld(() => failure)
    for (let n = 0; n < 8; n++) world.add(eventCalled(`evt_${n}`), "down")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second, 10)
        const [coolDown] = (yield* (yield* EventDispatcher).health).failing
        const freeAt = (coolDown?.until ?? 0) - 100
        expect(world.leasedAt(freeAt - 1)).toEqual(["down"])
        expect(world.leasedAt(freeAt)).toEqual([])
      }),
    )
  })

  it.each([
    [5_000, 1],
    [5_010, 0],
  ])("renews the lease of a queue claimed at %d ms %d times until 10 s", async (leasedAt, renewed) => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 8 * second))
    await world.run(
      Effect.gen(function* () {
        yield* pass(leasedAt, 10)
        world.add(eventCalled("evt_1"), "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(10 * second - leasedAt, 10)
        expect(world.sent).toEqual([{ endpointId: "a", eventId: "evt_1", at: leasedAt }])
        expect(world.calls.renew).toBe(renewed)
      }),
    )
  })

  it.each([
    [15, "at once", 2],
    [16, "25 ms later", 1],
  ])("after a claim of %d queues, claims the next commit %s", async (queues, _, claims) => {
    const world = makeWorld()
    for (let n = 0; n < queues; n++) world.add(eventCalled(`evt_${n}`), `endpoint${n}`)
    await world.run(
      Effect.gen(function* () {
        yield* pass(10, 1)
        world.add(eventCalled("evt_next"), "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(14, 1)
        expect(world.calls.claim).toBe(claims)
        yield* pass(1, 1)
        expect(world.sentTo("a")).toHaveLength(1)
      }),
    )
  })

  it.each(["named", "not named"])(
    "sends a charge's deliveries one after the other, if the second commit is %s by the signal",
    async (how) => {
      let underWay = 0
      const world = makeWorld(() =>
        Effect.gen(function* () {
          expect(++underWay).toBe(1)
          yield* Effect.sleep(350)
          underWay--
          return ok
        }),
      )
      const ofCharge = (id: string): PixEvent => ({
        ...eventCalled(id),
        kind: "paid",
        payment: { chargeId: "8f14e45f-ceea-467f-ab8a-3f0f5a4d7d10" } as never,
      })
      world.add(ofCharge("evt_paid"), "a")
      await world.run(
        Effect.gen(function* () {
          yield* pass(100, 10)
          const [paid] = world.rows
          if (paid) paid.state = "superseded"
          const { event, endpointId } = world.add(ofCharge("evt_refunded"), "a")
          const signal = yield* OutboxSignal
          yield* how === "named" ? signal.notify([{ event, endpointId }]) : signal.notifyAll
          yield* pass(100, 10)
          expect(world.sent).toHaveLength(1)
          yield* pass(170, 10)
          expect(world.sent.map(({ eventId }) => eventId)).toEqual(["evt_paid", "evt_refunded"])
          yield* pass(300, 10)
        }),
      )
    },
  )

  it("finds a commit in a queue that is being released", async () => {
    const world = makeWorld()
    world.slow.releaseMs = 200
    world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(100, 10)
        expect(world.calls.release).toBe(1)
        world.add(eventCalled("evt_2"), "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(90, 10)
        expect(world.sent).toHaveLength(1)
        yield* pass(50, 10)
        expect(world.sent).toHaveLength(2)
      }),
    )
  })

  it("sends deliveries claimed before the store has answered the release", async () => {
    const world = makeWorld()
    world.slow.releasedMs = 5 * second
    world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(100, 10)
        expect(world.calls.release).toBe(1)
        world.add(eventCalled("evt_2"), "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(100, 10)
        expect(world.sent.map(({ eventId }) => eventId)).toEqual(["evt_1", "evt_2"])
      }),
    )
  })

  it("finds a commit within a second in a queue that another process releases", async () => {
    const world = makeWorld()
    world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        world.takeOver("a", (yield* Clock.currentTimeMillis) + 300)
        world.add(eventCalled("evt_2"), "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(second, 50)
        expect(world.sent.map(({ eventId }) => eventId)).toEqual(["evt_1", "evt_2"])
      }),
    )
  })

  it("doesn't resend a delivery that was settled during a read", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 100))
    world.slow.readMs = 150
    for (let n = 0; n < 60; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(pass(20 * second, 50))
    expect(world.rows.filter(({ state }) => state !== "delivered")).toEqual([])
    expect(world.sent).toHaveLength(60)
  })

  it("sleeps until the next delivery comes due", async () => {
    const world = makeWorld()
    await world.run(
      Effect.gen(function* () {
        const began = yield* Clock.currentTimeMillis
        world.add(eventCalled("evt_later"), "a", began + 12_300)
        yield* pass(12_200, 100)
        const before = world.calls.claim
        expect(world.sent).toHaveLength(0)
        yield* pass(250, 10)
        expect(world.sent).toHaveLength(1)
        expect(before).toBeLessThan(12)
      }),
    )
  })

  it("settles attempts under way and releases their queue when it ends", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 3 * second))
    for (let n = 0; n < 10; n++) world.add(eventCalled(`evt_${n}`), "slow")
    const done = world.run(pass(second))
    await done
    expect(world.sent).toHaveLength(4)
    expect(world.rows.filter((row) => row.state === "delivered")).toHaveLength(4)
    expect(world.rows.filter((row) => row.state === "waiting" && row.attempts === 0)).toHaveLength(6)
    expect(world.leasedAt(4 * second)).toEqual([])
  })

  it("ends immediately when idle, even while it sleeps", async () => {
    const world = makeWorld()
    expect(await world.run(pass(minute))).toBeLessThanOrEqual(250)
    expect(world.leasedAt(0)).toEqual([])
  })

  it("ends as soon as a claim under way is answered", async () => {
    const world = makeWorld()
    const endMs = await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        world.slow.claimMs = 300
        world.add(eventCalled("evt_1"), "a")
        const { claim } = world.calls
        while (world.calls.claim === claim) yield* pass(10)
      }),
    )
    expect(endMs).toBeLessThanOrEqual(500)
  })

  it("ends after 20 s, even if a delivery never ends", async () => {
    const world = makeWorld(() => Effect.never)
    world.add(eventCalled("evt_1"), "a")
    const endMs = await world.run(pass(second))
    expect(endMs).toBeGreaterThanOrEqual(20 * second)
    expect(endMs).toBeLessThan(21 * second)
  })

  it.each(["named", "not named"])(
    "sends a new delivery during a slow delivery of the queue, if its commit is %s by the signal",
    async (how) => {
      const world = makeWorld(({ eventId }) => (eventId === "evt_slow" ? Effect.delay(Effect.succeed(ok), 400) : ok))
      world.add(eventCalled("evt_slow"), "a")
      await world.run(
        Effect.gen(function* () {
          yield* pass(100, 10)
          const { event, endpointId } = world.add(eventCalled("evt_quick"), "a")
          const signal = yield* OutboxSignal
          yield* how === "named" ? signal.notify([{ event, endpointId }]) : signal.notifyAll
          yield* pass(100, 10)
          expect(world.sent.map(({ eventId }) => eventId)).toEqual(["evt_slow", "evt_quick"])
        }),
      )
    },
  )

  it("retries a delivery that breaks", async () => {
    const world = makeWorld((_, attempt) => (attempt === 1 ? Effect.die("boom") : ok))
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(pass(15 * second))
    expect(row.state).toBe("delivered")
    expect(row.log).toHaveLength(2)
    expect(JSON.stringify(row.log)).not.toContain("boom")
  })

  it.each(["breaks", "throws"])("delivers once a look-up that %s works again", async (how) => {
    const world = makeWorld()
    const error = new TypeError("secrets is null")
    if (how === "breaks") world.lookUps.set("a", Effect.die(error))
    else world.throwing.set("a", error)
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        expect(world.leasedAt(yield* Clock.currentTimeMillis)).toEqual([])
        world.lookUps.clear()
        world.throwing.clear()
        yield* pass(10 * second)
      }),
    )
    expect(row.state).toBe("delivered")
    expect(row.attempts).toBe(1)
  })

  it.each([
    ["breaks", Effect.die(new TypeError("secrets is null"))],
    ["hangs", Effect.never],
  ])("after a look-up that %s, finds a paused endpoint again and doesn't delay other endpoints", async (_, lookUp) => {
    const world = makeWorld()
    world.statuses.set("paused", "paused")
    const row = world.add(eventCalled("evt_paused"), "paused")
    await world.run(
      Effect.gen(function* () {
        yield* pass(3 * second)
        world.lookUps.set("paused", lookUp)
        yield* pass(minute)
        world.add(eventCalled("evt_1"), "healthy")
        yield* pass(5 * second + 20)
        expect(world.sentTo("healthy")).toHaveLength(1)
        world.lookUps.clear()
        world.statuses.set("paused", "enabled")
        yield* pass(15 * second)
      }),
    )
    expect(row.state).toBe("delivered")
  })

  it("delivers even if every claim takes longer than its deliveries stay fresh", async () => {
    const world = makeWorld()
    world.slow.claimMs = 3 * second
    for (let n = 0; n < 20; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(pass(20 * second))
    expect(world.sent).toHaveLength(20)
  })

  it("reads deliveries again if their claim took half a lease", async () => {
    const world = makeWorld()
    world.slow.claimMs = 20 * second
    world.failing.renew = true
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(30 * second)
        expect(world.sent).toHaveLength(0)
        world.slow.claimMs = 0
        world.failing.renew = false
        yield* pass(minute)
      }),
    )
    expect(row.state).toBe("delivered")
  })

  it("doesn't send a delivery whose look-up outlasted half the lease", async () => {
    const world = makeWorld()
    const endpoint = { id: "a", kinds: ["paid"], status: "enabled", target: { _tag: "Host" } } as const
    world.lookUps.set("a", Effect.delay(Effect.succeed(endpoint), 20 * second))
    world.failing.renew = true
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(45 * second)
        expect(world.sent).toHaveLength(0)
        expect(row.attempts).toBe(0)
        world.lookUps.delete("a")
        yield* pass(minute)
      }),
    )
    expect(row.state).toBe("delivered")
    expect(world.sent).toHaveLength(1)
  })

  it("reads a queue immediately if its claim brought no deliveries", async () => {
    const world = makeWorld()
    world.bare.claims = true
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(pass(second))
    expect(row.state).toBe("delivered")
    expect(world.calls.claim).toBeLessThan(5)
  })

  it.each([
    ["claim", "The outbox could not be read"],
    ["read", "The outbox could not be read"],
    ["settle", "Deliveries could not be settled"],
    ["renew", "Leases could not be renewed"],
    ["release", "Leases could not be released"],
    ["look", "The due work could not be read"],
  ] as const)("continues after a defect of the store's %s, and logs: %s", async (operation, message) => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 20 * second))
    world.failing[operation] = "with a defect"
    const row = world.add(eventCalled("evt_1"), "a")
    world.statuses.set("paused", "paused")
    world.add(eventCalled("evt_2"), "paused")
    await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        expect(world.calls[operation]).toBeGreaterThan(0)
        expect(world.logged).toContain(message)
        world.failing[operation] = false
        yield* pass(minute)
      }),
    )
    expect(row.state).toBe("delivered")
    expect(world.sent).toHaveLength(1)
  })

  it("delivers to a healthy endpoint while 1 200 other endpoints hang", async () => {
    const world = makeWorld(({ endpointId }) =>
      endpointId.startsWith("dead") ? Effect.delay(Effect.succeed(failure), 15 * second) : ok,
    )
    for (let n = 0; n < 6_000; n++) world.add(eventCalled(`evt_dead_${n}`), `dead${n % 1_200}`)
    await world.run(
      Effect.gen(function* () {
        yield* pass(2 * second, 50)
        world.add(eventCalled("evt_healthy"), "healthy")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(3 * second)
        expect(world.sentTo("healthy")).toHaveLength(1)
      }),
    )
  })

  it("releases the queues of a claim that is answered while the dispatcher ends", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 2.5 * second))
    const first = world.add(eventCalled("evt_first"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second)
        world.slow.claimMs = 3 * second
        world.slow.settleMs = 200
        for (let n = 0; n < 50; n++) world.add(eventCalled(`evt_${n}`), "b")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(second)
      }),
    )
    expect(first.state).toBe("delivered")
    expect(world.calls.release).toBeGreaterThan(0)
    expect(world.leasedAt(7 * second)).toEqual([])
  })

  it("records the start and duration of an attempt", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 301))
    const row = world.add(eventCalled("evt_1"), "a", 1_700)
    await world.run(pass(3 * second, 1))
    expect(row.log).toEqual([{ startedAt: 1_700, latencyMs: 301, status: 200 }])
  })

  it("claims at most 256 queues at a time", async () => {
    const world = makeWorld()
    await world.run(pass(100))
    expect(world.limits[0]).toBe(256)
  })

  it("begins no delivery of a queue once a renewal finds its lease lost", async () => {
    const world = makeWorld(({ eventId }) =>
      Effect.delay(Effect.succeed(ok), eventId === "evt_slow" ? 12 * second : 700),
    )
    world.add(eventCalled("evt_slow"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(9.5 * second)
        for (let n = 0; n < 10; n++) world.add(eventCalled(`evt_${n}`), "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(100, 10)
        expect(world.sent).toHaveLength(4)
        world.takeOver("a", minute)
        // The renewal is at 10 s. Three attempts end at 10.2 s; deliveries read at 9.5 s are fresh until 10.5 s.
        yield* pass(850, 10)
        expect(world.sent).toHaveLength(4)
      }),
    )
  })

  it("releases a queue that was lost and leased again, once its attempts have ended, and makes each of them once", async () => {
    const world = makeWorld(({ eventId }) =>
      Effect.delay(Effect.succeed(ok), eventId === "evt_slow" ? 20 * second : 100),
    )
    world.add(eventCalled("evt_slow"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(9.5 * second)
        // The renewal at 10 s finds the lease lost.
        world.takeOver("a", 12 * second)
        yield* pass(8 * second)
        expect(world.leasedAt(yield* Clock.currentTimeMillis)).toEqual(["a"])
        // The attempt of the lost lease is still out.
        expect(world.sent).toHaveLength(1)
        world.add(eventCalled("evt_next"), "a")
        yield* pass(8 * second)
        expect(world.sent.map(({ eventId }) => eventId)).toContain("evt_next")
      }),
    )
  })

  it("releases the new lease of a queue after an attempt that began under the lost lease", async () => {
    const world = makeWorld(({ eventId }) => Effect.delay(Effect.succeed(ok), eventId === "evt_1" ? 35_000 : minute))
    world.failing.renew = true
    // The endpoint has no room, so its queues aren't read again meanwhile.
    for (const n of [1, 2, 3, 4]) {
      world.add({ ...eventCalled(`evt_${n}`), issuer: `1234567800019${n}` as Cnpj }, "a")
    }
    await world.run(pass(45 * second))
    expect(world.sent.filter(({ eventId }) => eventId === "evt_1")).toHaveLength(2)
  })

  it("looks up a paused endpoint again after one second", async () => {
    const world = makeWorld()
    world.statuses.set("paused", "paused")
    world.add(eventCalled("evt_1"), "paused")
    await world.run(
      Effect.gen(function* () {
        yield* pass(900, 10)
        world.statuses.clear()
        yield* pass(200, 10)
        expect(world.sent).toHaveLength(1)
      }),
    )
  })

  it("looks up eight paused endpoints at a time, within five seconds", async () => {
    const world = makeWorld()
    let lookUps = 0
    const ids = Array.from({ length: 20 }, (_, n) => `paused${n}`)
    for (const id of ids) {
      world.statuses.set(id, "paused")
      world.add(eventCalled(`evt_${id}`), id)
    }
    await world.run(
      Effect.gen(function* () {
        yield* pass(500, 100)
        const hangingLookUp = Effect.suspend(() => {
          lookUps++
          return Effect.never
        })
        for (const id of ids) world.lookUps.set(id, hangingLookUp)
        yield* pass(5_400, 100)
        expect(lookUps).toBe(8)
        yield* pass(200, 100)
        expect(lookUps).toBe(16)
      }),
    )
  })

  it("finds another process's commits to its queue within a second", async () => {
    const world = makeWorld(({ eventId }) =>
      eventId === "evt_slow" ? Effect.delay(Effect.succeed(ok), 10 * second) : ok,
    )
    await world.run(
      Effect.gen(function* () {
        yield* pass(1_400, 10)
        world.add(eventCalled("evt_slow"), "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(100, 10)
        world.add(eventCalled("evt_2"), "a")
        // Deliveries read at 1.4 s are stale from 2.4 s on.
        yield* pass(1_499, 1)
        expect(world.sent).toHaveLength(1)
        yield* pass(1, 1)
        expect(world.sent.map(({ eventId }) => eventId)).toEqual(["evt_slow", "evt_2"])
      }),
    )
  })

  it("measures the waiting deliveries and the oldest wait every 5 s", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 20 * second))
    const measured = Effect.all([Metric.value(queueDepth), Metric.value(oldestAge)]).pipe(
      Effect.map(([{ value: waiting }, { value: ageMs }]) => [waiting, ageMs]),
    )
    await world.run(
      Effect.gen(function* () {
        yield* pass(5 * second)
        expect(yield* measured).toEqual([0, 0])
        yield* pass(10)
        world.add({ ...eventCalled("evt_1"), occurredAt: 5 * second }, "a")
        world.add({ ...eventCalled("evt_2"), occurredAt: 10 * second }, "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(5 * second - 11)
        expect(yield* measured).toEqual([0, 0])
        yield* pass(1)
        expect(yield* measured).toEqual([2, 5 * second])
        yield* pass(20 * second)
        expect(yield* measured).toEqual([0, 0])
        // The event's time is an hour ahead, because another host's clock is ahead.
        world.add({ ...eventCalled("evt_3"), occurredAt: hour }, "a", hour)
        yield* pass(5 * second)
        expect(yield* measured).toEqual([1, 0])
      }),
    )
  })

  it("probes a failing endpoint right after its cool-down, even if no delivery is due", async () => {
    const world = makeWorld(() => ({ _tag: "Retry", status: 500, reason: "HTTP 500", retryAfterMs: hour }))
    for (let n = 0; n < 8; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second, 10)
        const [coolDown] = (yield* (yield* EventDispatcher).health).failing
        const sent = world.sent.length
        yield* pass((coolDown?.until ?? 0) - (yield* Clock.currentTimeMillis) - 1, 50)
        expect(world.sent).toHaveLength(sent)
        yield* pass(200, 10)
        expect(world.sent).toHaveLength(sent + 1)
      }),
    )
  })

  it("retries a failed read a second later, and keeps the queue meanwhile", async () => {
    const world = makeWorld()
    world.failing.read = true
    for (let n = 0; n < 40; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(2_900, 10)
        expect(world.calls.read).toBe(3)
        // The claim brought 16 deliveries.
        expect(world.sent).toHaveLength(16)
      }),
    )
  })

  it("reads stale deliveries again and sends them without a pause", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 3_300))
    for (let n = 0; n < 12; n++) world.add(eventCalled(`evt_${n}`), "slow")
    await world.run(pass(3_350, 10))
    expect(world.sent.map(({ at }) => Math.floor(at / 100))).toEqual([0, 0, 0, 0, 33, 33, 33, 33])
  })

  it("returns to long sleeps after a failing endpoint has recovered", async () => {
    let isDown = true
    const world = makeWorld(() => (isDown ? failure : ok))
    for (let n = 0; n < 8; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second)
        isDown = false
        yield* pass(20 * second)
        expect(world.rows.every(({ state }) => state === "delivered")).toBe(true)
        const before = world.calls.claim
        yield* pass(30 * second)
        expect(world.calls.claim - before).toBeLessThanOrEqual(7)
      }),
    )
  })

  it("ignores a host's Retry-After that is not a number", async () => {
    const world = makeWorld((_, attempt) =>
      attempt < 3 ? { _tag: "Retry", status: 503, reason: "HTTP 503", retryAfterMs: Number.NaN } : ok,
    )
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(pass(10 * minute, second))
    expect(row.state).toBe("delivered")
    expect(world.calls.claim).toBeLessThan(700)
  })
})
