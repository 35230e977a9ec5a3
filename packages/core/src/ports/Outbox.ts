import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ChargeId } from "../model/charge/ChargeId.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { InvalidFilter, Page, PageRequest, Period } from "../runtime/page.ts"
import type { AuditChange } from "./AuditLog.ts"
import type { NewDelivery } from "./ChargeStore.ts"

/** A delivery whose turn has come. */
export interface DueDelivery extends NewDelivery {
  /** The attempt about to be made, from 1. */
  readonly attempt: number
}

/** The right to send a company's deliveries to an endpoint, which one process has at a time. */
export interface QueueLease {
  readonly issuer: Cnpj
  readonly endpointId: string
  /** Fences: once somebody else has leased the queue, nothing that is done under this token counts. */
  readonly token: string
}

/** A leased queue and what comes next in it, oldest first; nothing where that has to be read, because it was leased a while ago. */
export interface LeasedQueue {
  readonly lease: QueueLease
  readonly due: ReadonlyArray<DueDelivery>
}

/** What a claim brought. */
export interface QueueClaim {
  readonly queues: ReadonlyArray<LeasedQueue>
  /**
   * Epoch milliseconds of business time: nothing else that waits comes due before, except what is committed meanwhile.
   * Absent when nothing waits for a later moment.
   */
  readonly nextDueAt?: number
}

/** How one attempt went; no payer data and no secret in it. */
export interface DeliveryAttempt {
  /** Epoch milliseconds of business time. */
  readonly startedAt: number
  readonly latencyMs: number
  /** The receiver's HTTP status, where there was an answer. */
  readonly status?: number
  /** Why there was none, or why it doesn't count. */
  readonly error?: string
  /** The answer's first kilobyte. */
  readonly answer?: string
}

/** What becomes of a delivery after an attempt. */
export type DeliveryFate =
  | { readonly _tag: "Delivered" }
  /** To be tried again at this moment: epoch milliseconds of business time. */
  | { readonly _tag: "Retry"; readonly at: number }
  /** No further attempt by itself; it can be replayed. */
  | { readonly _tag: "Dead"; readonly reason: string }

/** What one attempt came to. */
export interface Settlement {
  readonly lease: QueueLease
  readonly eventId: string
  /** The attempt's number, as the delivery was read with it: a settlement that is written twice counts once. */
  readonly number: number
  readonly fate: DeliveryFate
  readonly attempt: DeliveryAttempt
}

/** Names one delivery. */
export interface DeliveryKey {
  readonly issuer: Cnpj
  readonly eventId: string
  readonly endpointId: string
}

/** Where a delivery stands. */
export type DeliveryStatus = "waiting" | "delivered" | "dead" | "superseded"

/** A delivery as it is listed. */
export interface DeliveryRecord extends NewDelivery {
  readonly status: DeliveryStatus
  /** Attempts that were settled since it was made, or since its replay. */
  readonly attempts: number
  /** When it waits for: epoch milliseconds of business time. */
  readonly nextAt?: number
  /** When it was delivered, given up or superseded: epoch milliseconds of business time. */
  readonly settledAt?: number
  /** Why it is dead. */
  readonly reason?: string
  readonly lastAttempt?: DeliveryAttempt
}

/** What waits in one queue; of more than 10 000 deliveries, the 10 000 that are due first are counted. */
export interface QueueDepth {
  readonly waiting: number
  /** Those whose last attempt failed. */
  readonly retrying: number
  /** Since when the oldest of them waits, in epoch milliseconds; absent when nothing does. */
  readonly oldestAt?: number
}

/** Which deliveries to list; every field narrows. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly endpointId?: string
  readonly chargeId?: ChargeId
  /** By the moment of the event. */
  readonly period?: Period
}

/** Which deliveries to send again: those that all given fields name; none without an event, a charge or a period. */
export interface ReplaySelection {
  readonly eventId?: string
  readonly chargeId?: ChargeId
  readonly period?: Period
  /** Narrows what the fields above select, and selects nothing by itself. */
  readonly status?: "delivered" | "dead"
  /** Narrows it, too. */
  readonly endpointId?: string
}

/**
 * Events that wait to be sent. Written by `ChargeStore.commit`, so it comes from the same Layer. `EventDispatcher` sends each at
 * least once; `EventOperations` lists, replays and pauses.
 *
 * What waits lies in queues, one for each company and endpoint. A queue is leased as a whole, by one process at a time. The
 * owner keeps the order of each charge: it is given a charge's earliest delivery that waits and none behind it, but also
 * what it is sending, which waits until it is settled. Leases run on the store's own clock, all else on business time
 * (decision 32). A lease that has ended holds until somebody else takes the queue: what arrived late still counts.
 *
 * Every method fails with `StoreUnavailable`. Moments (`now`, `oldestAt`, `settledBefore`) are epoch milliseconds of
 * business time.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Leases queues that nobody leases and in which something is due, with what is due; as a rule those that wait longest. */
    readonly claim: (request: {
      readonly now: number
      /** How many queues at most. */
      readonly limit: number
      /** How many deliveries of each queue at most. */
      readonly deliveries: number
      readonly leaseMs: number
      /** Endpoints of which no queue is wanted. */
      readonly excludedEndpoints?: ReadonlyArray<string>
      /** Only the companies that hash into bucket `index` of `of`. */
      readonly bucket?: { readonly index: number; readonly of: number }
    }) => Effect.Effect<QueueClaim, StoreUnavailable>
    /** What comes next in leased queues, at most this many of each; those whose lease was lost are left out. Writes nothing. */
    readonly read: (
      queues: ReadonlyArray<{ readonly lease: QueueLease; readonly limit: number }>,
      now: number,
    ) => Effect.Effect<ReadonlyArray<LeasedQueue>, StoreUnavailable>
    /** Prolongs leases; returns the tokens of those that hold. */
    readonly renew: (
      leases: ReadonlyArray<QueueLease>,
      leaseMs: number,
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Ends leases that hold: others can claim the queues at once, or only after this many milliseconds. */
    readonly release: (leases: ReadonlyArray<QueueLease>, delayMs?: number) => Effect.Effect<void, StoreUnavailable>
    /** What waits for one endpoint, of one company. */
    readonly queueDepth: (
      issuer: Cnpj,
      endpointId: string,
    ) => Effect.Effect<QueueDepth, StoreUnavailable | TooManyReports>
    /**
     * Records attempts whose lease holds; returns their deliveries. A delivery superseded while it was being sent
     * becomes `delivered` if it arrived, and stays superseded otherwise. What can't be stored of one settlement is left out
     * (`storableSettlement`): it fails neither that settlement nor those beside it.
     */
    readonly settle: (
      settlements: ReadonlyArray<Settlement>,
      now: number,
    ) => Effect.Effect<ReadonlyArray<DeliveryKey>, StoreUnavailable>
    /**
     * Adds a delivery outside of any charge's move (a test event); once by event and endpoint. `audit` is recorded with it,
     * under `currentActor`.
     */
    readonly add: (delivery: NewDelivery, now: number, audit?: AuditChange) => Effect.Effect<void, StoreUnavailable>
    /** Takes the charge's waiting `paid` deliveries out of the queue; how many. */
    readonly supersede: (issuer: Cnpj, id: ChargeId, now: number) => Effect.Effect<number, StoreUnavailable>
    /** Newest event first. */
    readonly list: (
      issuer: Cnpj,
      filter: DeliveryFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<DeliveryRecord>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Every recorded attempt of one delivery, oldest first. */
    readonly attempts: (
      issuer: Cnpj,
      eventId: string,
      endpointId: string,
    ) => Effect.Effect<ReadonlyArray<DeliveryAttempt>, StoreUnavailable | TooManyReports>
    /**
     * Makes delivered and dead deliveries wait again, under the same event id, with all their attempts before them; how
     * many, which the `AuditLog` records with the name that the replay has, if any. A `paid` only while its charge is paid, and a refund that is committed meanwhile
     * withdraws it (decision 23).
     */
    readonly replay: (
      issuer: Cnpj,
      selection: ReplaySelection,
      now: number,
      name?: string,
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * How much waits, in flight or not, and since when the oldest does: since it was committed, replayed or restored. Of more
     * than 10 000 deliveries, the 10 000 that are due first are counted; of a store in shards, those of each shard.
     */
    readonly depth: Effect.Effect<{ readonly waiting: number; readonly oldestAt?: number }, StoreUnavailable>
    /**
     * Deletes delivered and superseded deliveries that were settled before this moment; how many. A superseded one stays
     * while its charge is paid or refunding, because it may wait again.
     */
    readonly purge: (settledBefore: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@pixcharge/core/ports/Outbox") {}
