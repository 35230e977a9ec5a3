import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PixEvent } from "../../model/charge/PixEvent.ts"
import {
  CompanyNotFound,
  type DirectoryUnavailable,
  type EndpointNotFound,
} from "../../model/directory/directoryErrors.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { ifNamed } from "../../ports/AuditLog.ts"
import { CallbackEndpoints } from "../../ports/CallbackDelivery.ts"
import { CompanyDirectory } from "../../ports/CompanyDirectory.ts"
import {
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryRecord,
  Outbox,
  type ReplaySelection,
} from "../../ports/Outbox.ts"
import { TransactionIds } from "../../ports/PaymentProcessor.ts"
import type { StoreUnavailable, TooManyReports } from "../../ports/portErrors.ts"
import { TaggedError } from "../../runtime/error.ts"
import type { InvalidFilter, Page, PageRequest } from "../../runtime/page.ts"
import { OutboxSignal } from "./OutboxSignal.ts"
import {
  type EndpointOverview,
  type EndpointPorts,
  findSubscribed,
  listOverviews,
  setStatus,
  setStatusForAll,
} from "./endpointOperations.ts"

/**
 * A replay names neither an event, a charge nor a period: it would send everything again.
 *
 * @repeat No, only with a selection.
 */
export class NothingSelected extends TaggedError("NothingSelected", {
  problem: "A replay without a selection would send every event again.",
  remedy: "Give `eventId`, `chargeId` or `period`.",
})<{ readonly issuer: Cnpj }> {}

/**
 * Lists and replays events; tests, pauses and resumes endpoints. Shows no payer data. Methods that read or write deliveries fail
 * with `StoreUnavailable`, lists also with `TooManyReports`, and methods that look up an endpoint with `DirectoryUnavailable`.
 */
export class EventOperations extends Context.Service<
  EventOperations,
  {
    /** The company's events per endpoint with their last attempt, newest first. */
    readonly list: (
      issuer: Cnpj,
      filter: DeliveryFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<DeliveryRecord>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** The company's dead events, newest first; `replay` sends them again. */
    readonly deadLetters: (
      issuer: Cnpj,
      page: PageRequest,
    ) => Effect.Effect<Page<DeliveryRecord>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Attempts to send one event to one endpoint, oldest first: status, latency, the answer's first kilobyte. */
    readonly attempts: (
      issuer: Cnpj,
      eventId: string,
      endpointId: string,
    ) => Effect.Effect<ReadonlyArray<DeliveryAttempt>, StoreUnavailable | TooManyReports>
    /** The endpoints that get the company's events, with their queues. */
    readonly endpoints: (
      issuer: Cnpj,
    ) => Effect.Effect<ReadonlyArray<EndpointOverview>, DirectoryUnavailable | StoreUnavailable | TooManyReports>
    /**
     * Sends delivered and dead events again under the same ids; returns their number, without deliveries that already wait.
     * Doesn't send a `paid` once its charge's money is being or was returned (decision 23). The `AuditLog` records the actor.
     * Fails with `NothingSelected` without an event, charge or period.
     */
    readonly replay: (
      issuer: Cnpj,
      selection: ReplaySelection,
      name?: string,
    ) => Effect.Effect<number, NothingSelected | StoreUnavailable>
    /**
     * Sends a test event to one endpoint of the company, through the usual outbox and schedule. A repeated key (1 to 64
     * characters of `[A-Za-z0-9_-]`) is the same event, sent once. Fails with `CompanyNotFound` or `EndpointNotFound`.
     */
    readonly ping: (
      issuer: Cnpj,
      endpointId: string,
      key?: string,
    ) => Effect.Effect<PixEvent, CompanyNotFound | EndpointNotFound | DirectoryUnavailable | StoreUnavailable>
    /**
     * Pauses an endpoint of the company until it is resumed; its events wait. Fails with `EndpointNotFound`, also for its
     * reseller's endpoints and the host's own function, because they get other companies' events too. In a host's own tables, a
     * reseller's company has only the endpoint with the id `callbackId(issuer)`.
     */
    readonly pause: (issuer: Cnpj, endpointId: string) => Effect.Effect<void, EndpointNotFound | DirectoryUnavailable>
    /** Resumes an endpoint of the company, even after a 410 disabled it. Fails with `EndpointNotFound`, like `pause`. */
    readonly resume: (issuer: Cnpj, endpointId: string) => Effect.Effect<void, EndpointNotFound | DirectoryUnavailable>
    /** Pauses any endpoint, of any company. Fails with `EndpointNotFound`. */
    readonly pauseForAll: (endpointId: string) => Effect.Effect<void, EndpointNotFound | DirectoryUnavailable>
    /** Resumes any endpoint, of any company. Fails with `EndpointNotFound`. */
    readonly resumeForAll: (endpointId: string) => Effect.Effect<void, EndpointNotFound | DirectoryUnavailable>
    /** Waiting deliveries of all companies, and the start of the oldest wait in epoch milliseconds (`Outbox.depth`). */
    readonly backlog: Outbox["Service"]["depth"]
  }
>()("@pixcharge/core/events/EventOperations") {
  static readonly layer = Layer.effect(
    EventOperations,
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const ports: OperationPorts = {
        outbox,
        directory: yield* CompanyDirectory,
        endpoints: yield* CallbackEndpoints,
        signal: yield* OutboxSignal,
        ids: yield* TransactionIds,
      }
      return EventOperations.of({
        list: outbox.list,
        deadLetters: (issuer, page) => outbox.list(issuer, { status: "dead" }, page),
        attempts: outbox.attempts,
        endpoints: (issuer) => listOverviews(ports, issuer),
        replay: (issuer, selection, name) => replay(ports, issuer, selection, name),
        ping: (issuer, endpointId, key) => ping(ports, issuer, endpointId, key),
        pause: (issuer, endpointId) => setStatus(ports, issuer, endpointId, "paused"),
        resume: (issuer, endpointId) => setStatus(ports, issuer, endpointId, "enabled"),
        pauseForAll: (endpointId) => setStatusForAll(ports, endpointId, "paused"),
        resumeForAll: (endpointId) => setStatusForAll(ports, endpointId, "enabled"),
        backlog: outbox.depth,
      })
    }),
  )
}

interface OperationPorts extends EndpointPorts {
  readonly ids: typeof TransactionIds.Service
}

const replay = Effect.fnUntraced(function* (
  { outbox, signal }: OperationPorts,
  issuer: Cnpj,
  selection: ReplaySelection,
  name?: string,
) {
  const { eventId, chargeId, period } = selection
  if (eventId === undefined && chargeId === undefined && period === undefined) {
    return yield* new NothingSelected({ issuer })
  }
  const count = yield* outbox.replay(issuer, selection, yield* Clock.currentTimeMillis, name)
  if (count > 0) yield* signal.notifyAll
  return count
})

const ping = Effect.fnUntraced(function* (
  ports: OperationPorts,
  issuer: Cnpj,
  endpointId: string,
  key = ports.ids.next().replaceAll("-", ""),
) {
  const entry = yield* ports.directory.find(issuer)
  if (entry === undefined) return yield* new CompanyNotFound({ issuer })
  yield* findSubscribed(ports, issuer, endpointId)
  const now = yield* Clock.currentTimeMillis
  const event: PixEvent = {
    id: `evt_${key}_test`,
    kind: "test",
    issuer,
    companyName: entry.company.name,
    occurredAt: now,
  }
  const audit = yield* ifNamed({ kind: "testEventSent", endpointId, eventId: event.id } as const)
  yield* ports.outbox.add({ event, endpointId }, now, audit)
  yield* ports.signal.notifyAll
  return event
})
