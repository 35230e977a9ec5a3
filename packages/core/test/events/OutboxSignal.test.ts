import { OutboxSignal } from "@pixcharge/core"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import { eventCalled } from "./dispatching.ts"

type Signal = OutboxSignal["Service"]

const it = itWith(OutboxSignal.layer)

const notify = (signal: Signal, ...ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => signal.notify([{ event: eventCalled(id), endpointId: "a" }]))

const nextIds = ({ next }: Signal) => Effect.map(next, (written) => written?.map(({ event }) => event.id))

it.effect("names the deliveries written since the last wait", () =>
  Effect.gen(function* () {
    const signal = yield* OutboxSignal
    yield* notify(signal, "evt_1", "evt_2")
    expect(yield* nextIds(signal)).toEqual(["evt_1", "evt_2"])
    yield* notify(signal, "evt_3")
    expect(yield* nextIds(signal)).toEqual(["evt_3"])
  }),
)

it.effect("wakes its waiter once for each report", () =>
  Effect.gen(function* () {
    const signal = yield* OutboxSignal
    for (const id of ["evt_1", "evt_2"]) {
      const waiter = yield* Effect.forkChild(nextIds(signal))
      for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
      expect(waiter.pollUnsafe()).toBeUndefined()
      yield* notify(signal, id)
      expect(yield* Fiber.join(waiter)).toEqual([id])
    }
  }),
)

it.effect("names no deliveries at the next wait if one of the commits was not named", () =>
  Effect.gen(function* () {
    const signal = yield* OutboxSignal
    yield* notify(signal, "evt_1")
    yield* signal.notifyAll
    yield* notify(signal, "evt_2")
    expect(yield* signal.next).toBeUndefined()
    yield* notify(signal, "evt_3")
    expect(yield* nextIds(signal)).toEqual(["evt_3"])
  }),
)

it.effect("keeps a bounded list while no process waits", () =>
  Effect.gen(function* () {
    const signal = yield* OutboxSignal
    yield* notify(signal, ...Array.from({ length: 20_000 }, (_, n) => `evt_${n}`))
    expect(yield* signal.next).toBeUndefined()
  }),
)
