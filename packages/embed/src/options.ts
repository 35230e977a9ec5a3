import type {
  Bookkeeping,
  CallbackDelivery,
  ChargeStore,
  CheckoutRoute,
  CompanyDirectory,
  Diagnosable,
  NoticesRoute,
  PaymentProcessor,
  PaymentSimulator,
  PixCharges,
  StorePorts,
  Volatile,
} from "@pixcharge/core"
import type { RecurrenceStore } from "@pixcharge/core/recurring"
import type { Holidays } from "@pixcharge/core/calendar"
import type { Company } from "@pixcharge/core/party"
import type { Signatures, TokenOptions } from "@pixcharge/http"
import type * as Layer from "effect/Layer"
import type { ListedCompany } from "./listedCompanies.ts"
import type { EventTaker } from "./api/plain.ts"
import type { HostLogger } from "./telemetry/HostLogger.ts"
import type { DirectoryPorts } from "./instance/services.ts"
import type { OpenTelemetry } from "./telemetry/OpenTelemetry.ts"

/** What payers' pages are made of. */
export type CheckoutPorts =
  | ChargeStore
  | RecurrenceStore
  | CompanyDirectory
  | Signatures
  | PaymentProcessor
  | Bookkeeping

/**
 * What every pixcharge is made of. The Layers come from adapters: a plain host passes them on unopened. What they need of a host in
 * Effect stands in the parameters: the store, the directory, the callbacks and `onEvent`.
 */
export interface CommonOptions<Store = never, Directory = Store, Callbacks = Store, Events = Store> {
  /** Where charges, payments and waiting events are kept: `memoryStore()`, `postgresStore({ db })`. */
  readonly store: Layer.Layer<StorePorts, unknown, Store> & Diagnosable & Volatile
  /** Who may issue, as a list in the host's code. Either this or `directory` is given. */
  readonly companies?: ReadonlyArray<ListedCompany>
  /**
   * Who may issue, and where their events go: `postgresDirectory({ db })`, which `pix.directory` changes, or
   * `hostDirectory(...)`, which reads the host's own tables.
   */
  readonly directory?: Layer.Layer<DirectoryPorts, unknown, Directory> & Diagnosable
  /**
   * Keys and lifetime of the integrators' tokens. Their keys also sign links and forms: checkout, portal and console need them.
   * Without it no integrator can authenticate.
   */
  readonly tokens?: Omit<TokenOptions, "environment">
  /** Sends events to URLs: `callbackFetch()`. Without it events go to `onEvent` alone. */
  readonly callbacks?: Layer.Layer<CallbackDelivery, never, Callbacks> & Diagnosable
  /** Gets every event in this process too, through the same outbox: at least once; a rejection is retried. */
  readonly onEvent?: EventTaker<Events>
  /**
   * `false` for hosts where nothing may run in the background, as on serverless platforms: events are sent, and missed
   * payments found, by `pix.tick` alone.
   */
  readonly background?: false
  /**
   * Pix Automático: the payer authorises once, and each cycle is charged. It gives `pix.recurrences` its work, and needs a processor
   * that debits. Without it nothing is asked of the store for recurrences.
   */
  readonly recurrences?: boolean
  /** Serves the contract as an OpenAPI document at `GET /api/openapi.json`; without it that path is the host's own. */
  readonly openapi?: boolean
  /** The pages on which payers pay, mounted by the same bindings: `checkout({ url })` of `@pixcharge/checkout`. */
  readonly checkout?: CheckoutRoute<unknown, CheckoutPorts>
  /** Closed days of a company; by default national bank holidays and its own local ones. */
  readonly holidays?: (company: Company) => Holidays
}

/** A pixcharge that moves money. */
export interface ProductionOptions<
  Store = never,
  Directory = Store,
  Callbacks = Store,
  Events = Store,
  Processor = Store,
> extends CommonOptions<Store, Directory, Callbacks, Events> {
  /** Money moves: what a sandbox alone may use is refused. */
  readonly environment: "production"
  /** A processor that moves money. The sandbox's doesn't fit here. */
  readonly processor: Layer.Layer<PaymentProcessor, unknown, Processor> &
    Diagnosable & {
      readonly environment?: "production"
      /** It has notices, without which it is not called: `notices` must take them. */
      readonly wantsNotices?: true
    }
  /** Where the processor calls for payments, mounted by the same bindings: `apiPix(...).notices`. */
  readonly notices?: NoticesRoute<unknown, PixCharges | Bookkeeping | CompanyDirectory>
}

/** A pixcharge to try and to test with. */
export interface SandboxOptions<
  Store = never,
  Directory = Store,
  Callbacks = Store,
  Events = Store,
  Processor = Store,
> extends CommonOptions<Store, Directory, Callbacks, Events> {
  /** No money moves, and `pix.simulatePayment` plays the payer. */
  readonly environment: "sandbox"
  /** `sandboxProcessor()`. */
  readonly processor: Layer.Layer<PaymentProcessor | PaymentSimulator, unknown, Processor> &
    Diagnosable & { readonly environment: "sandbox" }
  /**
   * The moment at which business time is frozen, in epoch milliseconds, until `pix.clock.advance` moves it. By default it
   * runs with the real time. For `createPix`: a host in Effect provides a `Clock`.
   */
  readonly frozenAt?: number
}

/** The options of an environment. */
export type OptionsOf<
  E extends PixOptions["environment"],
  Store = never,
  Directory = Store,
  Callbacks = Store,
  Events = Store,
  Processor = Store,
> = { readonly environment: E } & (E extends "sandbox"
  ? SandboxOptions<Store, Directory, Callbacks, Events, Processor>
  : ProductionOptions<Store, Directory, Callbacks, Events, Processor>)

/** What `createPix` and `pixLayer` take; the environment decides. */
export type PixOptions = ProductionOptions | SandboxOptions

/** What `createPix` takes besides, for hosts without Effect. */
export interface HostOptions {
  /** Where warnings and errors go: pino, winston, LogTape, bunyan, consola, the console, or a logger like them. By default they are printed. */
  readonly logger?: HostLogger
  /** The API of OpenTelemetry, `import * as opentelemetry from "@opentelemetry/api"`: spans go to its tracer provider. */
  readonly telemetry?: OpenTelemetry
}
