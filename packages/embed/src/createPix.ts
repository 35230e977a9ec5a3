import {
  type ChargeId,
  type Cnpj,
  EventDispatcher,
  EventOperations,
  HolidayCalendar,
  OutboxSignal,
  parseChargeRequest,
  parseCnpj,
  parsePaymentNotice,
  PaymentDesk,
  PaymentSimulation,
  PaymentSimulator,
  PixCharges,
  Reconciler,
} from "@pixcharge/core"
import { fetchHandler, PixHttp, Tokens } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { BootFailure, bootFailureOf } from "./BootFailure.ts"
import { asCompany, named } from "./asCompany.ts"
import { pages } from "./pages.ts"
import { exceptionsOf, payersOf } from "./desk.ts"
import { makeDirectory } from "./directory.ts"
import { eventsOf } from "./events.ts"
import { hostDeliveries, hostEndpoints } from "./hostEvents.ts"
import { makeMovableClock } from "./MovableClock.ts"
import type { CommonOptions, ProductionOptions, SandboxOptions } from "./options.ts"
import type { Pix, SandboxPix } from "./Pix.ts"

/** The host's own adapters, with its function among the endpoints if it takes events. */
const adapterLayer = ({ store, directory, callbacks, onEvent, holidays }: CommonOptions) =>
  Layer.mergeAll(
    store,
    onEvent === undefined ? directory : Layer.provideMerge(hostEndpoints, directory),
    onEvent === undefined ? callbacks : hostDeliveries(callbacks, onEvent),
    holidays === undefined ? Layer.empty : Layer.succeed(HolidayCalendar, { forCompany: holidays }),
  )

/** The services around the adapters that both environments share. */
const serviceLayer = (options: CommonOptions, environment: "sandbox" | "production") =>
  Layer.mergeAll(EventDispatcher.layer, EventOperations.layer, PaymentDesk.layer, Reconciler.layer).pipe(
    Layer.provideMerge(PixCharges.layer),
    Layer.provideMerge(Tokens.layer({ ...options.tokens, environment })),
    Layer.provideMerge(OutboxSignal.layer),
    Layer.provideMerge(adapterLayer(options)),
  )

const productionLayer = (options: ProductionOptions) =>
  PixHttp.layer.pipe(
    Layer.provideMerge(options.notices ?? Layer.empty),
    Layer.provideMerge(serviceLayer(options, "production")),
    Layer.provideMerge(options.processor),
  )

const sandboxLayer = (options: SandboxOptions) =>
  PixHttp.layer.pipe(
    Layer.provideMerge(PaymentSimulation.layer),
    Layer.provideMerge(serviceLayer(options, "sandbox")),
    Layer.provideMerge(options.processor),
  )

/** Builds the services, or says in one sentence why they can't be. */
const boot = async <R>(layer: Layer.Layer<R, unknown>) => {
  const runtime = ManagedRuntime.make(layer)
  try {
    return { context: await runtime.context(), dispose: () => runtime.dispose() }
  } catch (error) {
    await runtime.dispose()
    throw bootFailureOf(error)
  }
}

const facade = (
  context: Context.Context<PixHttp | PixCharges | PaymentDesk | EventOperations | Reconciler>,
  dispose: () => Promise<void>,
): Pix => {
  const http = Context.get(context, PixHttp)
  const charges = Context.get(context, PixCharges)
  const desk = Context.get(context, PaymentDesk)
  const reconciler = Context.get(context, Reconciler)
  const run = Effect.runPromiseWith(context)
  const respond: Pix["respond"] = (exchange) => run(http.respond(exchange))
  const on = <A, E>(issuer: string, id: string, use: (issuer: Cnpj, id: ChargeId) => Effect.Effect<A, E>) =>
    run(Effect.flatMap(named(issuer, id), ([company, charge]) => use(company, charge)))
  return {
    handles: http.handles,
    respond,
    fetch: fetchHandler({ handles: http.handles, respond }),
    issue: (issuer, request) =>
      run(
        Effect.flatMap(
          Effect.all([Effect.fromResult(parseCnpj(issuer)), Effect.fromResult(parseChargeRequest(request))]),
          ([company, parsed]) => charges.issue(company, parsed),
        ),
      ),
    find: (issuer, id) => on(issuer, id, charges.find),
    cancel: (issuer, id) => on(issuer, id, charges.cancel),
    refund: (issuer, id) => on(issuer, id, charges.refund),
    confirmPayment: (notice) =>
      run(Effect.flatMap(Effect.fromResult(parsePaymentNotice(notice)), charges.confirmPayment)),
    payments: (issuer, period) =>
      pages((page) => run(asCompany(issuer, (company) => desk.payments(company, period, page)))),
    reconcile: (issuer, period) => run(asCompany(issuer, (company) => reconciler.reconcile(company, period))),
    exceptions: exceptionsOf(desk, run),
    payers: payersOf(desk, run),
    directory: makeDirectory(context, run),
    events: eventsOf(Context.get(context, EventOperations), run),
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}

const createProduction = async (options: ProductionOptions): Promise<Pix> => {
  const { context, dispose } = await boot(productionLayer(options))
  // The types refuse it; a host without types, or with a cast, learns it here.
  if (Context.getOption(context as Context.Context<never>, PaymentSimulator)._tag === "Some") {
    await dispose()
    throw new BootFailure({ message: "pixcharge could not start: the sandbox's processor is not for production" })
  }
  return facade(context, dispose)
}

const createSandbox = async (options: SandboxOptions): Promise<SandboxPix> => {
  const clock = makeMovableClock()
  const layer = Layer.provideMerge(sandboxLayer(options), Layer.succeed(Clock.Clock, clock))
  const { context, dispose } = await boot(layer)
  const simulation = Context.get(context, PaymentSimulation)
  const signal = Context.get(context, OutboxSignal)
  const reconciler = Context.get(context, Reconciler)
  const run = Effect.runPromiseWith(context)
  return {
    ...facade(context, dispose),
    simulatePayment: (issuer, id) =>
      run(Effect.flatMap(named(issuer, id), ([company, charge]) => simulation.simulate(company, charge))),
    clock: {
      advance: (by) =>
        run(
          Effect.sync(() => clock.advanceUnsafe(by)).pipe(
            // What waits for its hour may be due now.
            Effect.andThen(signal.ring),
            Effect.andThen(Effect.repeat(reconciler.round, { while: ({ more }) => more })),
            Effect.asVoid,
          ),
        ),
    },
  }
}

/** For hosts without types: an option left out, or an environment misspelt, must not become another behaviour. */
const checkOptions = (options: ProductionOptions | SandboxOptions): void => {
  for (const name of ["store", "directory", "processor", "callbacks", "tokens"] as const) {
    if (options[name] === undefined) {
      throw new BootFailure({ message: `pixcharge could not start: the option "${name}" is missing` })
    }
  }
  if (options.environment !== "sandbox" && options.environment !== "production") {
    throw new BootFailure({ message: 'pixcharge could not start: the environment must be "sandbox" or "production"' })
  }
}

/**
 * Starts pixcharge from its adapters. Rejects with a `BootFailure` that says in one sentence what is wrong. Nothing global
 * is touched: two instances live side by side, and nothing runs on after `dispose`.
 */
export function createPix(options: SandboxOptions): Promise<SandboxPix>
export function createPix(options: ProductionOptions): Promise<Pix>
export async function createPix(options: ProductionOptions | SandboxOptions): Promise<Pix> {
  checkOptions(options)
  return options.environment === "sandbox" ? createSandbox(options) : createProduction(options)
}
