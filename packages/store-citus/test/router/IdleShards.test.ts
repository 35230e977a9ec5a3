import { fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { expect, it } from "vitest"
import { IdleShards } from "../../src/router/IdleShards.ts"

const request = { now: fixtureNow, limit: 10, deliveries: 10, leaseMs: 60_000 }
const nothing = { queues: [] }

const setUp = () => {
  const idle = new IdleShards()
  return { idle, isIdle: () => idle.isIdle("1", request) }
}

it("a write of this process during a claim keeps the shard from being idle", () => {
  const { idle, isIdle } = setUp()
  const before = idle.beginClaim("1")
  idle.recordChange("1")
  idle.recordClaim("1", request, nothing, before)
  expect(isIdle()).toBe(false)
  idle.recordClaim("1", request, nothing, idle.beginClaim("1"))
  expect(isIdle()).toBe(true)
})

it("a shard isn't idle after an empty claim if a concurrent claim found work", () => {
  const { idle, isIdle } = setUp()
  const before = idle.beginClaim("1")
  const lease = { issuer: "", endpointId: "", token: "" } as never
  idle.recordClaim("1", request, { queues: [{ lease, due: [] }] }, before)
  idle.recordClaim("1", request, nothing, before)
  expect(isIdle()).toBe(false)
})

it("a shard whose next delivery is due isn't idle", () => {
  const { idle, isIdle } = setUp()
  idle.recordClaim("1", { ...request, now: fixtureNow - 1 }, { ...nothing, nextDueAt: fixtureNow }, 0)
  expect(isIdle()).toBe(false)
})

it("a shard is idle after an empty claim that left a due delivery, whose time it keeps", () => {
  const { idle, isIdle } = setUp()
  idle.recordClaim("1", request, { ...nothing, nextDueAt: fixtureNow }, 0)
  expect(isIdle()).toBe(true)
  expect(idle.findNextDueAt("1", request)).toBe(fixtureNow)
})

it("a shard is idle only for a claim that excludes the same endpoints", () => {
  const { idle } = setUp()
  idle.recordClaim("1", { ...request, excludedEndpoints: ["parada"] }, nothing, 0)
  expect(idle.isIdle("1", { ...request, excludedEndpoints: ["parada"] })).toBe(true)
  expect(idle.isIdle("1", { ...request, excludedEndpoints: ["outra"] })).toBe(false)
})

it("the next due time is known only for a claim that excludes the same endpoints, and only while no claim is unanswered", () => {
  const { idle } = setUp()
  const claims = ["parada", "outra"].map((one) => ({ ...request, excludedEndpoints: [one] }))
  const dueAt = () => claims.map((one) => idle.findNextDueAt("1", one))
  idle.recordClaim("1", claims[0]!, { ...nothing, nextDueAt: fixtureNow + 5 }, idle.beginClaim("1"))
  expect(dueAt()).toEqual([fixtureNow + 5, fixtureNow])
  idle.beginClaim("1")
  expect(dueAt()).toEqual([fixtureNow, fixtureNow])
})
