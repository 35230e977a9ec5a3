import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import { Scheduler } from "effect/Scheduler"
import { TransactionIds } from "@pixcharge/core"
import type * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
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

/** Called when a process ends without being killed: it couldn't start, or a part of it failed. */
export type OnEnd = (actor: Actor, cause: Cause.Cause<unknown>) => void

export class Process<Services> {
  readonly actor: Actor
  readonly #world: World
  #services: Context.Context<Services> | undefined
  readonly #fiber: Fiber.Fiber<never, unknown>
  readonly #context: Context.Context<never>
  #isStopped = false

  constructor(world: World, actor: Actor, layer: Layer.Layer<Services, unknown>, onEnd: OnEnd) {
    this.#world = world
    this.actor = actor
    this.#context = actorContext(world, actor)
    const alive = Effect.gen({ self: this }, function* () {
      this.#services = yield* Layer.build(layer)
      return yield* Effect.never
    })
    this.#fiber = Effect.runForkWith(this.#context)(Effect.scoped(alive))
    this.#fiber.addObserver((exit) => {
      this.#services = undefined
      if (actor.isAlive && !this.#isStopped && Exit.isFailure(exit)) onEnd(actor, exit.cause)
    })
  }

  get isServing(): boolean {
    return this.actor.isAlive && this.#services !== undefined
  }

  /** False if the process is dead, ending or not ready. */
  serve<A, E>(call: Effect.Effect<A, E, Services>, onExit: (exit: Exit.Exit<A, E>) => void): boolean {
    if (!this.actor.isAlive || this.#services === undefined) return false
    const context = Context.merge(this.#context, this.#services)
    this.#world.enqueue(this.actor, () => Effect.runForkWith(context)(call).addObserver(onExit))
    return true
  }

  /** Shuts the process down gracefully: it finishes open work and releases leases. */
  stop(): void {
    this.#isStopped = true
    this.#services = undefined
    this.#fiber.interruptUnsafe()
  }
}
