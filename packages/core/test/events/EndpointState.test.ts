import type { DeliveryOutcome } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { describe, expect, it } from "vitest"
import { EndpointState } from "../../src/services/events/EndpointState.ts"

const ok: DeliveryOutcome = { _tag: "Delivered", status: 200 }
const failure: DeliveryOutcome = { _tag: "Retry", status: 500, reason: "HTTP 500" }

const makeEndpoint = () => {
  let nowMs = 0
  const shared = {
    now: () => nowMs,
    inFlight: 0,
    isStopping: false,
    claimWanted: Latch.makeUnsafe(),
    wakeLater: (one: EndpointState) => one.wake(),
  }
  const endpoint = new EndpointState("a", shared)
  const answers: Array<string> = []
  const take = (queue: string, isIdle = true) =>
    Effect.runFork(
      Effect.map(
        endpoint.take(() => isIdle),
        (isGranted) => answers.push(`${queue} ${isGranted}`),
      ),
    )
  const isClaimWanted = () => shared.claimWanted.closeUnsafe()
  return { endpoint, shared, answers, take, isClaimWanted, pass: (ms: number) => (nowMs += ms) }
}

describe("EndpointState", () => {
  it("gives four permits at first, and a released permit to the longest-waiting queue", () => {
    const { endpoint, shared, answers, take } = makeEndpoint()
    for (const queue of ["a", "b", "c", "d", "e", "f"]) take(queue)
    expect(answers).toEqual(["a true", "b true", "c true", "d true"])
    endpoint.releasePermit()
    take("g")
    expect(answers.slice(4)).toEqual(["e true"])
    endpoint.releasePermit()
    expect(answers.slice(5)).toEqual(["f true"])
    expect(shared.inFlight).toBe(4)
  })

  it("gives one permit at a time above 2 048 attempts in the process, and none from 4 096", () => {
    const { shared, answers, take } = makeEndpoint()
    shared.inFlight = 2_049
    take("a")
    take("b")
    expect(answers).toEqual(["a true"])
    shared.inFlight = 4_096
    expect(makeEndpoint().endpoint.hasRoom()).toBe(true)
    const full = new EndpointState("b", shared)
    expect(full.hasRoom()).toBe(false)
  })

  it("refuses waiting queues when it begins to fail, and gives one permit after the cool-down", () => {
    const { endpoint, answers, take, pass } = makeEndpoint()
    for (const queue of ["a", "b", "c", "d"]) take(queue)
    for (let n = 0; n < 4; n++) {
      endpoint.learn(failure, 10)
      take("x")
    }
    answers.length = 0
    take("y")
    endpoint.learn(failure, 10)
    expect(answers).toEqual(["y false"])
    take("z")
    expect(answers).toEqual(["y false", "z false"])
    for (let n = 0; n < 3; n++) endpoint.releasePermit()
    pass(5_001)
    take("probe")
    take("next")
    expect(answers.slice(2)).toEqual(["probe true"])
    endpoint.learn(ok, 10)
    expect(answers.slice(3)).toEqual(["next true"])
  })

  it("refuses an idle queue that has waited longer than a second, but not a busy queue", () => {
    const { endpoint, answers, take, pass } = makeEndpoint()
    for (const queue of ["a", "b", "c", "d", "idle"]) take(queue)
    take("busy", false)
    pass(1_001)
    take("late")
    endpoint.refuseLongWaiters()
    expect(answers.slice(4)).toEqual(["idle false"])
    expect(endpoint.isExcluded()).toBe(true)
    endpoint.releasePermit()
    expect(answers.slice(5)).toEqual(["busy true"])
  })

  it("is no longer excluded from claims once an attempt has ended", () => {
    const { endpoint, answers, take, pass } = makeEndpoint()
    for (const queue of ["a", "b", "c", "d", "idle"]) take(queue)
    pass(1_001)
    endpoint.refuseLongWaiters()
    expect(endpoint.isExcluded()).toBe(true)
    endpoint.releasePermit()
    take("next")
    expect(answers.slice(4)).toEqual(["idle false", "next true"])
    expect(endpoint.hasRoom()).toBe(false)
    expect(endpoint.isExcluded()).toBe(false)
  })

  it("wants a claim once it has room again", () => {
    const { endpoint, take, isClaimWanted } = makeEndpoint()
    for (let n = 0; n < 20; n++) take(`${n}`)
    expect(endpoint.isExcluded()).toBe(true)
    expect(isClaimWanted()).toBe(false)
    endpoint.releasePermit()
    expect(isClaimWanted()).toBe(true)
    expect(endpoint.isExcluded()).toBe(false)
  })

  it("refuses every queue when the process stops", () => {
    const { endpoint, shared, answers, take } = makeEndpoint()
    for (const queue of ["a", "b", "c", "d", "e"]) take(queue)
    shared.isStopping = true
    endpoint.wake()
    take("f")
    expect(answers.slice(4)).toEqual(["e false", "f false"])
  })

  it("counts the attempts under way to all endpoints", () => {
    const { endpoint, shared, take, answers } = makeEndpoint()
    shared.inFlight = 2_047
    take("a")
    expect(shared.inFlight).toBe(2_048)
    take("b")
    expect(answers).toEqual(["a true", "b true"])
    take("c")
    expect(answers).toHaveLength(2)
    shared.inFlight = 4_095
    expect(new EndpointState("b", shared).hasRoom()).toBe(true)
    expect(endpoint.hasRoom()).toBe(false)
  })

  it("lets a queue wait for a whole second", () => {
    const { endpoint, answers, take, pass } = makeEndpoint()
    for (const queue of ["a", "b", "c", "d", "e"]) take(queue)
    pass(1_000)
    endpoint.refuseLongWaiters()
    expect(answers).toHaveLength(4)
    expect(endpoint.isExcluded()).toBe(false)
    pass(1)
    endpoint.refuseLongWaiters()
    expect(answers.slice(4)).toEqual(["e false"])
    expect(endpoint.isExcluded()).toBe(true)
  })

  it("is saturated by 16 waiting queues, not by 15", () => {
    const { endpoint, take } = makeEndpoint()
    for (let n = 0; n < 4 + 15; n++) take(`${n}`)
    expect(endpoint.isExcluded()).toBe(false)
    take("one more")
    expect(endpoint.isExcluded()).toBe(true)
  })

  it("pauses for one, two and at most four seconds while it takes no events", () => {
    const { endpoint, take, answers, pass } = makeEndpoint()
    pass(500)
    const pauses = Array.from({ length: 4 }, () => {
      endpoint.pause()
      return endpoint.paused
    })
    expect(pauses).toEqual([
      { until: 1_500, ms: 1_000 },
      { until: 2_500, ms: 2_000 },
      { until: 4_500, ms: 4_000 },
      { until: 4_500, ms: 4_000 },
    ])
    take("a")
    expect(answers).toEqual(["a false"])
    expect(endpoint.isExcluded()).toBe(true)
  })

  it("pauses only when its receiver wants no more events", () => {
    const { endpoint, take } = makeEndpoint()
    for (const queue of ["a", "b", "c"]) take(queue)
    endpoint.learn(ok, 10)
    endpoint.learn(failure, 10)
    expect(endpoint.paused).toBeUndefined()
    endpoint.learn({ _tag: "Gone", status: 410 }, 10)
    expect(endpoint.paused).toEqual({ until: 1_000, ms: 1_000 })
  })

  it("is forgotten a minute after use or cool-down, unless it is paused or has a queue", () => {
    const { endpoint, take, pass } = makeEndpoint()
    pass(60_000)
    expect(endpoint.isForgettable()).toBe(false)
    pass(1)
    expect(endpoint.isForgettable()).toBe(true)
    endpoint.queues++
    expect(endpoint.isForgettable()).toBe(false)
    endpoint.queues--
    take("a")
    endpoint.learn({ _tag: "Retry", status: 503, reason: "HTTP 503", retryAfterMs: 7_000 }, 10)
    pass(67_000)
    expect(endpoint.isForgettable()).toBe(false)
    pass(1)
    expect(endpoint.isForgettable()).toBe(true)
    endpoint.pause()
    expect(endpoint.isForgettable()).toBe(false)
  })
})
