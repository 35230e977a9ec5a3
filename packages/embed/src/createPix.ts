import type { DiagnosisOrder, NoticesRoute } from "@pixcharge/core"
import { makeIsOwnRequest, StreamsEnd } from "@pixcharge/http"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Scheduler } from "effect/Scheduler"
import { type BootFailure, bootFailureFrom } from "./instance/BootFailure.ts"
import { checkOptions, refuseWorkerd } from "./checkOptions.ts"
import { LazyInstance, nodeScheduler } from "./instance/Instance.ts"
import { tick } from "./api/tick.ts"
import { makeCalls } from "./api/calls.ts"
import { diagnose } from "./diagnose.ts"
import { makeMovableClock, makeRunInPast, stopsOnTheWay } from "./instance/MovableClock.ts"
import { makeResponder } from "./makeResponder.ts"
import type { HostOptions, OptionsOf, PixOptions, ProductionOptions, SandboxOptions } from "./options.ts"
import { makePix, type Pix } from "./api/Pix.ts"
import { makeSandboxRecurrences, parsePayment, type SandboxPix } from "./api/SandboxPix.ts"
import { toPlainNow } from "./api/plain.ts"
import { productionLayer, sandboxLayer } from "./pixLayer.ts"
import { pixServices, type SandboxCalled, sandboxServices } from "./instance/services.ts"
import { loggerLayer } from "./telemetry/HostLogger.ts"
import { tracerLayer } from "./telemetry/OpenTelemetry.ts"
import { platformVariables, warnWhereFrozen } from "./warnWhereFrozen.ts"

const makeIsOwn = ({ openapi, checkout }: PixOptions, notices?: Pick<NoticesRoute<unknown, never>, "path">) => {
  try {
    return Effect.runSync(makeIsOwnRequest({ notices: notices?.path, openApi: openapi, checkout: checkout?.path }))
  } catch (error) {
    throw bootFailureFrom(error)
  }
}

const realClock = Context.get(Context.empty(), Clock.Clock)

const provideHost = <R>(
  layer: Layer.Layer<R, BootFailure>,
  { background }: PixOptions,
  host: Layer.Layer<never>,
): Layer.Layer<R, BootFailure> => {
  const watch = warnWhereFrozen(platformVariables(), () => performance.now())
  const watched = background === false ? layer : Layer.merge(layer, Layer.effectDiscard(Effect.forkScoped(watch)))
  return Layer.provideMerge(watched, host)
}

const makeGiven = (options: PixOptions) => ({
  diagnose: (order: DiagnosisOrder = {}) => diagnose(options, order),
  canSign: options.tokens !== undefined,
  hasRecurrences: options.recurrences === true,
  streams: new AbortController(),
})

const hostLayer = ({ logger, telemetry }: HostOptions, { streams }: ReturnType<typeof makeGiven>): Layer.Layer<never> =>
  Layer.mergeAll(
    logger === undefined ? Layer.empty : loggerLayer(logger),
    telemetry === undefined ? Layer.empty : tracerLayer(telemetry),
    Layer.succeed(StreamsEnd, streams.signal),
    Layer.succeed(Scheduler, nodeScheduler),
  )

const createProduction = (options: ProductionOptions & HostOptions): Pix => {
  const given = makeGiven(options)
  const host = hostLayer(options, given)
  const instance = new LazyInstance(provideHost(productionLayer(options), options, host), pixServices)
  return makePix(instance, makeResponder(instance, makeIsOwn(options, options.notices), host), realClock, given)
}

/** Milliseconds, more than all work that is due at one stop of the sandbox's clock takes. */
const stopMs = 60_000

const createSandbox = (options: SandboxOptions & HostOptions): SandboxPix => {
  const clock = makeMovableClock(options.frozenAt)
  const given = makeGiven(options)
  const host = hostLayer(options, given)
  const layer = provideHost(sandboxLayer(options), options, Layer.merge(host, Layer.succeed(Clock.Clock, clock)))
  const instance = new LazyInstance(layer, sandboxServices)
  const pix = makePix(instance, makeResponder(instance, makeIsOwn(options), host), clock, given)
  const calls = makeCalls(instance)
  const { run, onCharge } = calls
  const wake = ({ signal, reconciler }: SandboxCalled, looksForPayments = true) =>
    Effect.andThen(
      signal.notifyAll,
      looksForPayments ? Effect.repeat(reconciler.round, { while: ({ more }) => more }) : Effect.void,
    )
  const moveTo = (moment: number): void => clock.advanceUnsafe(Math.max(moment - clock.presentUnsafe(), 0))

  const advance = Effect.fnUntraced(function* (services: SandboxCalled, by: Duration.Input) {
    const target = clock.laterUnsafe(by)
    const stops = services.recurrences === undefined ? [] : stopsOnTheWay(clock.presentUnsafe(), target)
    for (const stop of stops) {
      moveTo(stop)
      // Does all due work before time advances, including the delivery of events and the host's work on them.
      yield* Effect.repeat(tick(services, { deadlineMs: stopMs }), { while: ({ more }) => more })
    }
    moveTo(target)
    yield* wake(services)
  })

  return {
    ...pix,
    recurrences: { ...pix.recurrences, ...makeSandboxRecurrences(calls, wake) },
    simulatePayment: (issuer, id, play) =>
      onCharge(
        issuer,
        id,
        Effect.fnUntraced(function* ({ simulation, recurrences, recurrencePlay }, company, charge) {
          const paid = yield* toPlainNow(simulation.simulate(company, charge, yield* parsePayment(play)))
          const bankIds = yield* recurrencePlay?.authorisedBy(company, charge) ?? Effect.succeed([])
          yield* recurrences?.checkSoon(company, { bankIds, txids: [] }) ?? Effect.void
          return paid
        }),
      ),
    clock: {
      ...pix.clock,
      advance: (by) => run((services) => advance(services, by)),
      runInPast: makeRunInPast(clock, (looks) => run((services) => Effect.asVoid(wake(services, looks)))),
    },
  }
}

/**
 * Makes a pixcharge from its adapters. A module can export it: it opens no connection and sets no timer before `ready()` or its
 * first use. Throws a `BootFailure` for an invalid option. It changes no global: several instances can run in one process, and
 * all work ends with `dispose`.
 *
 * @example
 * const pix = createPix({
 *   environment: "sandbox",
 *   store: memoryStore(),
 *   directory: memoryDirectory({ companies: [company] }),
 *   processor: sandboxProcessor(),
 *   callbacks: callbackFetch({ allowHttp: true, allowPrivateNetworks: true }),
 *   tokens: { keys: [{ kid: "2027-01", secret }] },
 * })
 * app.use("/payments", pixRouter(pix))
 * await pix.ready()
 */
export const createPix = <E extends PixOptions["environment"]>(
  options: OptionsOf<E> & HostOptions,
): E extends "sandbox" ? SandboxPix : Pix => {
  refuseWorkerd()
  const given: PixOptions & HostOptions = options
  checkOptions(given)
  return (given.environment === "sandbox" ? createSandbox(given) : createProduction(given)) as SandboxPix
}
