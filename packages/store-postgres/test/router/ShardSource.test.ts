import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { ShardSource } from "../../src/citus/router/ShardSource.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }))
afterEach(() => void vi.useRealTimers())

/** For how many milliseconds a shard is not asked. */
const restOf = (source: ShardSource<string>): number => {
  let ms = 0
  for (; !source.isOpen(); ms++) vi.advanceTimersByTime(1)
  return ms
}

it("a shard that goes on failing rests twice as long each time, half a second at first and five at most", () => {
  const source = new ShardSource<string>()
  const rests = () => {
    source.rest()
    return restOf(source)
  }
  expect([rests(), rests(), rests(), rests(), rests(), rests()]).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000])
  source.succeed([], performance.now())
  expect(restOf(source)).toBe(0)
  expect(rests()).toBe(500)
})

it("what it has brought is taken once, and it is asked for more only then", () => {
  const source = new ShardSource<string>()
  source.succeed(["a", "b", "c"], performance.now() + 1_000)
  expect(source.isOpen()).toBe(false)
  expect([source.take(2), source.take(2), source.take(2)]).toEqual([["a", "b"], ["c"], []])
  expect(source.isOpen()).toBe(true)
})

it("what came too late for the claim that asked goes to another for as long as it holds", () => {
  const source = new ShardSource<string>()
  source.succeed(["a", "b", "c"], performance.now() + 1_000)
  source.isAwaited = true
  expect(source.takeLate(1)).toEqual([])
  source.isAwaited = false
  expect(source.takeLate(1)).toEqual(["a"])
  vi.advanceTimersByTime(1_000)
  expect(source.takeLate(1)).toEqual(["b"])
  vi.advanceTimersByTime(1)
  expect(source.takeLate(1)).toEqual([])
  expect(source.isOpen()).toBe(true)
})
