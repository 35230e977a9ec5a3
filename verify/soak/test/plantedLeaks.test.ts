import { expect, it } from "vitest"
import { judge } from "../judge.ts"
import type { Leak } from "../plantLeaks.ts"
import { rules } from "../rules.ts"
import { runSoak } from "../runSoak.ts"

const planted: Readonly<Record<Leak, string>> = {
  memory: rules.heap.what,
  handles: rules.handles.what,
  descriptors: rules.descriptors.what,
  connections: rules.connections.what,
  outbox: rules.outbox.what,
}

it("a run finds leaks of memory, handles, descriptors, connections and deliveries", { tags: ["long"] }, async () => {
  const leaks = Object.keys(planted) as ReadonlyArray<Leak>
  const { samples, violations } = await runSoak({ minutes: 2, rate: 4, seed: 1, faults: [], planted: leaks })
  const found = judge(samples).filter(({ holds }) => !holds)
  expect(found.map(({ rule }) => rule.what)).toEqual(expect.arrayContaining(Object.values(planted)))
  expect(violations).toEqual([])
})
