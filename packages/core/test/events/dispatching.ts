import {
  CallbackDelivery,
  CallbackEndpoints,
  type DeliveryOutcome,
  DueChecks,
  EventDispatcher,
  Outbox,
  OutboxSignal,
} from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import type { Endpoint } from "@pixcharge/core/directory"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { makeFakeOutbox } from "./FakeOutbox.ts"

export interface Sent {
  readonly endpointId: string
  readonly eventId: string
  readonly at: number
}

export const eventCalled = (id: string): PixEvent<"test"> => ({
  id,
  kind: "test",
  issuer: "12345678000195" as Cnpj,
  companyName: "Loja",
  occurredAt: 0,
})

export const ok: DeliveryOutcome = { _tag: "Delivered", status: 200 }
export const failure: DeliveryOutcome = { _tag: "Retry", status: 500, reason: "HTTP 500" }

export const makeWorld = (
  answer: (sent: Sent, attempt: number) => DeliveryOutcome | Effect.Effect<DeliveryOutcome> = () => ok,
) => {
  const fake = makeFakeOutbox()
  const sent: Array<Sent> = []
  const statuses = new Map<string, Endpoint["status"]>()
  const unknown = new Set<string>()
  /** Slow or failing look-ups, by endpoint. */
  const lookUps = new Map<string, Effect.Effect<Endpoint>>()

  /** Errors that look-ups throw, by endpoint. */
  const throwing = new Map<string, Error>()

  const endpoint = (id: string): Endpoint => ({
    id,
    kinds: ["paid", "refunded"],
    status: statuses.get(id) ?? "enabled",
    target: { _tag: "Host" },
  })

  const ports = Layer.mergeAll(
    Layer.succeed(Outbox, fake.outbox),
    Layer.succeed(DueChecks, fake.checks),
    Layer.succeed(CallbackEndpoints, {
      forCompany: () => Effect.succeed([]),
      find: (id) => {
        const error = throwing.get(id)
        if (error !== undefined) throw error
        return lookUps.get(id) ?? Effect.sync(() => (unknown.has(id) ? undefined : endpoint(id)))
      },
      setStatus: (id, status) => Effect.sync(() => void statuses.set(id, status)),
    }),
    Layer.succeed(CallbackDelivery, {
      deliver: (event, { id }, attempt) =>
        Effect.clockWith((clock) => {
          const one = { endpointId: id, eventId: event.id, at: clock.currentTimeMillisUnsafe() }
          sent.push(one)
          const outcome = answer(one, attempt)
          return Effect.isEffect(outcome) ? outcome : Effect.succeed(outcome)
        }),
    }),
    OutboxSignal.layer,
  )

  const logged: Array<unknown> = []
  const logger = Logger.make<unknown, void>(({ message }) => {
    logged.push(Array.isArray(message) ? message[0] : message)
  })

  let aheadMs = 0
  const businessClock = Layer.effect(
    Clock.Clock,
    Clock.clockWith((clock) => {
      const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + aheadMs
      const currentTimeMillis = Effect.sync(currentTimeMillisUnsafe)
      return Effect.succeed(Object.assign(Object.create(clock), { currentTimeMillisUnsafe, currentTimeMillis }))
    }),
  )

  /**
   * Runs a scenario on a clock that only the test advances. After the scenario, the clock runs by itself until the dispatcher has
   * ended. Returns the milliseconds that the dispatcher took to end.
   */
  const run = (
    scenario: Effect.Effect<unknown, unknown, EventDispatcher | OutboxSignal>,
    dispatcher: typeof EventDispatcher.layer = EventDispatcher.layer,
  ): Promise<number> =>
    Effect.runPromise(
      Effect.gen(function* () {
        const scope = yield* Effect.scope
        let endsAt = 0
        const timed = Effect.ensuring(
          scenario,
          Effect.gen(function* () {
            endsAt = yield* Clock.currentTimeMillis
            yield* Effect.forkIn(Effect.forever(TestClock.adjust(250)), scope)
          }),
        )
        yield* Effect.provide(timed, Layer.provideMerge(dispatcher, ports))
        return (yield* Clock.currentTimeMillis) - endsAt
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.mergeAll(Layer.provideMerge(businessClock, TestClock.layer()), Logger.layer([logger]))),
      ),
    )

  /** Moves business time only: the timers of polls and renewals don't fire. */
  const jump = (ms: number) =>
    Effect.sync(() => {
      aheadMs += ms
    })

  const sentTo = (endpointId: string) => sent.filter((one) => one.endpointId === endpointId)

  return { ...fake, sent, sentTo, statuses, unknown, lookUps, throwing, logged, run, jump }
}

/** Moves the time in steps, so every timer on the way fires in its turn. */
export const pass = (ms: number, stepMs = 250) =>
  Effect.gen(function* () {
    for (let remaining = ms; remaining > 0; remaining -= stepMs) yield* TestClock.adjust(Math.min(stepMs, remaining))
  })
