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
  it("delivers what waits at its start, and settles it as delivered", async () => {
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

  it("that works on demand sends in its rounds alone, and has nothing under way between them", async () => {
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

  it("a round claims nothing while what was delivered can't be recorded, and ends when its time is over", async () => {
    const world = makeWorld()
    world.failing.settle = true
    world.add(eventCalled("evt_1"), "a")
    const scenario = Effect.gen(function* () {
      const { roundWithin } = yield* EventDispatcher
      const round = yield* Effect.forkChild(roundWithin(10 * second))
      yield* pass(second)
      const claims = world.calls.claim
      // What is under way may take 20 s more.
      yield* pass(30 * second)
      expect(yield* Fiber.join(round)).toEqual({ more: true })
      expect(world.calls.claim).toBe(claims)
    })
    await world.run(scenario, EventDispatcher.onDemand)
    expect(world.sent).toHaveLength(1)
  })

  it("asks at most once a second while nothing happens", async () => {
    const world = makeWorld()
    await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        const before = world.calls.claim
        yield* pass(minute)
        expect(world.calls.claim - before).toBeLessThanOrEqual(13)
      }),
    )
  })

  it("tries ten times over the schedule of decision 24, spread by a fifth, then keeps the event as dead", async () => {
    const world = makeWorld(() => failure)
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second)
        while (row.state === "waiting") {
          const sent = world.sent.length
          // Endpoints that fail rest for a minute at most, in time that really passes.
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

  it("waits as long as Retry-After asks, at most a day", async () => {
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

  it("a receiver that answers 410 is disabled, and its events wait", async () => {
    const world = makeWorld(() => ({ _tag: "Gone", status: 410 }))
    const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => world.add(eventCalled(`evt_${n}`), "a"))
    const tenMinutes = pass(10 * minute, second)
    await world.run(Effect.andThen(tenMinutes, Effect.andThen(world.jump(3 * hour), tenMinutes)))
    expect(world.statuses.get("a")).toBe("disabled")
    expect(world.sent.length).toBeLessThanOrEqual(4)
    expect(rows.every((row) => row.state === "waiting")).toBe(true)
  })

  it("nothing goes to a paused endpoint, whose queues are left alone; all goes once it is resumed", async () => {
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

  it("what waits for a paused endpoint that is removed then is tried, and kept with the reason", async () => {
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

  it("an endpoint that is not registered costs its events attempts, but makes none dead: it may be known again", async () => {
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

  /** A receiver that takes so long for each of what it has in hand, and how many those were at most. */
  const countingWorld = (latencyMs: (underWay: number) => number) => {
    const count = { underWay: 0, most: 0 }
    const world = makeWorld(() =>
      Effect.gen(function* () {
        count.most = Math.max(count.most, ++count.underWay)
        yield* Effect.sleep(latencyMs(count.underWay))
        count.underWay--
        return ok
      }),
    )
    return { world, count }
  }

  it("an endpoint gets four deliveries at once, and up to 64 while it answers as quickly as ever", async () => {
    const { world, count } = countingWorld(() => 100)
    for (let n = 0; n < 3_000; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(90, 10)
        expect(count.most).toBe(4)
        yield* pass(15 * second, 50)
      }),
    )
    expect(count.most).toBe(64)
    expect(world.sent).toHaveLength(3_000)
  })

  it("an endpoint that answers the more slowly the more it has in hand gets few at once", async () => {
    const { world, count } = countingWorld((underWay) => underWay * 50)
    for (let n = 0; n < 300; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(pass(30 * second, 50))
    expect(count.most).toBeLessThanOrEqual(8)
    expect(world.sent).toHaveLength(300)
  })

  it("the queues of one endpoint share what its receiver takes", async () => {
    const { world, count } = countingWorld(() => 100)
    for (let n = 0; n < 40; n++) {
      const issuer = `${n % 10}2345678000195` as Cnpj
      world.add({ ...eventCalled(`evt_${n}`), issuer }, "reseller")
    }
    await world.run(
      Effect.gen(function* () {
        yield* pass(90, 10)
        expect(count.most).toBe(4)
        yield* pass(3 * second, 50)
        expect(world.sent).toHaveLength(40)
        const companies = world.sent.slice(0, 14).map(({ eventId }) => Number(eventId.slice(4)) % 10)
        expect(new Set(companies).size).toBe(10)
      }),
    )
  })

  it("an endpoint that hangs delays no other, however much waits for it", async () => {
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

  it("an endpoint that fails five times in a row is left alone, and probed by one delivery at a time", async () => {
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
        // Rests of 5, 10, 20, 40 and then 60 s.
        expect(world.sent.length - first).toBeLessThanOrEqual(14)
        expect(world.sent.length - first).toBeGreaterThanOrEqual(11)
      }),
    )
  })

  it("an endpoint that comes back gets all that waited, within its rest", async () => {
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

  it("refusals of single events don't stop an endpoint that is alive", async () => {
    const world = makeWorld(({ eventId }) =>
      eventId.startsWith("evt_bad") ? { _tag: "Retry", status: 404, reason: "HTTP 404" } : ok,
    )
    for (let n = 0; n < 40; n++) world.add(eventCalled(`evt_bad_${n}`), "a")
    world.add(eventCalled("evt_good"), "a")
    await world.run(pass(second))
    expect(world.sent.map((one) => one.eventId)).toContain("evt_good")
  })

  it("goes on when the store fails for a while, and records what was delivered meanwhile", async () => {
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

  it("asks a store that fails once a second whether there is work, and every 2 s to settle what was done", async () => {
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

  it("claims nothing while what was delivered can't be recorded: somebody else might lack that, and send it again", async () => {
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

  it("a delivery whose turn comes late is read again, so that a superseded one is never sent", async () => {
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

  it("what takes longer than a lease is renewed while it is sent, so that nobody else sends it", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 100 * second))
    const row = world.add(eventCalled("evt_1"), "slow")
    await world.run(pass(2 * minute))
    expect(world.sent).toHaveLength(1)
    expect(row.state).toBe("delivered")
  })

  it("a busy queue whose lease can't be renewed is released, and claimed again at once", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 200))
    world.failing.renew = true
    for (let n = 0; n < 20_000; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(pass(20 * second, 50))
    const gaps = world.sent.map(({ at }, index) => at - (world.sent[index - 1]?.at ?? at))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * 200 + 100)
  })

  it("companies whose events wait in vain for a slow receiver are left to other processes within seconds", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 10 * second))
    for (let n = 0; n < 200; n++) world.add({ ...eventCalled(`evt_${n}`), issuer: `${n}` as Cnpj }, "slow")
    await world.run(
      Effect.gen(function* () {
        yield* pass(5 * second)
        expect(world.leasedAt(yield* Clock.currentTimeMillis).length).toBeLessThanOrEqual(4)
      }),
    )
  })

  it("a queue that somebody else has taken over is left alone", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 3 * second))
    for (let n = 0; n < 100; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second)
        world.takeOver("a", (yield* Clock.currentTimeMillis) + minute)
        yield* pass(30 * second)
        // Those that were under way, and what was read in the second before.
        expect(world.sent.length).toBeLessThanOrEqual(8)
        expect(world.rows.every(({ attempts }) => attempts === 0)).toBe(true)
        yield* pass(minute)
        expect(world.sent.length).toBeGreaterThan(50)
      }),
    )
  })

  it("no process leases the queue of a failing endpoint while it rests", async () => {
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

  it("the queue of a failing endpoint is free 100 ms before its rest ends, and no sooner", async () => {
    const world = makeWorld(() => failure)
    for (let n = 0; n < 8; n++) world.add(eventCalled(`evt_${n}`), "down")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second, 10)
        const [rest] = (yield* (yield* EventDispatcher).health).failing
        const freeAt = (rest?.until ?? 0) - 100
        expect(world.leasedAt(freeAt - 1)).toEqual(["down"])
        expect(world.leasedAt(freeAt)).toEqual([])
      }),
    )
  })

  it.each([
    [5_000, 1],
    [5_010, 0],
  ])("of a queue that was leased at %d ms, the renewal at 10 s renews %d", async (leasedAt, renewed) => {
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
  ])("after a claim that brings %d queues claims what is committed then %s", async (queues, _, claims) => {
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
    "deliveries of one charge go one after the other: a commit that is %s",
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

  it("what is committed while its queue is being released is found at once", async () => {
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

  it("what is claimed of a queue before the store has said that it is released is sent at once", async () => {
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

  it("what is committed in a queue that another process releases soon after is found soon, however idle it was", async () => {
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

  it("what is settled while its queue is being read is not sent again", async () => {
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

  it("on its end it begins nothing, waits for what is under way, settles it and releases the queue", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 3 * second))
    for (let n = 0; n < 10; n++) world.add(eventCalled(`evt_${n}`), "slow")
    const done = world.run(pass(second))
    await done
    expect(world.sent).toHaveLength(4)
    expect(world.rows.filter((row) => row.state === "delivered")).toHaveLength(4)
    expect(world.rows.filter((row) => row.state === "waiting" && row.attempts === 0)).toHaveLength(6)
    expect(world.leasedAt(4 * second)).toEqual([])
  })

  it("ends at once where nothing is under way, however long it would have slept", async () => {
    const world = makeWorld()
    expect(await world.run(pass(minute))).toBeLessThanOrEqual(250)
    expect(world.leasedAt(0)).toEqual([])
  })

  it("ends as soon as a claim that is under way has its answer", async () => {
    const world = makeWorld()
    const endMs = await world.run(
      Effect.gen(function* () {
        yield* pass(minute)
        world.slow.claimMs = 300
        const { claim } = world.calls
        while (world.calls.claim === claim) yield* pass(10)
      }),
    )
    expect(endMs).toBeLessThanOrEqual(500)
  })

  it("ends after 20 s though a delivery never ends, and no sooner", async () => {
    const world = makeWorld(() => Effect.never)
    world.add(eventCalled("evt_1"), "a")
    const endMs = await world.run(pass(second))
    expect(endMs).toBeGreaterThanOrEqual(20 * second)
    expect(endMs).toBeLessThan(21 * second)
  })

  it.each(["named", "not named"])(
    "what is committed while another event of its queue is under way is sent at once: a commit that is %s",
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

  it("a delivery that breaks is tried again like one that fails", async () => {
    const world = makeWorld((_, attempt) => (attempt === 1 ? Effect.die("boom") : ok))
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(pass(15 * second))
    expect(row.state).toBe("delivered")
    expect(row.log).toHaveLength(2)
    expect(JSON.stringify(row.log)).not.toContain("boom")
  })

  it.each(["breaks", "throws"])(
    "a look-up that %s blocks nothing: the event is delivered once it works again",
    async (how) => {
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
    },
  )

  it.each([
    ["breaks", Effect.die(new TypeError("secrets is null"))],
    ["hangs", Effect.never],
  ])("a paused endpoint whose look-up %s delays no other, and is found again", async (_, lookUp) => {
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

  it("an event is delivered though every claim takes longer than a delivery stays fresh", async () => {
    const world = makeWorld()
    world.slow.claimMs = 3 * second
    for (let n = 0; n < 20; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(pass(20 * second))
    expect(world.sent).toHaveLength(20)
  })

  it("what a claim brought half a lease ago is read again, because another process may own it by now", async () => {
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

  it("what is looked up until its lease may have ended is not sent, because another process may own it by now", async () => {
    const world = makeWorld()
    const found = { id: "a", kinds: ["paid"], status: "enabled", target: { _tag: "Host" } } as const
    world.lookUps.set("a", Effect.delay(Effect.succeed(found), 20 * second))
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

  it("a queue that is claimed without what is due in it is read at once", async () => {
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
    ["depth", "The outbox could not be measured"],
  ] as const)("goes on after a store that breaks when asked to %s, and logs: %s", async (operation, message) => {
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

  it("however many endpoints hang at once, a healthy one gets its event soon", async () => {
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

  it("what a claim brings after the end began, and all else was settled, is released too", async () => {
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

  it("an attempt is kept with its beginning and how long it took", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 301))
    const row = world.add(eventCalled("evt_1"), "a", 1_700)
    await world.run(pass(3 * second, 1))
    expect(row.log).toEqual([{ startedAt: 1_700, latencyMs: 301, status: 200 }])
  })

  it("claims at most 256 queues at once", async () => {
    const world = makeWorld()
    await world.run(pass(100))
    expect(world.limits[0]).toBe(256)
  })

  it("what another process has taken over is begun no more once a renewal says so", async () => {
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
        // The renewal is at 10 s. Three attempts end at 10.2 s, and what was read at 9.5 s is fresh until 10.5 s.
        yield* pass(850, 10)
        expect(world.sent).toHaveLength(4)
      }),
    )
  })

  it("a queue that was lost and is leased again is released once what was under way in it has ended", async () => {
    const world = makeWorld(({ eventId }) =>
      Effect.delay(Effect.succeed(ok), eventId === "evt_slow" ? 20 * second : 100),
    )
    world.add(eventCalled("evt_slow"), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(9.5 * second)
        // The renewal at 10 s finds it lost.
        world.takeOver("a", 12 * second)
        yield* pass(8 * second)
        expect(world.leasedAt(yield* Clock.currentTimeMillis)).toEqual(["a"])
        world.add(eventCalled("evt_next"), "a")
        yield* pass(8 * second)
        expect(world.sent.map(({ eventId }) => eventId)).toContain("evt_next")
      }),
    )
  })

  it("an endpoint that took nothing is looked up again after one second", async () => {
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

  it("looks up eight paused endpoints at once, and the next ones when five seconds have brought no answer", async () => {
    const world = makeWorld()
    let asked = 0
    const ids = Array.from({ length: 20 }, (_, n) => `paused${n}`)
    for (const id of ids) {
      world.statuses.set(id, "paused")
      world.add(eventCalled(`evt_${id}`), id)
    }
    await world.run(
      Effect.gen(function* () {
        yield* pass(500, 100)
        const asking = Effect.suspend(() => {
          asked++
          return Effect.never
        })
        for (const id of ids) world.lookUps.set(id, asking)
        yield* pass(5_400, 100)
        expect(asked).toBe(8)
        yield* pass(200, 100)
        expect(asked).toBe(16)
      }),
    )
  })

  it("what another process commits to a queue that is leased here is found by the sweep of each second", async () => {
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
        // What was read at 1.4 s is stale from 2.4 s on.
        yield* pass(1_499, 1)
        expect(world.sent).toHaveLength(1)
        yield* pass(1, 1)
        expect(world.sent.map(({ eventId }) => eventId)).toEqual(["evt_slow", "evt_2"])
      }),
    )
  })

  it("measures every 15 s how many deliveries wait, and how long the oldest has waited", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 20 * second))
    const measured = Effect.all([Metric.value(queueDepth), Metric.value(oldestAge)]).pipe(
      Effect.map(([{ value: waiting }, { value: ageMs }]) => [waiting, ageMs]),
    )
    await world.run(
      Effect.gen(function* () {
        expect(yield* measured).toEqual([0, 0])
        yield* pass(10)
        world.add(eventCalled("evt_1"), "a")
        world.add({ ...eventCalled("evt_2"), occurredAt: 5 * second }, "a")
        yield* (yield* OutboxSignal).notifyAll
        yield* pass(15 * second - 11)
        expect(yield* measured).toEqual([0, 0])
        yield* pass(1)
        expect(yield* measured).toEqual([2, 15 * second])
        yield* pass(15 * second)
        expect(yield* measured).toEqual([0, 0])
        // By another host's clock it lies ahead.
        world.add({ ...eventCalled("evt_3"), occurredAt: hour }, "a", hour)
        yield* pass(15 * second)
        expect(yield* measured).toEqual([1, 0])
      }),
    )
  })

  it("tries an endpoint that failed again as soon as its rest is over, though nothing comes due then", async () => {
    const world = makeWorld(() => ({ _tag: "Retry", status: 500, reason: "HTTP 500", retryAfterMs: hour }))
    for (let n = 0; n < 8; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(second, 10)
        const [rest] = (yield* (yield* EventDispatcher).health).failing
        const sent = world.sent.length
        yield* pass((rest?.until ?? 0) - (yield* Clock.currentTimeMillis) - 1, 50)
        expect(world.sent).toHaveLength(sent)
        yield* pass(200, 10)
        expect(world.sent).toHaveLength(sent + 1)
      }),
    )
  })

  it("asks a store that could not be read for the queue again a second later, and holds the queue meanwhile", async () => {
    const world = makeWorld()
    world.failing.read = true
    for (let n = 0; n < 40; n++) world.add(eventCalled(`evt_${n}`), "a")
    await world.run(
      Effect.gen(function* () {
        yield* pass(2_900, 10)
        expect(world.calls.read).toBe(3)
        // Those that the claim brought.
        expect(world.sent).toHaveLength(16)
      }),
    )
  })

  it("what was read too long ago is read again at once, and the next deliveries begin without a pause", async () => {
    const world = makeWorld(() => Effect.delay(Effect.succeed(ok), 3_300))
    for (let n = 0; n < 12; n++) world.add(eventCalled(`evt_${n}`), "slow")
    await world.run(pass(3_350, 10))
    expect(world.sent.map(({ at }) => Math.floor(at / 100))).toEqual([0, 0, 0, 0, 33, 33, 33, 33])
  })

  it("sleeps as long as ever after a retry, and after the rest of an endpoint that failed", async () => {
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

  it("a rest that is no number, which a host's delivery may ask for, is none", async () => {
    const world = makeWorld((_, attempt) =>
      attempt < 3 ? { _tag: "Retry", status: 503, reason: "HTTP 503", retryAfterMs: Number.NaN } : ok,
    )
    const row = world.add(eventCalled("evt_1"), "a")
    await world.run(pass(10 * minute, second))
    expect(row.state).toBe("delivered")
    expect(world.calls.claim).toBeLessThan(700)
  })
})
