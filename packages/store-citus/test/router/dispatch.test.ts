import { CallbackDelivery, EventDispatcher, OutboxSignal } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { aCnpj, anotherCnpj, aTestEvent, endpointIds, eventDirectory, issuers } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { expect, it, onTestFinished } from "vitest"
import { realPostgres, until } from "@pixcharge/verify/postgres"
import { openRouted } from "./openRouted.ts"
import { shardsOnSchemas } from "./shardsOnSchemas.ts"

const run = Effect.runPromise
const { findShard, layer } = await shardsOnSchemas(await realPostgres({ max: 20 }), 3)
const failing = findShard(anotherCnpj)

it("the dispatcher sends other shards' events while a shard is down, and sends the failing shard's events only once", async () => {
  const { context, outbox } = await openRouted(layer)
  const sent: Array<string> = []
  const delivery = Layer.succeed(CallbackDelivery, {
    deliver: (event) =>
      Effect.sync(() => {
        sent.push(event.id)
        // The event is sent, but its settlement fails.
        if (event.issuer === anotherCnpj) failing.state = "down"
        return { _tag: "Delivered" } as const
      }),
  })
  const dispatcher = EventDispatcher.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Layer.succeedContext(context), eventDirectory(), delivery, OutboxSignal.layer)),
  )
  const runtime = ManagedRuntime.make(dispatcher)
  onTestFinished(() => runtime.dispose())
  const { notify } = await runtime.runPromise(OutboxSignal)

  const publish = async (issuer: Cnpj) => {
    const written = { event: aTestEvent({ issuer }), endpointId: endpointIds[issuers.indexOf(issuer)] ?? "" }
    await run(Effect.andThen(outbox.add(written, Date.now()), notify([written])))
    return written.event.id
  }

  const unsettledId = await publish(anotherCnpj)
  await until(() => sent.includes(unsettledId))
  for (let index = 0; index < 5; index++) {
    const eventId = await publish(aCnpj)
    await until(() => sent.includes(eventId))
  }
  expect(failing.state).toBe("down")
  failing.state = "up"
  await until(async () => (await run(outbox.depth)).waiting === 0)
  expect(sent.filter((id) => id === unsettledId)).toHaveLength(1)
  expect(
    await run(outbox.attempts(anotherCnpj, unsettledId, endpointIds[issuers.indexOf(anotherCnpj)] ?? "")),
  ).toHaveLength(1)
})
