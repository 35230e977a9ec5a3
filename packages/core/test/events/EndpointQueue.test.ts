import type { DueDelivery } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect, test } from "vitest"
import { EndpointQueue, leaseMs } from "../../src/services/events/DispatchState.ts"
import { eventCalled } from "./dispatching.ts"

const makeQueue = (leasedAt = 0) =>
  new EndpointQueue({} as never, { issuer: "12345678000195" as Cnpj, endpointId: "a", token: "1" }, leasedAt)

const delivery = (id: string): DueDelivery => ({ event: eventCalled(id), endpointId: "a", attempt: 1, number: 1 })

for (const [what, change] of [
  ["committed", (queue: EndpointQueue) => queue.noteCommit()],
  ["settled", (queue: EndpointQueue) => queue.end(delivery("evt_1"))],
] as const) {
  it.effect(`ends the wait for a delivery that was ${what} earlier, and then waits again`, () =>
    Effect.gen(function* () {
      const queue = makeQueue()
      change(queue)
      yield* queue.change
      const waiter = yield* Effect.forkChild(queue.change)
      for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
      expect(waiter.pollUnsafe()).toBeUndefined()
      change(queue)
      yield* Fiber.join(waiter)
    }),
  )
}

test("trusts a lease for its first half, and a read for a second", () => {
  const queue = makeQueue(1_000)
  expect([1_000 + leaseMs / 2, 1_001 + leaseMs / 2].map((now) => queue.holdsLease(now))).toEqual([true, false])
  queue.isLost = true
  expect(queue.holdsLease(1_000)).toBe(false)
  queue.fill(Array.of(), false, 5_000)
  expect([6_000, 6_001].map((now) => queue.isStale(now))).toEqual([false, true])
})

test("reads a charge's next delivery only once the delivery under way is settled", () => {
  const queue = makeQueue()
  queue.begin(delivery("evt_1"))
  queue.noteCommit({ event: eventCalled("evt_1"), endpointId: "a" })
  expect(queue.hasMore).toBe(false)
  queue.end(delivery("evt_1"))
  expect(queue.hasMore).toBe(true)
})

test("doubles the size of the next read, within bounds, if the last deliveries began quickly", () => {
  const begun = (count: number) => {
    const queue = makeQueue()
    queue.fill(Array.of(), false, 1_000)
    for (let n = 0; n < count; n++) queue.begin(delivery(`evt_${n}`))
    const sizes = [1_499, 1_500].map((now) => queue.nextReadSize(now))
    queue.fill(Array.of(), false, 2_000)
    expect(queue.nextReadSize(2_000)).toBe(16)
    return sizes
  }
  expect(begun(0)).toEqual([16, 16])
  expect(begun(20)).toEqual([40, 20])
  expect(begun(300)).toEqual([512, 300])
  expect(begun(600)).toEqual([512, 512])
})
