import {
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryRecord,
  InvalidOption,
  type Page,
  type PageRequest,
  type ReplaySelection,
} from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import { addIso } from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import {
  checkFilter,
  checkNames,
  checkPage,
  deliveryFields,
  pageRequest,
  parseFilter,
  replayFields,
  selectionFields,
} from "./filters.ts"
import type { Calls } from "./calls.ts"
import type { PlainEndpoint } from "./plain.ts"

/** Selects deliveries; a charge is named by its id as text. */
export type EventFilter = Omit<DeliveryFilter, "chargeId"> & { readonly chargeId?: string }

/** Selects events to send again: one event, or the events of a charge or a period. Several selections together narrow each other. */
export type EventSelection = Omit<ReplaySelection, "chargeId"> & { readonly chargeId?: string }

/**
 * A host's calls about events: `EventOperations` with plain text for names. Names and selections can come from a request: they are
 * checked, and `InvalidFilter` names the invalid field.
 */
export interface Events {
  /** Newest first. Rejects with `InvalidFilter`. */
  readonly list: (issuer: string, filter?: EventFilter, page?: Partial<PageRequest>) => Promise<Page<DeliveryRecord>>
  /** Deliveries that were given up, newest first. Rejects with `InvalidFilter`. */
  readonly deadLetters: (issuer: string, page?: Partial<PageRequest>) => Promise<Page<DeliveryRecord>>
  /** Every attempt to deliver one event to one endpoint, oldest first. Rejects with `InvalidFilter`. */
  readonly attempts: (issuer: string, eventId: string, endpointId: string) => Promise<ReadonlyArray<DeliveryAttempt>>
  /**
   * The endpoints that get the company's events, without their secrets and the paths of their URLs, and the number of events that
   * wait for each: of more than 10 000, only the first 10 000 due are counted.
   *
   * @example
   * const failing = (await pix.events.endpoints("12345678000195")).filter(({ health }) => health === "failing")
   */
  readonly endpoints: (issuer: string) => Promise<ReadonlyArray<PlainEndpoint>>
  /**
   * Sends delivered and dead events again under their ids, and returns how many. A `paid` is only sent while its charge is paid.
   * The audit log keeps a name, of 1 to 100 characters. Rejects with `InvalidFilter`, and with `NothingSelected` if neither event
   * nor charge nor period is given.
   *
   * @example
   * await pix.by("ana").events.replay("12345678000195", { period, status: "dead" }, { name: "after the outage" })
   */
  readonly replay: (
    issuer: string,
    selection: EventSelection,
    options?: { readonly name?: string | undefined },
  ) => Promise<number>
  /**
   * Sends a test event to one endpoint. With a key, of 1 to 64 letters, digits, `-` or `_`, the call can be repeated: the same key
   * is the same event, sent once. Rejects with `CompanyNotFound` or `EndpointNotFound`, and with `InvalidOption` for an invalid
   * key.
   */
  readonly ping: (issuer: string, endpointId: string, key?: string) => Promise<PixEvent>
  /**
   * Stops the deliveries to an endpoint of the company, until `resume`. Rejects with `EndpointNotFound`, also for `host` and, if a
   * reseller's company asks, for the reseller's endpoint: both get other companies' events too. In a host's own tables, the only
   * endpoint that belongs to a reseller's company is `callback-` followed by its CNPJ.
   */
  readonly pause: (issuer: string, endpointId: string) => Promise<void>
  /** Starts the deliveries again. Rejects with `EndpointNotFound`, as `pause`. */
  readonly resume: (issuer: string, endpointId: string) => Promise<void>
  /**
   * Stops the deliveries to any endpoint, of a company or a reseller. Call it for the host's operator, never on a company's
   * request. Deliveries to `host`, the host's own function, stop in this process only. Rejects with `EndpointNotFound`.
   */
  readonly pauseForAll: (endpointId: string) => Promise<void>
  /** Starts them again. Rejects with `EndpointNotFound`. */
  readonly resumeForAll: (endpointId: string) => Promise<void>
  /** The number of waiting deliveries, of all companies, and the time of the oldest, in epoch milliseconds. */
  readonly backlog: () => Promise<{ readonly waiting: number; readonly oldestAt?: number }>
}

const keyForm = /^[\w-]{1,64}$/

const checkKey = (key: string | undefined): Effect.Effect<string | undefined, InvalidOption> =>
  key === undefined || (typeof key === "string" && keyForm.test(key))
    ? Effect.succeed(key)
    : Effect.fail(
        new InvalidOption({ message: "events.ping needs a key of 1 to 64 letters, digits, - or _, or none." }),
      )

export const makeEvents = ({ run, asCompany }: Calls<Services>): Events => ({
  list: (issuer, filter = {}, page = {}) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(Effect.all([parseFilter(filter, deliveryFields), checkPage(page)]), ([parsed, checked]) =>
        events.list(company, parsed, pageRequest(checked)),
      ),
    ),
  deadLetters: (issuer, page = {}) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(checkPage(page), (checked) => events.deadLetters(company, pageRequest(checked))),
    ),
  attempts: (issuer, eventId, endpointId) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(checkNames({ eventId, endpointId }), () => events.attempts(company, eventId, endpointId)),
    ),
  endpoints: (issuer) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.map(events.endpoints(company), (all) => all.map((endpoint) => addIso(endpoint))),
    ),
  replay: (issuer, selection, options = {}) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(
        Effect.all([parseFilter(selection, selectionFields), checkFilter(options, replayFields, "options")]),
        ([parsed, { name }]) => events.replay(company, parsed, name),
      ),
    ),
  ping: (issuer, endpointId, key) =>
    asCompany(issuer, ({ events }, company) =>
      Effect.flatMap(checkKey(key), (checked) => events.ping(company, endpointId, checked)),
    ),
  pause: (issuer, endpointId) => asCompany(issuer, ({ events }, company) => events.pause(company, endpointId)),
  resume: (issuer, endpointId) => asCompany(issuer, ({ events }, company) => events.resume(company, endpointId)),
  pauseForAll: (endpointId) => run(({ events }) => events.pauseForAll(endpointId)),
  resumeForAll: (endpointId) => run(({ events }) => events.resumeForAll(endpointId)),
  backlog: () => run(({ events }) => events.backlog),
})
