import { OutboxSignal } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect, it } from "vitest"
import { eventCalled } from "./dispatching.ts"

type Signal = OutboxSignal["Service"]

const withSignal = <A>(use: (signal: Signal) => Effect.Effect<A>) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(OutboxSignal, use), OutboxSignal.layer))

const notify = (signal: Signal, ...ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => signal.notify([{ event: eventCalled(id), endpointId: "a" }]))

const nextIds = ({ next }: Signal) => Effect.map(next, (written) => written?.map(({ event }) => event.id))

it("names what was written since the last wait, though nobody waited meanwhile", () =>
  withSignal((signal) =>
    Effect.gen(function* () {
      yield* notify(signal, "evt_1", "evt_2")
      expect(yield* nextIds(signal)).toEqual(["evt_1", "evt_2"])
      yield* notify(signal, "evt_3")
      expect(yield* nextIds(signal)).toEqual(["evt_3"])
    }),
  ))

it("wakes the one who waits, once for all that was written", () =>
  withSignal((signal) =>
    Effect.gen(function* () {
      for (const id of ["evt_1", "evt_2"]) {
        const waiter = yield* Effect.forkChild(nextIds(signal))
        for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
        expect(waiter.pollUnsafe()).toBeUndefined()
        yield* notify(signal, id)
        expect(yield* Fiber.join(waiter)).toEqual([id])
      }
    }),
  ))

it("names nothing once others were written than those that have names, until the next wait", () =>
  withSignal((signal) =>
    Effect.gen(function* () {
      yield* notify(signal, "evt_1")
      yield* signal.notifyAll
      yield* notify(signal, "evt_2")
      expect(yield* signal.next).toBeUndefined()
      yield* notify(signal, "evt_3")
      expect(yield* nextIds(signal)).toEqual(["evt_3"])
    }),
  ))

it("keeps no endless list in a process where nobody waits for the signal", () =>
  withSignal((signal) =>
    Effect.gen(function* () {
      yield* notify(signal, ...Array.from({ length: 20_000 }, (_, n) => `evt_${n}`))
      expect(yield* signal.next).toBeUndefined()
    }),
  ))
