import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { bootFailureFrom } from "./BootFailure.ts"
import { PixDisposed } from "./PixDisposed.ts"

/** What has booted. */
export interface Booted<S> {
  readonly services: S
  /** Runs an effect as a promise that rejects with its error. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
}

/** One pixcharge, whose services are built when they are first needed. */
export interface Instance<S> {
  /** Undefined until it has booted, and after `dispose`. */
  readonly booted: Booted<S> | undefined
  /**
   * Builds the services once, for all callers. Rejects with `BootFailure` why they can't be, and tries again when it is called a
   * second later; with `PixDisposed` after `dispose`.
   */
  readonly boot: () => Promise<Booted<S>>
  /** Closes what the boot has opened, also while it is under way. */
  readonly dispose: () => Promise<void>
}

const restMs = 1_000

/** As `Effect.runPromiseWith`, which makes two promises for each run. */
const runPromiseWith = (context: Context.Context<never>): Booted<unknown>["run"] => {
  const fork = Effect.runForkWith(context)
  return (effect) =>
    new Promise((resolve, reject) =>
      fork(effect).addObserver((exit) =>
        Exit.isSuccess(exit) ? resolve(exit.value) : reject(Cause.squash(exit.cause)),
      ),
    )
}

/** An instance of these services. Nothing is opened, and no timer set, before the first call of `boot`. */
export const makeInstance = <R, S>(
  layer: Layer.Layer<R, unknown>,
  services: (context: Context.Context<R>) => S,
): Instance<S> => {
  let runtime: ManagedRuntime.ManagedRuntime<R, unknown> | undefined
  let booting: Promise<Booted<S>> | undefined
  let disposing: Promise<void> | undefined
  /** By the monotonic clock. */
  let failedAt: number | undefined

  const build = async (): Promise<Booted<S>> => {
    const opened = ManagedRuntime.make(layer)
    runtime = opened
    try {
      const context = await opened.context()
      if (disposing !== undefined) throw new PixDisposed()
      instance.booted = { services: services(context), run: runPromiseWith(context) }
      return instance.booted
    } catch (error) {
      await opened.dispose()
      failedAt = performance.now()
      throw disposing === undefined ? bootFailureFrom(error) : new PixDisposed()
    }
  }

  const end = async (): Promise<void> => {
    instance.booted = undefined
    await runtime?.dispose()
  }

  const instance = {
    booted: undefined as Booted<S> | undefined,
    boot: () => {
      if (disposing !== undefined) return Promise.reject(new PixDisposed())
      if (failedAt !== undefined && performance.now() - failedAt >= restMs) {
        failedAt = undefined
        booting = undefined
      }
      return (booting ??= build())
    },
    dispose: () => (disposing ??= end()),
  }
  return instance
}
