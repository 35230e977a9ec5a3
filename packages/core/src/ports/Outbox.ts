import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ChargeId } from "../charge/ChargeId.ts"
import type { StoreUnavailable } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Page, PageRequest } from "../page/Page.ts"
import type { Period } from "../page/Period.ts"
import type { NewDelivery } from "./ChargeStore.ts"

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery extends NewDelivery {
  /** The attempt about to be made, from 1. */
  readonly attempt: number
  /** Fences: a settlement under an old token changes nothing. */
  readonly leaseToken: string
}

/** How one attempt went; no payer data and no secret in it. */
export interface DeliveryAttempt {
  readonly startedAt: number
  readonly latencyMs: number
  /** The receiver's HTTP status, where there was an answer. */
  readonly status?: number
  /** Why there was none, or why it doesn't count. */
  readonly error?: string
  /** The answer's first kilobyte. */
  readonly answer?: string
}

/** What becomes of a claimed delivery. */
export type DeliveryFate =
  | { readonly _tag: "Delivered" }
  /** To be tried again at this moment of business time. */
  | { readonly _tag: "Retry"; readonly at: number }
  /** No further attempt by itself; it can be replayed. */
  | { readonly _tag: "Dead"; readonly reason: string }
  /** Handed back untried (endpoint paused or cut off): it waits in its old place, and counts as no attempt. */
  | { readonly _tag: "Postponed" }

/** The end of one claim. */
export interface Settlement {
  readonly issuer: Cnpj
  readonly eventId: string
  readonly endpointId: string
  readonly leaseToken: string
  readonly fate: DeliveryFate
  /** Absent when nothing was attempted. */
  readonly attempt?: DeliveryAttempt
}

/** Where a delivery stands. */
export type DeliveryStatus = "waiting" | "delivered" | "dead" | "superseded"

/** A delivery as the desk sees it. */
export interface DeliveryRecord extends NewDelivery {
  readonly status: DeliveryStatus
  /** Attempts that were settled since it was made, or since its replay. */
  readonly attempts: number
  /** When it waits for: epoch milliseconds of business time. */
  readonly nextAt?: number
  readonly settledAt?: number
  /** Why it is dead. */
  readonly reason?: string
  readonly lastAttempt?: DeliveryAttempt
}

/** Which deliveries to list; every field narrows. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly endpointId?: string
  readonly chargeId?: ChargeId
  /** By the moment of the event. */
  readonly period?: Period
}

/** Which deliveries to send again: those that all given fields name; none if no field is given. */
export interface ReplaySelection {
  readonly eventId?: string
  readonly chargeId?: ChargeId
  readonly period?: Period
}

/**
 * Events that wait to be told. Written by `ChargeStore.commit`, so it comes from the same Layer.
 *
 * Order per charge and endpoint is kept: a delivery is claimed only when the same charge's earlier ones to that endpoint
 * are settled, and none of them is being sent. A token holds until its delivery is settled under it or claimed anew, also
 * past its lease: what arrived late still counts. Leases run on the store's own clock, `nextAt` on business time (decision 32).
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Takes what is due, oldest first, and nobody else's until the lease ends. */
    readonly claim: (request: {
      readonly now: number
      readonly limit: number
      readonly leaseMs: number
      /** Endpoints to leave alone: paused, cut off or busy. */
      readonly except?: ReadonlyArray<string>
      /** Only the companies that hash into bucket `index` of `of`. */
      readonly bucket?: { readonly index: number; readonly of: number }
    }) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** Prolongs leases still held; answers with the tokens that are. */
    readonly renew: (
      claims: ReadonlyArray<ClaimedDelivery>,
      leaseMs: number,
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * Ends claims; answers with the tokens that still held. A delivery superseded while it was being sent becomes
     * `delivered` if it arrived, and stays superseded otherwise. What can't be stored of one settlement is left out
     * (`storableSettlement`): it fails neither that settlement nor those beside it.
     */
    readonly settle: (
      settlements: ReadonlyArray<Settlement>,
      now: number,
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Adds a delivery outside of any charge's move (a test event); once by event and endpoint. */
    readonly add: (delivery: NewDelivery, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Takes the charge's waiting `paid` deliveries out of the queue; how many. */
    readonly supersede: (issuer: Cnpj, id: ChargeId, now: number) => Effect.Effect<number, StoreUnavailable>
    /** Newest event first. */
    readonly list: (
      issuer: Cnpj,
      filter: DeliveryFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<DeliveryRecord>, StoreUnavailable>
    /** Every recorded attempt of one delivery, oldest first. */
    readonly attempts: (
      issuer: Cnpj,
      eventId: string,
      endpointId: string,
    ) => Effect.Effect<ReadonlyArray<DeliveryAttempt>, StoreUnavailable>
    /**
     * Makes delivered and dead deliveries wait again, under the same event id, with all their attempts before them; how
     * many. A `paid` only while its charge is paid, and a refund that is committed meanwhile withdraws it (decision 23).
     */
    readonly replay: (issuer: Cnpj, selection: ReplaySelection, now: number) => Effect.Effect<number, StoreUnavailable>
    /** How much waits, in flight or not, and since when the oldest does: since it was told, replayed or restored. */
    readonly depth: Effect.Effect<{ readonly waiting: number; readonly oldestAt?: number }, StoreUnavailable>
    /**
     * Deletes delivered and superseded deliveries that were settled before this moment; how many. A superseded one stays
     * while its charge is paid or refunding, for it may wait again.
     */
    readonly purge: (settledBefore: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@pixcharge/core/ports/Outbox") {}
