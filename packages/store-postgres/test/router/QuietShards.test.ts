import { fixtureNow } from "@pixcharge/testkit/fixtures"
import { expect, it } from "vitest"
import { QuietShards } from "../../src/citus/router/QuietShards.ts"

const request = { now: fixtureNow, limit: 10, deliveries: 10, leaseMs: 60_000 }
const nothing = { queues: [] }

const opened = () => {
  const quiet = new QuietShards()
  return { quiet, isQuiet: () => quiet.isQuiet("1", request) }
}

it("what this process writes while a claim is under way is claimed by the next", () => {
  const { quiet, isQuiet } = opened()
  const before = quiet.noteAsked("1")
  quiet.noteChange("1")
  quiet.noteClaim("1", request, nothing, before)
  expect(isQuiet()).toBe(false)
  quiet.noteClaim("1", request, nothing, quiet.noteAsked("1"))
  expect(isQuiet()).toBe(true)
})

it("a claim that found nothing beside one that brought something puts no shard to rest", () => {
  const { quiet, isQuiet } = opened()
  const before = quiet.noteAsked("1")
  const lease = { issuer: "", endpointId: "", token: "" } as never
  quiet.noteClaim("1", request, { queues: [{ lease, due: [] }] }, before)
  quiet.noteClaim("1", request, nothing, before)
  expect(isQuiet()).toBe(false)
})

it("a shard whose queues were leased by somebody else as they came due doesn't rest", () => {
  const { quiet, isQuiet } = opened()
  quiet.noteClaim("1", request, { ...nothing, nextDueAt: fixtureNow }, 0)
  expect(isQuiet()).toBe(false)
})

it("a shard rests for the same queues only: not for those of another bucket", () => {
  const { quiet } = opened()
  quiet.noteClaim("1", { ...request, bucket: { index: 0, of: 2 } }, nothing, 0)
  expect(quiet.isQuiet("1", { ...request, bucket: { index: 0, of: 2 } })).toBe(true)
  expect(quiet.isQuiet("1", { ...request, bucket: { index: 1, of: 2 } })).toBe(false)
})

it("when something comes due is known for the same queues only, and not while a claim has no answer", () => {
  const { quiet } = opened()
  const buckets = [0, 1].map((index) => ({ ...request, bucket: { index, of: 2 } }))
  const dueAt = () => buckets.map((asked) => quiet.nextDueAt("1", asked))
  quiet.noteClaim("1", buckets[0]!, { ...nothing, nextDueAt: fixtureNow + 5 }, quiet.noteAsked("1"))
  expect(dueAt()).toEqual([fixtureNow + 5, fixtureNow])
  quiet.noteAsked("1")
  expect(dueAt()).toEqual([fixtureNow, fixtureNow])
})
