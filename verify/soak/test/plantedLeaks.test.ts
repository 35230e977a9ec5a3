import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "../../world/root.ts"
import { judgeGrowth } from "../judge.ts"
import { rules } from "../rules.ts"
import { runSoak } from "../runSoak.ts"

const planted = [rules.heap, rules.handles, rules.descriptors, rules.connections, rules.outbox]

it("a run finds leaks of memory, handles, descriptors, connections and deliveries", { tags: ["long"] }, async () => {
  const release = { name: "leaky", program: join(root, "verify/dist/soak/leakyHost.js") }
  const growth = await runSoak({ minutes: 2, callers: 2, seed: 1, release }, judgeGrowth)
  const found = growth.filter(({ holds }) => !holds)
  expect(found.map(({ rule }) => rule.what)).toEqual(expect.arrayContaining(planted.map(({ what }) => what)))
})
