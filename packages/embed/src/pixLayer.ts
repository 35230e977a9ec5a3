import {
  CallbackDelivery,
  CallbackEndpoints,
  type Checkout,
  companyHolidays,
  type DirectoryAdmin,
  DirectoryUnavailable,
  EventDispatcher,
  EventOperations,
  HolidayCalendar,
  hostDelivery,
  OutboxSignal,
  PaymentExceptions,
  PaymentSimulation,
  PaymentSimulator,
  PixCharges,
  PixReports,
  Reconciler,
} from "@pixcharge/core"
import { RecurrenceProcessor, Recurrences } from "@pixcharge/core/recurring"
import { defaultKinds, type PixEvent } from "@pixcharge/core/charges"
import { type Endpoint, InvalidRegistration } from "@pixcharge/core/directory"
import { addIso, PublishedKinds } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import { PixHttp, Signatures, Tokens } from "@pixcharge/http"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type BootFailure, bootFailure, bootFailureFrom } from "./instance/BootFailure.ts"
import { checkOptions } from "./checkOptions.ts"
import { listedCompanies } from "./listedCompanies.ts"
import type { DirectoryPorts, PixServices, SandboxServices } from "./instance/services.ts"
import type {
  CheckoutPorts,
  CommonOptions,
  OptionsOf,
  PixOptions,
  ProductionOptions,
  SandboxOptions,
} from "./options.ts"

/** `Services` if the options surely match. An option whose type is optional adds no services. */
type Where<Options, Match, Services> = [Options] extends [Match] ? Services : never

/** The services of `pixLayer(options)`, derived from the type of the options. */
export type ServicesOf<Options> =
  | PixServices
  | Where<Options, { readonly environment: "sandbox" }, SandboxServices>
  | Where<Options, { readonly checkout: object }, Checkout>
  | Where<Options, { readonly recurrences: true }, Recurrences>
  | Where<Options, { readonly directory: Layer.Layer<DirectoryAdmin, unknown, unknown> }, DirectoryAdmin>

/** Always `unknown`, but lets TypeScript infer `Options`. With `& Options` instead, an unknown option would compile. */
type Inferring<Options> = [Options] extends [never] ? Options : unknown

/** Fails each attempt to deliver to a URL, which causes a retry. The reason names the missing option. */
const noCallbacks = Layer.succeed(CallbackDelivery, {
  deliver: () => Effect.succeed({ _tag: "Retry", reason: "createPix has no option callbacks: give callbackFetch()" }),
})

const directoryLayer = <R>({ companies = [], directory }: CommonOptions<R>): Layer.Layer<DirectoryPorts, unknown, R> =>
  directory ?? listedCompanies(companies)

const hostId = "host"

/** Refuses an endpoint that has the name of the host's function: only one of the two would get events. */
const refuseName = (cnpj: Cnpj) =>
  new DirectoryUnavailable({
    operation: "endpointsForCompany",
    cause: new InvalidRegistration({
      cnpj,
      field: "callback.id",
      problem: '"host" is the name of the host\'s own function',
    }),
  })

/** Adds the host's function to every company's endpoints, as `host`. Its status is kept in this process only. */
const hostEndpoints = (kinds: Endpoint["kinds"]) =>
  Layer.effect(
    CallbackEndpoints,
    Effect.map(Effect.service(CallbackEndpoints), (endpoints) => {
      let status: Endpoint["status"] = "enabled"
      const host = (): Endpoint => ({ id: hostId, target: { _tag: "Host" }, kinds, status })
      return CallbackEndpoints.of({
        forCompany: (issuer) =>
          Effect.flatMap(endpoints.forCompany(issuer), (known) =>
            known.some(({ id }) => id === hostId)
              ? Effect.fail(refuseName(issuer))
              : Effect.succeed([...known, host()]),
          ),
        find: (id) => (id === hostId ? Effect.sync(host) : endpoints.find(id)),
        setStatus: (id, next) =>
          id === hostId ? Effect.sync(() => void (status = next)) : endpoints.setStatus(id, next),
      })
    }),
  )

const adapterLayer = <R>(options: CommonOptions<R>) => {
  const { store, callbacks = noCallbacks, onEvent, events = defaultKinds, holidays = companyHolidays } = options
  const directory = directoryLayer(options)
  return Layer.mergeAll(
    store,
    onEvent === undefined ? directory : Layer.provideMerge(Layer.fresh(hostEndpoints(events)), directory),
    onEvent === undefined
      ? callbacks
      : Layer.provide(
          hostDelivery((event) => onEvent(addIso<PixEvent>(event))),
          callbacks,
        ),
    Layer.succeed(HolidayCalendar, { forCompany: holidays }),
    Layer.succeed(PublishedKinds, events),
  )
}

const tokenLayer = ({ tokens, environment }: Pick<PixOptions, "tokens" | "environment">) =>
  tokens === undefined
    ? Layer.merge(Signatures.none, Tokens.none)
    : Layer.provideMerge(Signatures.layer({ keys: tokens.keys, environment }), Tokens.layer({ ...tokens, environment }))

const checkoutLayer = <R>({ checkout }: CommonOptions<R>): Layer.Layer<never, unknown, CheckoutPorts> =>
  checkout?.layer ?? Layer.empty

/** Provides recurrences to the reconciler, which checks them. */
const recurrenceLayer = ({ recurrences }: Pick<CommonOptions, "recurrences">) =>
  recurrences !== true
    ? Layer.empty
    : Layer.unwrap(
        Effect.flatMap(Effect.serviceOption(RecurrenceProcessor), (debits) =>
          Option.isSome(debits)
            ? Effect.succeed(Layer.provide(Recurrences.layer, Layer.succeed(RecurrenceProcessor, debits.value)))
            : Effect.fail(bootFailure("the option recurrences needs a processor that debits: this one can't")),
        ),
      )

const serviceLayer = <R>(options: SandboxOptions<R> | ProductionOptions<R>) =>
  Layer.mergeAll(
    options.background === false ? EventDispatcher.onDemand : EventDispatcher.layer,
    options.background === false ? Reconciler.onDemand : Reconciler.layer,
    EventOperations.layer,
    PaymentExceptions.layer,
    PixReports.layer,
  ).pipe(
    Layer.provideMerge(recurrenceLayer(options)),
    Layer.provideMerge(PixCharges.layer),
    Layer.provideMerge(tokenLayer(options)),
    Layer.provideMerge(OutboxSignal.layer),
    Layer.fresh,
    Layer.provideMerge(adapterLayer(options)),
  )

/** Refuses the sandbox's processor in production. */
const refuseSimulator = <R>({ processor }: ProductionOptions<R>) =>
  Layer.tap(processor, (made) =>
    Option.isSome(Context.getOption(made, PaymentSimulator))
      ? Effect.fail(bootFailure("the sandbox's processor is not for production"))
      : Effect.void,
  )

const toBootFailure = <A, R>(layer: Layer.Layer<A, unknown, R>): Layer.Layer<A, BootFailure, R> =>
  Layer.catch(layer, (error) => Layer.effectContext<A, BootFailure, never>(Effect.fail(bootFailureFrom(error))))

export const productionLayer = <R>(options: ProductionOptions<R>): Layer.Layer<PixServices, BootFailure, R> =>
  PixHttp.layer(options.notices, options.openapi, options.checkout).pipe(
    Layer.provideMerge(checkoutLayer(options)),
    Layer.provideMerge(serviceLayer(options)),
    Layer.provideMerge(refuseSimulator(options)),
    toBootFailure,
  )

export const sandboxLayer = <R>(options: SandboxOptions<R>): Layer.Layer<SandboxServices, BootFailure, R> =>
  PixHttp.layer(undefined, options.openapi, options.checkout).pipe(
    Layer.provideMerge(checkoutLayer(options)),
    Layer.provideMerge(Layer.fresh(PaymentSimulation.layer)),
    Layer.provideMerge(serviceLayer(options)),
    Layer.provideMerge(options.processor),
    toBootFailure,
  )

/** Refuses `frozenAt`, because a host in Effect provides its clock. */
const refuseFrozen = ({ frozenAt }: { readonly frozenAt?: number }) => {
  if (frozenAt !== undefined) throw bootFailure('the option "frozenAt" is for createPix: provide a Clock to the Layer.')
}

/**
 * pixcharge for a host in Effect: everything that `createPix` runs, as one Layer. It needs the services that its adapters and
 * `onEvent` need. Its type includes `Checkout`, `Recurrences` and `DirectoryAdmin` if the options surely provide them. All
 * background work ends with its scope. Fails with a `BootFailure` that says in one sentence what is wrong.
 *
 * @example
 * const program = Effect.flatMap(PixCharges, (charges) => charges.find(issuer, id))
 * Effect.provide(program, pixLayer({ environment: "sandbox", store: memoryStore(), ...options }))
 */
export const pixLayer = <
  E extends PixOptions["environment"],
  Options,
  Store = never,
  Directory = never,
  Callbacks = never,
  Events = never,
  Processor = never,
>(
  options: OptionsOf<E, Store, Directory, Callbacks, Events, Processor> & Inferring<Options>,
): Layer.Layer<ServicesOf<Options>, BootFailure, Store | Directory | Callbacks | Events | Processor> => {
  type Needs = Store | Directory | Callbacks | Events | Processor
  const checked = Effect.try({
    try: (): Layer.Layer<PixServices, BootFailure, Needs> => {
      const given: unknown = options
      checkOptions(given)
      if (given.environment === "production") return productionLayer<Needs>(given)
      refuseFrozen(given)
      return sandboxLayer<Needs>(given)
    },
    catch: bootFailureFrom,
  })
  // `ServicesOf` has derived the further services from the options.
  return Layer.unwrap(checked) as never
}
