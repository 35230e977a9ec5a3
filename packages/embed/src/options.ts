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
import type { FactKind } from "@pixcharge/core/charges"
import type { Holidays } from "@pixcharge/core/calendar"
import type { Company } from "@pixcharge/core/party"
import type { Signatures, TokenOptions } from "@pixcharge/http"
import type * as Layer from "effect/Layer"
import type { ListedCompany } from "./listedCompanies.ts"
import type { EventTaker } from "./api/plain.ts"
import type { HostLogger } from "./telemetry/HostLogger.ts"
import type { DirectoryPorts } from "./instance/services.ts"
import type { OpenTelemetry } from "./telemetry/OpenTelemetry.ts"

/** The services that payers' pages use. */
export type CheckoutPorts =
  | ChargeStore
  | RecurrenceStore
  | CompanyDirectory
  | Signatures
  | PaymentProcessor
  | Bookkeeping

/**
 * The options of production and sandbox. Adapters make the Layers; a plain host passes them on without opening them. The type
 * parameters are the services that an Effect host's store, directory, callbacks and `onEvent` need.
 */
export interface CommonOptions<Store = never, Directory = Store, Callbacks = Store, Events = Store> {
  /** Keeps charges, payments and waiting events: `memoryStore()`, `postgresStore({ db })`. */
  readonly store: Layer.Layer<StorePorts, unknown, Store> & Diagnosable & Volatile
  /** The companies that can issue, as a list in the host's code. Give either this or `directory`. */
  readonly companies?: ReadonlyArray<ListedCompany>
  /**
   * The companies that can issue, and the endpoints of their events: `postgresDirectory({ db })`, changed by `pix.directory`,
   * or `hostDirectory(...)`, which reads the host's own tables.
   */
  readonly directory?: Layer.Layer<DirectoryPorts, unknown, Directory> & Diagnosable
  /**
   * Keys and lifetime of the integrators' tokens. The keys also sign links and forms: checkout, portal and console need them.
   * Without it no integrator can authenticate.
   */
  readonly tokens?: Omit<TokenOptions, "environment">
  /** Sends events to URLs: `callbackFetch()`. Without it events go to `onEvent` alone. */
  readonly callbacks?: Layer.Layer<CallbackDelivery, never, Callbacks> & Diagnosable
  /** Gets every event at least once, in this process, from the same outbox as URLs. If it rejects, the event is sent again. */
  readonly onEvent?: EventTaker<Events>
  /**
   * The kinds of events for `onEvent` and for the callbacks whose `kinds` name them. Default: all except `expired`, `cancelled`,
   * `part-refunded`, `exception` and `exception-returned`.
   */
  readonly events?: ReadonlyArray<FactKind>
  /**
   * `false` for hosts without background work, such as serverless platforms: only `pix.tick` then sends events and finds missed
   * payments.
   */
  readonly background?: false
  /**
   * Pix Automático: the payer authorises once, and each cycle is charged. Enables `pix.recurrences`, and needs a processor that
   * debits. Without it the store isn't read for recurrences.
   */
  readonly recurrences?: boolean
  /**
   * Serves the contract as an OpenAPI document at `GET /api/openapi.json`; without this option, the path belongs to the host.
   */
  readonly openapi?: boolean
  /** Payers' pages, mounted by the same bindings: `checkout({ url })` of `@pixcharge/checkout`. */
  readonly checkout?: CheckoutRoute<unknown, CheckoutPorts>
  /** The closed days of a company; by default national bank holidays and the company's `localHolidays`. */
  readonly holidays?: (company: Company) => Holidays
}

/** The options of an instance that moves money. */
export interface ProductionOptions<
  Store = never,
  Directory = Store,
  Callbacks = Store,
  Events = Store,
  Processor = Store,
> extends CommonOptions<Store, Directory, Callbacks, Events> {
  /** Money moves. Options that are only for a sandbox are refused. */
  readonly environment: "production"
  /** A processor that moves money; the sandbox's processor is refused. */
  readonly processor: Layer.Layer<PaymentProcessor, unknown, Processor> &
    Diagnosable & {
      readonly environment?: "production"
      /** The processor sends notices, so the option `notices` is required. */
      readonly wantsNotices?: true
    }
  /** The route at which the processor reports payments, mounted by the same bindings: `apiPix(...).notices`. */
  readonly notices?: NoticesRoute<unknown, PixCharges | Bookkeeping | CompanyDirectory>
}

/** The options of an instance for trials and tests. */
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
   * The time at which business time is frozen, in epoch milliseconds, until `pix.clock.advance` moves it. By default it runs
   * with the real time. Only for `createPix`: a host in Effect provides a `Clock`.
   */
  readonly frozenAt?: number
}

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

export type PixOptions = ProductionOptions | SandboxOptions

/** More options of `createPix` for hosts without Effect. */
export interface HostOptions {
  /**
   * Gets warnings and errors: pino, winston, LogTape, bunyan, consola, the console, or a similar logger. By default they are
   * printed.
   */
  readonly logger?: HostLogger
  /** The API of OpenTelemetry, `import * as opentelemetry from "@opentelemetry/api"`: spans go to its tracer provider. */
  readonly telemetry?: OpenTelemetry
}
