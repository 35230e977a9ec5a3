import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { DispatchState, EndpointQueue, queueKey } from "../../src/services/events/DispatchState.ts"
import { eventCalled } from "./dispatching.ts"

const lease = (token: string) => ({ issuer: "12345678000195" as Cnpj, endpointId: "a", token })

it("keeps a queue that was claimed again during its release", () => {
  const state = new DispatchState(Effect.runSync(Clock.clockWith(Effect.succeed)))
  const endpoint = state.endpoint("a")
  const [released, claimed] = ["1", "2"].map((token) => new EndpointQueue(endpoint, lease(token), 0))
  if (released === undefined || claimed === undefined) throw new Error("expected two queues")
  state.add(released)
  state.add(claimed)
  expect(endpoint.queues).toBe(2)
  state.remove(released)
  expect(state.queues.get(queueKey(lease("2")))).toBe(claimed)
  expect(endpoint.queues).toBe(1)
  state.remove(claimed)
  expect([state.queues.size, endpoint.queues]).toEqual([0, 0])
})

const makeState = () => new DispatchState(Effect.runSync(Clock.clockWith(Effect.succeed)))

const isWanted = ({ claimWanted }: DispatchState): boolean => Effect.runSyncExit(claimWanted.await)._tag === "Success"

it("wants a claim after a release only if the queue may have more deliveries", () => {
  for (const hasMore of [false, true]) {
    const state = makeState()
    const queue = new EndpointQueue(state.endpoint("a"), lease("1"), 0)
    state.add(queue)
    queue.hasMore = hasMore
    state.remove(queue)
    expect(isWanted(state)).toBe(hasMore)
  }
})

it("notes a commit to a leased queue, and reports a commit to any other queue", () => {
  const state = makeState()
  const queue = new EndpointQueue(state.endpoint("a"), lease("1"), 0)
  state.add(queue)
  const event = eventCalled("evt_1")
  expect(state.noteCommits([{ event, endpointId: "b" }])).toBe(true)
  expect(queue.hasMore).toBe(false)
  expect(state.noteCommits([{ event, endpointId: "a" }])).toBe(false)
  expect(queue.hasMore).toBe(true)
  expect(state.noteCommits([])).toBe(false)
  queue.hasMore = false
  expect(state.noteCommits(undefined)).toBe(true)
  expect(queue.hasMore).toBe(true)
})
