import {
  AuditLog,
  type CallbackDelivery,
  type CallbackEndpoints,
  ChargeLists,
  Checkout,
  type CompanyDirectory,
  DirectoryAdmin,
  DueChecks,
  EventDispatcher,
  EventOperations,
  OutboxSignal,
  PayerData,
  PaymentExceptions,
  type PaymentProcessor,
  PaymentSimulation,
  type PaymentSimulator,
  PixCharges,
  PixReports,
  Reconciler,
  type StorePorts,
} from "@pixcharge/core"
import { Recurrences } from "@pixcharge/core/recurring"
import { RecurrenceSimulator } from "@pixcharge/core/internal"
import { PixHttp, Signatures, Tokens } from "@pixcharge/http"
import * as Context from "effect/Context"
import * as Option from "effect/Option"

export type DirectoryPorts = CompanyDirectory | CallbackEndpoints

/** All running services: pixcharge's own, and the adapters' ports. */
export type PixServices =
  | PixHttp
  | Tokens
  | Signatures
  | PixCharges
  | PaymentExceptions
  | EventDispatcher
  | EventOperations
  | Reconciler
  | PixReports
  | OutboxSignal
  | CallbackDelivery
  | PaymentProcessor
  | StorePorts
  | DirectoryPorts

export type SandboxServices = PixServices | PaymentSimulation | PaymentSimulator

export interface Services {
  readonly http: PixHttp["Service"]
  readonly tokens: Tokens["Service"]
  readonly signatures: Signatures["Service"]
  readonly charges: PixCharges["Service"]
  readonly lists: ChargeLists["Service"]
  readonly checks: DueChecks["Service"]
  readonly reconciler: Reconciler["Service"]
  readonly dispatcher: EventDispatcher["Service"]
  readonly exceptions: PaymentExceptions["Service"]
  readonly events: EventOperations["Service"]
  readonly audit: AuditLog["Service"]
  readonly reports: PixReports["Service"]
  readonly payers: PayerData["Service"]
  /** Undefined without the option `checkout`. */
  readonly checkout: Checkout["Service"] | undefined
  /** Undefined without the option `recurrences`. */
  readonly recurrences: Recurrences["Service"] | undefined
  /** Undefined if the directory is the host's own. */
  readonly directory: DirectoryAdmin["Service"] | undefined
}

export interface SandboxCalled extends Services {
  readonly simulation: PaymentSimulation["Service"]
  readonly signal: OutboxSignal["Service"]
  /** Undefined if the host's own processor can't simulate payers of recurrences. */
  readonly recurrencePlay: RecurrenceSimulator["Service"] | undefined
}

export const pixServices = (context: Context.Context<PixServices>): Services => ({
  http: Context.get(context, PixHttp),
  tokens: Context.get(context, Tokens),
  signatures: Context.get(context, Signatures),
  charges: Context.get(context, PixCharges),
  lists: Context.get(context, ChargeLists),
  checks: Context.get(context, DueChecks),
  reconciler: Context.get(context, Reconciler),
  dispatcher: Context.get(context, EventDispatcher),
  exceptions: Context.get(context, PaymentExceptions),
  events: Context.get(context, EventOperations),
  audit: Context.get(context, AuditLog),
  reports: Context.get(context, PixReports),
  payers: Context.get(context, PayerData),
  checkout: Option.getOrUndefined(Context.getOption(context, Checkout)),
  recurrences: Option.getOrUndefined(Context.getOption(context, Recurrences)),
  directory: Option.getOrUndefined(Context.getOption(context, DirectoryAdmin)),
})

export const sandboxServices = (context: Context.Context<SandboxServices>): SandboxCalled => ({
  ...pixServices(context),
  simulation: Context.get(context, PaymentSimulation),
  signal: Context.get(context, OutboxSignal),
  recurrencePlay: Option.getOrUndefined(Context.getOption(context, RecurrenceSimulator)),
})
