import { expect, it } from "vitest"
import { findEarliest } from "../src/findEarliest.ts"

const row = (name: string, at?: number) => ({ name, at })
const names = (groups: ReadonlyArray<ReadonlyArray<ReturnType<typeof row>>>, limit: number) =>
  findEarliest(groups, ({ at }) => at, limit).map(({ name }) => name)

it("findEarliest merges all groups by time, keeps ties in order, and skips rows without a time", () => {
  const groups = [
    [row("a", 5), row("b"), row("c", 1)],
    [row("d", 3), row("e", 5), row("f", 9), row("g", 1)],
  ]
  expect(names(groups, 10)).toEqual(["c", "g", "d", "a", "e", "f"])
  expect(names(groups, 4)).toEqual(["c", "g", "d", "a"])
  expect(names(groups, 2)).toEqual(["c", "g"])
  expect([names(groups, 0), names([], 3)]).toEqual([[], []])
})
