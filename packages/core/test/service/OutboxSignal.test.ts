import { OutboxSignal } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { eventCalled } from "./dispatch/dispatching.ts"

const notified = (count: number) =>
  Effect.gen(function* () {
    const signal = yield* OutboxSignal
    for (let n = 0; n < count; n++) yield* signal.notify([{ event: eventCalled(`evt_${n}`), endpointId: "a" }])
    return yield* signal.next
  }).pipe(Effect.provide(OutboxSignal.layer))

it("names what was written since the last wait", async () => {
  expect((await Effect.runPromise(notified(3)))?.map(({ event }) => event.id)).toEqual(["evt_0", "evt_1", "evt_2"])
})

it("keeps no endless list in a process where nobody waits for the signal", async () => {
  expect(await Effect.runPromise(notified(20_000))).toBeUndefined()
})
