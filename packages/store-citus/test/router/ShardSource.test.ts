import * as Context from "effect/Context"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { ShardSource } from "../../src/router/ShardSources.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }))
afterEach(() => void vi.useRealTimers())

/** Returns the milliseconds until the shard can be called again. */
const measureCoolDown = (source: ShardSource<string>): number => {
  let ms = 0
  for (; !source.isReady(); ms++) vi.advanceTimersByTime(1)
  return ms
}

it("cool-downs of a failing shard double from half a second to five seconds", () => {
  const source = new ShardSource<string>({ id: "1", ports: Context.empty() as never })
  const coolDown = () => {
    source.coolDown()
    return measureCoolDown(source)
  }
  expect([coolDown(), coolDown(), coolDown(), coolDown(), coolDown(), coolDown()]).toEqual([
    500, 1_000, 2_000, 4_000, 5_000, 5_000,
  ])
  source.succeed([], performance.now())
  expect(measureCoolDown(source)).toBe(0)
  expect(coolDown()).toBe(500)
})

it("a shard's items are taken once, and the shard is claimed from again only after that", () => {
  const source = new ShardSource<string>({ id: "1", ports: Context.empty() as never })
  source.succeed(["a", "b", "c"], performance.now() + 1_000)
  expect(source.isReady()).toBe(false)
  expect([source.take(2), source.take(2), source.take(2)]).toEqual([["a", "b"], ["c"], []])
  expect(source.isReady()).toBe(true)
})

it("another claim gets late items only for a limited time", () => {
  const source = new ShardSource<string>({ id: "1", ports: Context.empty() as never })
  source.succeed(["a", "b", "c"], performance.now() + 1_000)
  source.isAwaited = true
  expect(source.takeLate(1)).toEqual([])
  source.isAwaited = false
  expect(source.takeLate(1)).toEqual(["a"])
  vi.advanceTimersByTime(1_000)
  expect(source.takeLate(1)).toEqual(["b"])
  vi.advanceTimersByTime(1)
  expect(source.takeLate(1)).toEqual([])
  expect(source.isReady()).toBe(true)
})
