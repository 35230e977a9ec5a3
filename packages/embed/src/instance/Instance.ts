import { TaggedError } from "@pixcharge/core/internal"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { MixedScheduler } from "effect/Scheduler"
import { bootFailureFrom } from "./BootFailure.ts"

// Read when this module is loaded: a test runner's later fake timers would stop every fiber.
const { setImmediate, clearImmediate } = globalThis

/** Effect's scheduler on Node's own `setImmediate`. */
export const nodeScheduler = new MixedScheduler("async", (resume) => {
  const immediate = setImmediate(resume)
  return () => clearImmediate(immediate)
})

export interface Booted<S> {
  readonly services: S
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
}

export interface Instance<S> {
  /** Undefined before the boot, and after `dispose`. */
  readonly booted: Booted<S> | undefined
  /**
   * Builds the services once. All callers share them. Rejects with `BootFailure` if the build fails; a call a second later
   * tries again. Rejects with `PixDisposed` after `dispose`.
   */
  readonly boot: () => Promise<Booted<S>>
  /** `dispose` aborts it with a `PixDisposed`. */
  readonly closing: AbortSignal
  /** Closes the booted services, and ends a boot under way. */
  readonly dispose: () => Promise<void>
}

const coolDownMs = 1_000

/** Like `Effect.runPromiseWith`, but makes one promise for each run instead of two. */
const runPromiseWith = (context: Context.Context<never>): Booted<unknown>["run"] => {
  const fork = Effect.runForkWith(context)
  return (effect) =>
    new Promise((resolve, reject) =>
      fork(effect).addObserver((exit) =>
        Exit.isSuccess(exit) ? resolve(exit.value) : reject(Cause.squash(exit.cause)),
      ),
    )
}

const disposeOf = ({ disposeEffect }: ManagedRuntime.ManagedRuntime<never, unknown>): Promise<void> =>
  Effect.runPromise(disposeEffect, { scheduler: nodeScheduler })

export class LazyInstance<R, S> implements Instance<S> {
  readonly #layer: Layer.Layer<R, unknown>
  readonly #services: (context: Context.Context<R>) => S
  readonly #closing = new AbortController()
  readonly closing: AbortSignal = this.#closing.signal
  booted: Booted<S> | undefined
  #runtime: ManagedRuntime.ManagedRuntime<R, unknown> | undefined
  #booting: Promise<Booted<S>> | undefined
  #disposing: Promise<void> | undefined
  /** Monotonic milliseconds. */
  #failedAt: number | undefined

  constructor(layer: Layer.Layer<R, unknown>, services: (context: Context.Context<R>) => S) {
    this.#layer = layer
    this.#services = services
  }

  readonly boot = (): Promise<Booted<S>> => {
    if (this.#disposing !== undefined) return Promise.reject(new PixDisposed())
    if (this.#failedAt !== undefined && performance.now() - this.#failedAt >= coolDownMs) {
      this.#failedAt = undefined
      this.#booting = undefined
    }
    return (this.#booting ??= this.#build())
  }

  readonly dispose = (): Promise<void> => (this.#disposing ??= this.#end())

  async #build(): Promise<Booted<S>> {
    const runtime = ManagedRuntime.make(this.#layer)
    this.#runtime = runtime
    try {
      const context = await Effect.runPromise(runtime.contextEffect, { scheduler: nodeScheduler })
      if (this.#disposing !== undefined) throw new PixDisposed()
      return (this.booted = { services: this.#services(context), run: runPromiseWith(context) })
    } catch (error) {
      await disposeOf(runtime)
      this.#failedAt = performance.now()
      throw this.#disposing === undefined ? bootFailureFrom(error) : new PixDisposed()
    }
  }

  async #end(): Promise<void> {
    this.booted = undefined
    this.#closing.abort(new PixDisposed())
    if (this.#runtime !== undefined) await disposeOf(this.#runtime)
  }
}

/**
 * The instance was disposed of.
 *
 * @remedy Make a new instance with `createPix(options)`, or call `dispose()` after the last use.
 * @repeat No.
 */
export class PixDisposed extends TaggedError("PixDisposed")<{}> {
  override get message(): string {
    return "This pixcharge has ended because dispose() was called: make a new one with createPix(options)."
  }
}
