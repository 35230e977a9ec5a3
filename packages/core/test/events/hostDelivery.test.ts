import { CallbackDelivery, type EventTaker, hostDelivery } from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import type { Endpoint } from "@pixcharge/core/directory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Layer from "effect/Layer"
import { runInNewContext } from "node:vm"
import { expect } from "vitest"
import { eventCalled } from "./dispatching.ts"

const it = itWith(Layer.empty)
const endpoint = { id: "host", kinds: ["paid"], status: "enabled", target: { _tag: "Host" } } as const

const http = Layer.succeed(CallbackDelivery, { deliver: () => Effect.succeed({ _tag: "Gone" }) })

const deliverTo = <R = never>(to: Endpoint, take: EventTaker<R>) =>
  Effect.flatMap(CallbackDelivery, (delivery) => delivery.deliver(eventCalled("evt_1"), to, 1)).pipe(
    Effect.provide(Layer.provide(hostDelivery(take), http)),
  )

const deliver = <R = never>(take: EventTaker<R>) => deliverTo(endpoint, take)

it.effect("delivers an event unless the host's function throws or rejects", () =>
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

class Orders extends Context.Service<Orders, { readonly shipped: Array<string> }>()("Orders") {}

it.effect("runs the host's Effect with the host's services, and retries after its failure", () =>
  Effect.gen(function* () {
    const orders: Orders["Service"] = { shipped: [] }
    const ship = ({ id }: PixEvent) => Effect.map(Orders, ({ shipped }) => void shipped.push(id))
    expect(yield* Effect.provideService(deliver(ship), Orders, orders)).toEqual({ _tag: "Delivered" })
    expect(orders.shipped).toEqual(["evt_1"])
    expect(yield* deliver(() => Effect.fail("full"))).toEqual({ _tag: "Retry", reason: "full" })
    expect(yield* deliver(() => Effect.die(new TypeError("no order")))).toEqual({
      _tag: "Retry",
      reason: "TypeError: no order",
    })
  }),
)

it.effect("passes an HTTP endpoint's events to the HTTP delivery", () =>
  Effect.gen(function* () {
    const url = "https://loja.example"
    const other: Endpoint = { ...endpoint, id: "loja", target: { _tag: "Http", url, secrets: ["s"] } as never }
    expect(yield* deliverTo(other, () => Effect.die("expected no call of the host's function"))).toEqual({
      _tag: "Gone",
    })
  }),
)

it.effect("awaits a promise of another realm, like Node's in Jest", () =>
  Effect.gen(function* () {
    const ofAnotherRealm = runInNewContext('() => Promise.reject("full")') as () => Promise<void>
    expect(yield* deliver(ofAnotherRealm)).toEqual({ _tag: "Retry", reason: "full" })
  }),
)

it.effect("retries a host's function that takes longer than 15 s", () =>
  Effect.gen(function* () {
    const waiting = yield* Effect.forkChild(deliver(() => new Promise(() => {})))
    yield* TestClock.adjust(14_999)
    expect(waiting.pollUnsafe()).toBeUndefined()
    yield* TestClock.adjust(1)
    expect(yield* Fiber.join(waiting)).toEqual({ _tag: "Retry", reason: "the host's function took over 15 s" })
  }),
)
