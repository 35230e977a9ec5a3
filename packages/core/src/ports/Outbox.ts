import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ChargeId } from "../model/charge/ChargeId.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { InvalidFilter, Page, PageRequest, Period } from "../runtime/page.ts"
import type { AuditChange } from "./AuditLog.ts"
import type { NewDelivery } from "./ChargeStore.ts"

export interface DueDelivery extends NewDelivery {
  /** Number of the attempt about to be made, from 1; a replay starts again. */
  readonly attempt: number
  /** Counts the attempts before replays, too. */
  readonly number: number
}

/** One process's exclusive right to a company's deliveries to an endpoint. */
export interface QueueLease {
  readonly issuer: Cnpj
  readonly endpointId: string
  /** Fencing token: writes under it are ignored once another process has leased the queue. */
  readonly token: string
}

/** A leased queue's next deliveries, oldest first. `due` is empty for an old lease; `read` gets its deliveries. */
export interface LeasedQueue {
  readonly lease: QueueLease
  readonly due: ReadonlyArray<DueDelivery>
}

export interface QueueClaim {
  readonly queues: ReadonlyArray<LeasedQueue>
  /**
   * When the next delivery that the claim left comes due; not after `now` if one is due already. Epoch milliseconds of business
   * time; absent if it left no delivery.
   */
  readonly nextDueAt?: number
}

/** The facts of one attempt, without payer data or secrets. */
export interface DeliveryAttempt {
  /** Epoch milliseconds of business time. */
  readonly startedAt: number
  readonly latencyMs: number
  /** The receiver's HTTP status, if it answered. */
  readonly status?: number
  /** Why there was no answer, or why the answer doesn't count. */
  readonly error?: string
  /** The answer's first kilobyte. */
  readonly answer?: string
}

export type DeliveryFate =
  | { readonly _tag: "Delivered" }
  /** `at`: time of the next attempt, in epoch milliseconds of business time. */
  | { readonly _tag: "Retry"; readonly at: number }
  /** No further attempts, unless the delivery is replayed. */
  | { readonly _tag: "Dead"; readonly reason: string }

export interface Settlement {
  readonly lease: QueueLease
  readonly eventId: string
  /** The number that the read returned: a settlement written twice counts once. */
  readonly number: number
  readonly fate: DeliveryFate
  readonly attempt: DeliveryAttempt
  /** Ends the lease, too. */
  readonly releases?: boolean
}

export interface DeliveryKey {
  readonly issuer: Cnpj
  readonly eventId: string
  readonly endpointId: string
}

export type DeliveryStatus = "waiting" | "delivered" | "dead" | "superseded"

export interface DeliveryRecord extends NewDelivery {
  readonly status: DeliveryStatus
  /** Attempts settled since the delivery was made or last replayed. */
  readonly attempts: number
  /** Time of the next attempt: epoch milliseconds of business time. */
  readonly nextAt?: number
  /** The end of its wait: epoch milliseconds of business time. */
  readonly settledAt?: number
  readonly reason?: string
  readonly lastAttempt?: DeliveryAttempt
}

/** Size of one queue. Counts at most the 10 000 deliveries due first. */
export interface QueueDepth {
  readonly waiting: number
  /** Deliveries whose last attempt failed. */
  readonly retrying: number
  /** Start of the oldest wait, in epoch milliseconds; absent if the queue is empty. */
  readonly oldestAt?: number
}

/** Every given field must match. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly endpointId?: string
  readonly chargeId?: ChargeId
  /** Period that contains the event's time. */
  readonly period?: Period
}

/** All given fields must match. Without an event, a charge or a period, it selects no delivery. */
export interface ReplaySelection {
  readonly eventId?: string
  readonly chargeId?: ChargeId
  readonly period?: Period
  readonly status?: "delivered" | "dead"
  readonly endpointId?: string
}

/**
 * Events that wait to be sent. `ChargeStore.commit` writes them, so both come from the same Layer. `EventDispatcher` sends each
 * event at least once.
 *
 * One process at a time leases the queue of a company and endpoint. It gets each charge's earliest waiting delivery, so a
 * charge's events stay in order. A delivery waits until it is settled; while it is being sent, `read` returns it again. Leases
 * run on the store's own clock, everything else on business time (decision 32). An ended lease holds until another process leases
 * the queue, so a late settlement still counts.
 *
 * Every method fails with `StoreUnavailable`. Moments (`now`, `oldestAt`, `settledBefore`) are epoch milliseconds of business
 * time.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Leases free queues with due deliveries, usually the longest-waiting queues. */
    readonly claim: (request: {
      readonly now: number
      /** Maximum number of queues. */
      readonly limit: number
      /** Maximum number of deliveries of each queue. */
      readonly deliveries: number
      readonly leaseMs: number
      /** Skips the queues of these endpoints. */
      readonly excludedEndpoints?: ReadonlyArray<string>
    }) => Effect.Effect<QueueClaim, StoreUnavailable>
    /** Reads at most `limit` deliveries of each queue. Skips queues whose lease was lost. Writes no row. */
    readonly read: (
      queues: ReadonlyArray<{ readonly lease: QueueLease; readonly limit: number }>,
      now: number,
    ) => Effect.Effect<ReadonlyArray<LeasedQueue>, StoreUnavailable>
    /** Prolongs leases; returns the tokens of the leases that still hold. */
    readonly renew: (
      leases: ReadonlyArray<QueueLease>,
      leaseMs: number,
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Ends leases. Other processes can claim the queues after `delayMs`, by default 0. */
    readonly release: (leases: ReadonlyArray<QueueLease>, delayMs?: number) => Effect.Effect<void, StoreUnavailable>
    readonly queueDepth: (
      issuer: Cnpj,
      endpointId: string,
    ) => Effect.Effect<QueueDepth, StoreUnavailable | TooManyReports>
    /**
     * Records attempts whose lease holds; returns the keys of their deliveries. A delivery superseded while it was being sent
     * becomes `delivered` if it arrived, and otherwise stays superseded. Drops values that no store can keep
     * (`storableSettlement`).
     */
    readonly settle: (
      settlements: ReadonlyArray<Settlement>,
      now: number,
    ) => Effect.Effect<ReadonlyArray<DeliveryKey>, StoreUnavailable>
    /**
     * Adds a delivery that belongs to no move of a charge (a test event), once by event and endpoint. Records `audit` with it,
     * under `currentActor`.
     */
    readonly add: (delivery: NewDelivery, now: number, audit?: AuditChange) => Effect.Effect<void, StoreUnavailable>
    /** Supersedes the charge's waiting `paid` deliveries; returns their number. */
    readonly supersede: (issuer: Cnpj, id: ChargeId, now: number) => Effect.Effect<number, StoreUnavailable>
    /** Deliveries, newest event first. */
    readonly list: (
      issuer: Cnpj,
      filter: DeliveryFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<DeliveryRecord>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Attempts, oldest first. */
    readonly attempts: (
      issuer: Cnpj,
      eventId: string,
      endpointId: string,
    ) => Effect.Effect<ReadonlyArray<DeliveryAttempt>, StoreUnavailable | TooManyReports>
    /**
     * Makes delivered and dead deliveries wait again under the same event id, and keeps their recorded attempts. Returns their
     * number, which the `AuditLog` records with `name`. Replays a `paid` only while its charge is paid; a refund committed
     * meanwhile withdraws it (decision 23).
     */
    readonly replay: (
      issuer: Cnpj,
      selection: ReplaySelection,
      now: number,
      name?: string,
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * Waiting deliveries, also while being sent, and the start of the oldest wait in epoch milliseconds. Counts at most the 10 000 due
     * first; a store in shards counts that many in each shard.
     */
    readonly depth: Effect.Effect<Omit<QueueDepth, "retrying">, StoreUnavailable>
    /**
     * Deletes delivered and superseded deliveries settled before this moment; returns their number. Keeps a superseded delivery
     * while its charge is paid or refunding, because it can wait again.
     */
    readonly purge: (settledBefore: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@pixcharge/core/ports/Outbox") {}
