import { ChargeStore, StoreUnavailable } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { aChange, aPaidCharge, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import { makeEventStreams } from "@pixcharge/web"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { makeFinder } from "../src/hub/Finder.ts"
import { makeHub } from "../src/hub/makeHub.ts"
import { company } from "./company.ts"

const charge = aPendingCharge({ issuer: company.cnpj as Cnpj })
const it = itWith(Layer.merge(memoryStore(), memoryDirectory({ companies: [company] })))

const openStream = Effect.gen(function* () {
  const streams = makeEventStreams({ maxOpen: 1 })
  yield* Effect.addFinalizer(() => Effect.sync(streams.dispose))
  const { signal } = new AbortController()
  const stream = streams.open({ signal, onClosed: () => undefined })
  if (typeof stream === "number") throw new Error("expected the first stream to open")
  const reader = stream.body.getReader()
  const status = Effect.promise(async () => {
    const { value } = await reader.read()
    return /"status":"(\w+)"/.exec(new TextDecoder().decode(value))?.[1]
  })
  return { stream, status }
})

it.effect("sends state and changes to a stream whose charge the hub forgot before the stream opened", () =>
  Effect.gen(function* () {
    const store = yield* ChargeStore
    yield* store.insert(charge)
    let isDown = true
    const changed: typeof store.changed = (seen) =>
      isDown ? Effect.fail(new StoreUnavailable({ operation: "changed" })) : store.changed(seen)
    const hub = yield* Effect.flatMap(
      Effect.provideService(makeFinder(false), ChargeStore, { ...store, changed }),
      makeHub,
    )
    // Without an open page, the rounds have ended.
    yield* TestClock.adjust("10 seconds")
    const { stream, status } = yield* openStream
    expect(hub.follow(charge, { stream, expiresAt: Number.POSITIVE_INFINITY })).toBeUndefined()
    yield* TestClock.adjust("10 seconds")
    isDown = false
    yield* TestClock.adjust("10 seconds")
    expect(yield* status).toBe("pendente")
    const next = aPaidCharge(charge)
    yield* store.commit(aChange(charge, { next, payments: [next.payment] }))
    yield* TestClock.adjust("10 seconds")
    expect(yield* status).toBe("pago")
  }),
)
