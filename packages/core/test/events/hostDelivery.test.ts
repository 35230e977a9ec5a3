import { CallbackDelivery, type EventTaker, hostDelivery } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { itWith } from "@pixcharge/testkit/suites"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { eventCalled } from "./dispatching.ts"

const it = itWith(Layer.empty)
const endpoint = { id: "host", kinds: ["paid"], status: "enabled", target: { _tag: "Host" } } as const

const deliver = (take: EventTaker) =>
  Effect.flatMap(CallbackDelivery, (delivery) => delivery.deliver(eventCalled("evt_1"), endpoint, 1)).pipe(
    Effect.provide(hostDelivery(take)),
  )

it.effect("an event that the host's function takes is delivered, and one for which it throws or rejects is not", () =>
  Effect.gen(function* () {
    const taken: Array<string> = []
    expect(yield* deliver(({ id }) => void taken.push(id))).toEqual({ _tag: "Delivered" })
    expect(taken).toEqual(["evt_1"])
    const throws = deliver(() => {
      throw new RangeError("no such order")
    })
    expect(yield* throws).toEqual({ _tag: "Retry", reason: "RangeError: no such order" })
    expect(yield* deliver(() => Promise.reject("full"))).toEqual({ _tag: "Retry", reason: "full" })
    expect(yield* deliver(() => Promise.reject(new TypeError()))).toEqual({ _tag: "Retry", reason: "TypeError" })
    const wordy = yield* deliver(() => Promise.reject("x".repeat(2_000)))
    expect(wordy).toEqual({ _tag: "Retry", reason: "x".repeat(1_024) })
  }),
)

it.effect("a function of the host's that takes longer than 15 s wants the event again", () =>
  Effect.gen(function* () {
    const waiting = yield* Effect.forkChild(deliver(() => new Promise(() => {})))
    yield* TestClock.adjust(14_999)
    expect(waiting.pollUnsafe()).toBeUndefined()
    yield* TestClock.adjust(1)
    expect(yield* Fiber.join(waiting)).toEqual({ _tag: "Retry", reason: "the host's function took over 15 s" })
  }),
)
