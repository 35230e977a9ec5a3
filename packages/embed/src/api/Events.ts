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

/** Selects deliveries; `chargeId` is a string. */
export type EventFilter = Omit<DeliveryFilter, "chargeId"> & { readonly chargeId?: string }

/** Selects events to replay: one event, or the events of a charge or a period. Selections narrow each other. */
export type EventSelection = Omit<ReplaySelection, "chargeId"> & { readonly chargeId?: string }

/** A host's calls about events. */
export interface Events {
  /** The company's deliveries, newest first. Rejects with `InvalidFilter`. */
  readonly list: (issuer: string, filter?: EventFilter, page?: Partial<PageRequest>) => Promise<Page<DeliveryRecord>>
  /** Abandoned deliveries, newest first. Rejects with `InvalidFilter`. */
  readonly deadLetters: (issuer: string, page?: Partial<PageRequest>) => Promise<Page<DeliveryRecord>>
  /** Every attempt to deliver one event to one endpoint, oldest first. Rejects with `InvalidFilter`. */
  readonly attempts: (issuer: string, eventId: string, endpointId: string) => Promise<ReadonlyArray<DeliveryAttempt>>
  /**
   * The endpoints that get the company's events, without secrets and URL paths, and the number of events that wait for each,
   * counted up to the first 10 000 due.
   *
   * @example
   * const failing = (await pix.events.endpoints("12345678000195")).filter(({ health }) => health === "failing")
   */
  readonly endpoints: (issuer: string) => Promise<ReadonlyArray<PlainEndpoint>>
  /**
   * Sends delivered and dead events again under their ids, and returns their number. It sends a `paid` only while its charge is
   * paid. The audit log keeps the name, 1 to 100 characters. Rejects with `InvalidFilter`, and with `NothingSelected` without
   * an event, a charge or a period.
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
   * Sends a test event to one endpoint. A key of 1 to 64 letters, digits, `-` or `_` makes the call repeatable: the same key is
   * the same event, sent once. Rejects with `CompanyNotFound` or `EndpointNotFound`, and with `InvalidOption` for an invalid
   * key.
   */
  readonly ping: (issuer: string, endpointId: string, key?: string) => Promise<PixEvent>
  /**
   * Stops the deliveries to an endpoint of the company, until `resume`. Rejects with `EndpointNotFound`, also for `host` and
   * for the endpoint of the company's reseller, because both get other companies' events too. In a host's own tables, a
   * reseller's company owns only the endpoint `callback-` followed by its CNPJ.
   */
  readonly pause: (issuer: string, endpointId: string) => Promise<void>
  /** Resumes the deliveries. Rejects with `EndpointNotFound` like `pause`. */
  readonly resume: (issuer: string, endpointId: string) => Promise<void>
  /**
   * Stops the deliveries to any endpoint of a company or a reseller. Call it for the host's operator, never on a company's
   * request. For `host`, the host's own function, it stops deliveries in this process only. Rejects with `EndpointNotFound`.
   */
  readonly pauseForAll: (endpointId: string) => Promise<void>
  /** Resumes the deliveries that `pauseForAll` stopped. Rejects with `EndpointNotFound`. */
  readonly resumeForAll: (endpointId: string) => Promise<void>
  /** The number of waiting deliveries of all companies, and the time of the oldest in epoch milliseconds. */
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
