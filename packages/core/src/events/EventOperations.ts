import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { EventKind, PixEvent } from "../charges/rules/PixEvent.ts"
import { callbackId, type Endpoint, endpointHost } from "../directory/Endpoint.ts"
import {
  CompanyNotFound,
  type DirectoryUnavailable,
  EndpointNotFound,
  NothingSelected,
  type StoreUnavailable,
  type TooManyReports,
} from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Company } from "../party/Company.ts"
import type { InvalidFilter } from "../runtime/page/InvalidFilter.ts"
import type { Page, PageRequest } from "../runtime/page/Page.ts"
import { ifNamed } from "../ports/Actor.ts"
import { CallbackEndpoints } from "../ports/CallbackEndpoints.ts"
import { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import {
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryRecord,
  Outbox,
  type QueueDepth,
  type ReplaySelection,
} from "../ports/Outbox.ts"
import { TransactionIds } from "../ports/TransactionIds.ts"
import { OutboxSignal } from "./OutboxSignal.ts"

/** An endpoint that gets a company's events, as people may see it: no path of its URL, and no secret. */
export interface EndpointOverview extends QueueDepth {
  readonly id: string
  /** The host of its URL; absent for a function of the embedding host. */
  readonly host?: string
  readonly kinds: ReadonlyArray<EventKind>
  /** `paused` by a person, `disabled` by the receiver's 410; events wait either way. */
  readonly status: "enabled" | "paused" | "disabled"
  /** Whether `pause` and `resume` of this company reach it. */
  readonly isOwn: boolean
  /** `failing` while an event of this company waits for it after an attempt that failed. */
  readonly health: "healthy" | "failing"
}

/**
 * What people do with events: list them, send them again, test an endpoint, pause and resume it. No payer data is shown.
 * What reads or writes deliveries fails with `StoreUnavailable`, what lists them also with `TooManyReports`, what asks for an
 * endpoint with `DirectoryUnavailable`.
 */
export class EventOperations extends Context.Service<
  EventOperations,
  {
    /** The company's events on their way to each endpoint, newest first, each with its last attempt. */
    readonly list: (
      issuer: Cnpj,
      filter: DeliveryFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<DeliveryRecord>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** The company's events that were given up, newest first; `replay` sends them again. */
    readonly deadLetters: (
      issuer: Cnpj,
      page: PageRequest,
    ) => Effect.Effect<Page<DeliveryRecord>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Every attempt at one event and endpoint, oldest first: status, latency, the answer's first kilobyte. */
    readonly attempts: (
      issuer: Cnpj,
      eventId: string,
      endpointId: string,
    ) => Effect.Effect<ReadonlyArray<DeliveryAttempt>, StoreUnavailable | TooManyReports>
    /** The endpoints that get the company's events, and what waits for each. */
    readonly endpoints: (
      issuer: Cnpj,
    ) => Effect.Effect<ReadonlyArray<EndpointOverview>, DirectoryUnavailable | StoreUnavailable | TooManyReports>
    /**
     * Sends delivered and dead events again, under the same ids; how many deliveries. What waits anyway is not counted,
     * nor is the `paid` of a charge whose money is going back or went back: it is not sent (decision 23). The name is for the
     * `AuditLog`. Fails with `NothingSelected` when neither event nor charge nor period is given.
     */
    readonly replay: (
      issuer: Cnpj,
      selection: ReplaySelection,
      name?: string,
    ) => Effect.Effect<number, NothingSelected | StoreUnavailable>
    /**
     * Sends a test event to one endpoint of the company, through the same outbox and schedule as any other. With the same
     * key, of 1 to 64 characters of `[A-Za-z0-9_-]`, it is the same event, which is sent once. Fails with `CompanyNotFound` or
     * `EndpointNotFound`.
     */
    readonly ping: (
      issuer: Cnpj,
      endpointId: string,
      key?: string,
    ) => Effect.Effect<PixEvent, CompanyNotFound | EndpointNotFound | DirectoryUnavailable | StoreUnavailable>
    /**
     * Sends nothing to an endpoint of the company until it is resumed; its events wait. Fails with `EndpointNotFound`, also
     * for its reseller's and the host's own function: they get other companies' events too. Of endpoints of a host's own
     * tables a reseller's company has only the one with the id `callbackId(issuer)`.
     */
    readonly pause: (issuer: Cnpj, endpointId: string) => Effect.Effect<void, EndpointNotFound | DirectoryUnavailable>
    /** Sends to an endpoint of the company again, also after a 410 disabled it. Fails with `EndpointNotFound`, as `pause`. */
    readonly resume: (issuer: Cnpj, endpointId: string) => Effect.Effect<void, EndpointNotFound | DirectoryUnavailable>
    /** The same for any endpoint, whoever's events it gets. Fails with `EndpointNotFound`. */
    readonly pauseForAll: (endpointId: string) => Effect.Effect<void, EndpointNotFound | DirectoryUnavailable>
    /** The same for any endpoint, whoever's events it gets. Fails with `EndpointNotFound`. */
    readonly resumeForAll: (endpointId: string) => Effect.Effect<void, EndpointNotFound | DirectoryUnavailable>
    /** How many deliveries wait, of all companies, and since when the oldest does (`Outbox.depth`), in epoch milliseconds. */
    readonly backlog: Outbox["Service"]["depth"]
  }
>()("@pixcharge/core/events/EventOperations") {
  static readonly layer = Layer.effect(EventOperations, Effect.suspend(make))
}

/** Whether an endpoint that gets the company's events is its own: one of its reseller gets other companies' events too. */
const isOwn = ({ cnpj, reseller }: Company, endpointId: string): boolean =>
  reseller === undefined || reseller.cnpj === cnpj || endpointId === callbackId(cnpj)

function make() {
  return Effect.gen(function* () {
    const outbox = yield* Outbox
    const directory = yield* CompanyDirectory
    const endpoints = yield* CallbackEndpoints
    const signal = yield* OutboxSignal
    const ids = yield* TransactionIds

    /** Whether the company may pause and resume an endpoint that gets its events. */
    const makeIsOwn = (issuer: Cnpj) =>
      Effect.map(directory.find(issuer), (entry) => (endpoint: Endpoint) => {
        const isReached = endpoint.target._tag === "Http" && entry !== undefined
        return isReached && isOwn(entry.company, endpoint.id)
      })

    const overviews = Effect.fnUntraced(function* (issuer: Cnpj) {
      const isCompanys = yield* makeIsOwn(issuer)
      return yield* Effect.forEach(yield* endpoints.forCompany(issuer), (endpoint) =>
        Effect.map(outbox.queueDepth(issuer, endpoint.id), (depth): EndpointOverview => {
          const { id, kinds, status } = endpoint
          const host = endpointHost(endpoint)
          const health = depth.retrying > 0 ? "failing" : "healthy"
          return {
            id,
            ...(host !== undefined && { host }),
            kinds,
            status,
            isOwn: isCompanys(endpoint),
            health,
            ...depth,
          }
        }),
      )
    })

    const replay = Effect.fnUntraced(function* (issuer: Cnpj, selection: ReplaySelection, name?: string) {
      const { eventId, chargeId, period } = selection
      if (eventId === undefined && chargeId === undefined && period === undefined) {
        return yield* new NothingSelected({ issuer })
      }
      const count = yield* outbox.replay(issuer, selection, yield* Clock.currentTimeMillis, name)
      if (count > 0) yield* signal.notifyAll
      return count
    })

    const findSubscribed = Effect.fnUntraced(function* (issuer: Cnpj, endpointId: string) {
      const endpoint = (yield* endpoints.forCompany(issuer)).find(({ id }) => id === endpointId)
      return endpoint ?? (yield* new EndpointNotFound({ endpointId }))
    })

    const ping = Effect.fnUntraced(function* (issuer: Cnpj, endpointId: string, key = ids.next().replaceAll("-", "")) {
      const entry = yield* directory.find(issuer)
      if (entry === undefined) return yield* new CompanyNotFound({ issuer })
      yield* findSubscribed(issuer, endpointId)
      const now = yield* Clock.currentTimeMillis
      const event: PixEvent = {
        id: `evt_${key}_test`,
        kind: "test",
        issuer,
        companyName: entry.company.name,
        occurredAt: now,
      }
      const audit = yield* ifNamed({ kind: "testEventSent", endpointId, eventId: event.id } as const)
      yield* outbox.add({ event, endpointId }, now, audit)
      yield* signal.notifyAll
      return event
    })

    const setStatusForAll = Effect.fnUntraced(function* (endpointId: string, status: Endpoint["status"]) {
      if ((yield* endpoints.find(endpointId)) === undefined) return yield* new EndpointNotFound({ endpointId })
      yield* endpoints.setStatus(endpointId, status)
      if (status === "enabled") yield* signal.notifyAll
    })

    const setStatus = Effect.fnUntraced(function* (issuer: Cnpj, endpointId: string, status: Endpoint["status"]) {
      const endpoint = yield* findSubscribed(issuer, endpointId)
      if (!(yield* makeIsOwn(issuer))(endpoint)) return yield* new EndpointNotFound({ endpointId })
      return yield* setStatusForAll(endpointId, status)
    })

    return EventOperations.of({
      list: outbox.list,
      deadLetters: (issuer, page) => outbox.list(issuer, { status: "dead" }, page),
      attempts: outbox.attempts,
      endpoints: overviews,
      replay,
      ping,
      pause: (issuer, endpointId) => setStatus(issuer, endpointId, "paused"),
      resume: (issuer, endpointId) => setStatus(issuer, endpointId, "enabled"),
      pauseForAll: (endpointId) => setStatusForAll(endpointId, "paused"),
      resumeForAll: (endpointId) => setStatusForAll(endpointId, "enabled"),
      backlog: outbox.depth,
    })
  })
}
