import { ChargeStore, PaymentProcessor } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { describeFailure, shrink, simulate } from "@pixcharge/testkit/simulation"
import { Context, Effect, Layer } from "effect"
import assert from "node:assert/strict"
import { test } from "node:test"

const unversioned = Layer.effectContext(
  Effect.map(Layer.build(memoryStore()), (ports) => {
    const store = Context.get(ports, ChargeStore)
    const commit = (change) =>
      Effect.flatMap(store.find(change.issuer, change.id), (charge) =>
        store.commit({ ...change, expectedVersion: charge?.version ?? change.expectedVersion }),
      )
    return Context.add(ports, ChargeStore, { ...store, commit })
  }),
)
const silent = () => {
  const never = () => Effect.never
  const calls = ["register", "lookup", "cancel", "refund", "lookupRefund", "payments"]
  const processor = { locality: "remote", ...Object.fromEntries(calls.map((name) => [name, never])) }
  return Layer.succeed(PaymentProcessor, processor)
}
const rulesOf = ({ violations }) => violations.map(({ rule }) => rule)

test("a store that ignores versions is found", async () => {
  const found = new Set()
  for (let seed = 1; found.size === 0 && seed < 20; seed++)
    for (const rule of rulesOf(await simulate({ seed, store: unversioned }))) found.add(rule)
  assert.ok(found.has("oneMoveFromEachVersion"))
})

test("a processor that never answers is found, and told as a run that replays", async () => {
  const options = { seed: 1, plan: [], processor: silent }
  const failed = await simulate(options)
  assert.ok(rulesOf(failed).includes("nothingWaitsForEver"))
  const shrunk = await shrink(options, failed)
  assert.match(describeFailure(1, failed, shrunk), /^Seed 1 .trace \w+. breaks \w+/)
  assert.equal((await simulate(shrunk.options)).traceHash, shrunk.traceHash)
})

test("the memory store and the bank itself break no rule", async () => {
  assert.deepEqual(rulesOf(await simulate({ seed: 7, hosts: 3, steps: 40, store: memoryStore() })), [])
})
