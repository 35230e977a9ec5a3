import {
  ChargeLists,
  type ChargeId,
  type Cnpj,
  EventOperations,
  OutboxSignal,
  parseChargeRequest,
  parsePaymentNotice,
  PayerData,
  PaymentExceptions,
  PaymentSimulation,
  PixCharges,
  Reconciler,
} from "@pixcharge/core"
import { fetchHandler, PixHttp, type Responder } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { asCompany, named } from "./asCompany.ts"
import { bootFailureFrom } from "./BootFailure.ts"
import { makeDirectory } from "./directory.ts"
import { makeEvents } from "./events.ts"
import { makeExceptions } from "./exceptions.ts"
import { makeMovableClock } from "./MovableClock.ts"
import type { PixOptions, ProductionOptions, SandboxOptions } from "./options.ts"
import { pages } from "./pages.ts"
import { makePayers } from "./payers.ts"
import type { Pix, SandboxPix } from "./Pix.ts"
import { pixLayer, type PixServices } from "./pixLayer.ts"

/** Builds the services, or says in one sentence why they can't be. */
const boot = async <R>(layer: Layer.Layer<R, unknown>) => {
  const runtime = ManagedRuntime.make(layer)
  try {
    return { context: await runtime.context(), dispose: () => runtime.dispose() }
  } catch (error) {
    await runtime.dispose()
    throw bootFailureFrom(error)
  }
}

/** The services for a plain host: promises for effects, texts for ids. */
const makePix = (context: Context.Context<PixServices>, dispose: () => Promise<void>): Pix => {
  const http = Context.get(context, PixHttp)
  const charges = Context.get(context, PixCharges)
  const lists = Context.get(context, ChargeLists)
  const reconciler = Context.get(context, Reconciler)
  const run = Effect.runPromiseWith(context)
  const respond: Responder["respond"] = (exchange) => {
    const reply = http.respond(exchange)
    return reply === undefined ? undefined : run(reply)
  }
  const onCharge = <A, E>(issuer: string, id: string, use: (issuer: Cnpj, id: ChargeId) => Effect.Effect<A, E>) =>
    run(Effect.flatMap(named(issuer, id), ([company, charge]) => use(company, charge)))
  return {
    respond,
    fetch: fetchHandler({ respond }),
    issue: (issuer, request) =>
      run(
        asCompany(issuer, (company) =>
          Effect.flatMap(Effect.fromResult(parseChargeRequest(request)), (parsed) => charges.issue(company, parsed)),
        ),
      ),
    find: (issuer, id) => onCharge(issuer, id, charges.find),
    cancel: (issuer, id) => onCharge(issuer, id, charges.cancel),
    refund: (issuer, id) => onCharge(issuer, id, charges.refund),
    confirmPayment: (notice) =>
      run(Effect.flatMap(Effect.fromResult(parsePaymentNotice(notice)), charges.confirmPayment)),
    payments: (issuer, period) =>
      pages((page) => run(asCompany(issuer, (company) => lists.payments(company, period, page)))),
    reconcile: (issuer, period) => run(asCompany(issuer, (company) => reconciler.reconcile(company, period))),
    exceptions: makeExceptions(Context.get(context, PaymentExceptions), run),
    payers: makePayers(Context.get(context, PayerData), run),
    directory: makeDirectory(context, run),
    events: makeEvents(Context.get(context, EventOperations), run),
    dispose,
    [Symbol.asyncDispose]: dispose,
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
  const run = Effect.runPromiseWith(context)
  return {
    ...makePix(context, dispose),
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

/**
 * Starts pixcharge from its adapters. Rejects with a `BootFailure` that says in one sentence what is wrong. Nothing global
 * is touched: two instances live side by side, and nothing runs on after `dispose`.
 */
export function createPix(options: SandboxOptions): Promise<SandboxPix>
export function createPix(options: ProductionOptions): Promise<Pix>
export async function createPix(options: PixOptions): Promise<Pix> {
  return options.environment === "sandbox" ? createSandbox(options) : createProduction(options)
}
