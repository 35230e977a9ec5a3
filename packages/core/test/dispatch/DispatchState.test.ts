import type { Cnpj } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { DispatchState } from "../../src/service/dispatch/DispatchState.ts"
import { EndpointQueue, queueKey } from "../../src/service/dispatch/EndpointQueue.ts"

const lease = (token: string) => ({ issuer: "12345678000195" as Cnpj, endpointId: "a", token })

it("a queue that was claimed anew while it was released is kept when the release ends", () => {
  const state = new DispatchState(Effect.runSync(Clock.clockWith(Effect.succeed)))
  const endpoint = state.endpoint("a")
  const [released, claimed] = ["1", "2"].map((token) => new EndpointQueue(endpoint, lease(token), 0))
  if (released === undefined || claimed === undefined) throw new Error("two queues")
  state.add(released)
  state.add(claimed)
  expect(endpoint.queues).toBe(2)
  state.remove(released)
  expect(state.queues.get(queueKey(lease("2")))).toBe(claimed)
  expect(endpoint.queues).toBe(1)
  state.remove(claimed)
  expect([state.queues.size, endpoint.queues]).toEqual([0, 0])
})
