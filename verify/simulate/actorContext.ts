import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import { Scheduler } from "effect/Scheduler"
import { TransactionIds } from "@pixcharge/core"
import type { Actor, World } from "./World.ts"

const opsBeforeYield = 2_048

const makeScheduler = (world: World, actor: Actor): typeof Scheduler.Service => {
  const dispatcher = { scheduleTask: (task: () => void) => world.enqueue(actor, task), flush: () => undefined }
  return {
    executionMode: "async",
    shouldYield: (fiber) => fiber.currentOpCount >= opsBeforeYield,
    makeDispatcher: () => dispatcher,
  }
}

const makeClock = (world: World, actor: Actor): Clock.Clock => {
  const millis = () => world.now + actor.skewMs
  const nanos = () => BigInt(world.now) * 1_000_000n
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeNanosUnsafe: nanos,
    monotonicTimeNanosUnsafe: nanos,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => {
      const ms = Math.ceil(Duration.toMillis(duration))
      if (ms <= 0) return Effect.yieldNow
      return Effect.callback((resume) => {
        const end = ms < Number.POSITIVE_INFINITY ? world.sleep(actor, ms, () => resume(Effect.void)) : () => undefined
        return Effect.sync(end)
      })
    },
  }
}

const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`

/** The services of an actor's runtime, with the world's scheduler, clock and random numbers. */
export const actorContext = (world: World, actor: Actor): Context.Context<never> => {
  const { random } = world
  return Context.make(Scheduler, makeScheduler(world, actor)).pipe(
    Context.add(Clock.Clock, makeClock(world, actor)),
    Context.add(Random.Random, {
      nextDoubleUnsafe: random.next,
      nextIntUnsafe: () => random.between(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    }),
    Context.add(TransactionIds, { next: () => uuid(random.between(0, 2 ** 47)) }),
    Context.add(Logger.CurrentLoggers, new Set<Logger.Logger<unknown, unknown>>()),
  )
}
