import { OutboxSignal, PaymentSimulation, Reconciler } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { bootFailureFrom } from "./BootFailure.ts"
import { checkOptions } from "./checkOptions.ts"
import { makeCalls } from "./makeCalls.ts"
import { makePix } from "./makePix.ts"
import { makeMovableClock } from "./MovableClock.ts"
import type { PixOptions, ProductionOptions, SandboxOptions } from "./options.ts"
import type { Pix, SandboxPix } from "./Pix.ts"
import { pixLayer } from "./pixLayer.ts"

/** Builds the services, or says in one sentence why they can't be; what was opened until then is closed with the Layer. */
const boot = async <R>(layer: Layer.Layer<R, unknown>) => {
  const runtime = ManagedRuntime.make(layer)
  try {
    return { context: await runtime.context(), dispose: () => runtime.dispose() }
  } catch (error) {
    throw bootFailureFrom(error)
  }
}

const createProduction = async (options: ProductionOptions): Promise<Pix> => {
  const { context, dispose } = await boot(pixLayer(options))
  return makePix(context, dispose)
}

const createSandbox = async (options: SandboxOptions): Promise<SandboxPix> => {
  const clock = makeMovableClock()
  const { context, dispose } = await boot(Layer.provideMerge(pixLayer(options), Layer.succeed(Clock.Clock, clock)))
  const simulation = Context.get(context, PaymentSimulation)
  const signal = Context.get(context, OutboxSignal)
  const reconciler = Context.get(context, Reconciler)
  const { run, onCharge } = makeCalls(context)
  return {
    ...makePix(context, dispose),
    simulatePayment: (issuer, id) => onCharge(issuer, id, simulation.simulate),
    clock: {
      advance: (by) =>
        run(
          Effect.sync(() => clock.advanceUnsafe(by)).pipe(
            // What waits for a later moment may be due now.
            Effect.andThen(signal.notifyAll),
            Effect.andThen(Effect.repeat(reconciler.round, { while: ({ more }) => more })),
            Effect.asVoid,
          ),
        ),
    },
  }
}

/**
 * Starts pixcharge from its adapters. Rejects with a `BootFailure` that says in one sentence what is wrong. Nothing global
 * is touched: two instances can run in one process, and nothing runs on after `dispose`.
 *
 * @example
 * const pix = await createPix({
 *   environment: "sandbox",
 *   store: memoryStore(),
 *   directory: memoryDirectory({ companies: [company] }),
 *   processor: sandboxProcessor(),
 *   callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true }),
 *   tokens: { keys: [{ kid: "2027-01", secret }] },
 * })
 * app.use("/payments", pixRouter(pix))
 */
export function createPix(options: SandboxOptions): Promise<SandboxPix>
export function createPix(options: ProductionOptions): Promise<Pix>
export async function createPix(options: PixOptions): Promise<Pix> {
  checkOptions(options)
  return options.environment === "sandbox" ? createSandbox(options) : createProduction(options)
}
