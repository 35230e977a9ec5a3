import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PendingCharge } from "../model/charge/Charge.ts"
import type { StoreUnavailable } from "./portErrors.ts"
import type { Cents } from "../model/money/Money.ts"
import type { Period } from "../runtime/page.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"

export interface ListRun {
  /** End of the listed period. Epoch milliseconds. */
  readonly until: number
  /** Continues after the last page that was read; absent before the first page. */
  readonly cursor?: string
  /** A payment of an earlier page couldn't be read or recorded. */
  readonly hasFailed?: true
}

/** Progress of comparing a company's books with its processor's list. Moments are epoch milliseconds. */
export interface Reconciliation {
  readonly issuer: Cnpj
  /** Creation time of the company's first charge. Earlier payments aren't ours to record. */
  readonly since: number
  /** All payments received before this moment were listed and recorded. */
  readonly reconciledUntil: number
  /** The list of payments received since then; absent between two lists. */
  readonly run?: ListRun
  /** When older payments with returns are listed next. */
  readonly returnsDueAt: number
  /** The list of older payments with returns; absent between two lists. */
  readonly returnsRun?: ListRun
  /** Start of the present failures to read or record a part of the list. */
  readonly failingSince?: number
  /** Start of the publication of `expired`; absent without it. Charges that expired before get no event. */
  readonly expiryEventsSince?: number
  /** The period of unpaid charges looked up one by one, because the list failed or was refused. */
  readonly lookedUp?: Period
}

export interface ClaimedReconciliation extends Reconciliation {
  /** Fencing token: a save under an old token changes no row. */
  readonly leaseToken: string
  /** Creation time of the youngest charge that waits for a payment, in epoch milliseconds. */
  readonly youngestAt?: number
  /** The company was woken after its last turn, or that turn stopped before it answered a wake. */
  readonly isWoken?: true
}

export type ReconciliationTurn =
  /** Keeps the claim until this moment. Epoch milliseconds. */
  | { readonly _tag: "Keep"; readonly leaseUntil: number }
  /** Ends the claim. The company's next turn is at this moment, unless it is woken. Epoch milliseconds. */
  | { readonly _tag: "Release"; readonly nextAt: number }

/** A woken company waits this long after its turn, in milliseconds, to collect further wakes. */
export const wakeIntervalMs = 30_000

export type WaitingCharge = Pick<PendingCharge, "issuer" | "id" | "version" | "checkAt" | "createdAt">

export interface WaitingSearch {
  /** Only charges of these amounts. Default: any amount. */
  readonly amounts?: ReadonlyArray<Cents>
  /** Only charges listed after this one. */
  readonly after?: Pick<WaitingCharge, "createdAt" | "id">
  readonly limit: number
}

/**
 * Progress of comparing each company's books with its processor's list. Comes with the store. Moments are epoch milliseconds of
 * business time. Every method fails with `StoreUnavailable`.
 */
export class Reconciliations extends Context.Service<
  Reconciliations,
  {
    /**
     * Enters companies that have issued a charge; returns the number of new ones. Each is reconciled, and its expiries are
     * published, from its first charge's creation on. Its turn is now, and its older returns are due a day later. With
     * `publishesExpiry`, sets an absent `expiryEventsSince` of the other companies to `now`.
     */
    readonly enter: (now: number, publishesExpiry?: boolean) => Effect.Effect<number, StoreUnavailable>
    /**
     * Makes the company's turn due now, even if a turn under way is saved later. Enters the company if necessary; ignores a
     * company without charges.
     */
    readonly wake: (issuer: Cnpj, now: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Claims the company whose turn has been due longest, until `now + leaseMs`; undefined if no turn is due.
     *
     * A woken company has its turn `wakeIntervalMs` after it was reconciled or its charges were looked up; a time more than
     * `clockToleranceMs` after `now` doesn't count. A claim that is neither saved nor released in time goes to another process. A
     * turn, lease or `reconciledUntil` more than a day ahead is ignored, because the clock was set back.
     */
    readonly claim: (request: {
      readonly now: number
      readonly leaseMs: number
    }) => Effect.Effect<ClaimedReconciliation | undefined, StoreUnavailable>
    /** 0 for a company that isn't entered. */
    readonly expiryEventsSince: (issuer: Cnpj) => Effect.Effect<number | undefined, StoreUnavailable>
    /** Saves the progress of a claim. Returns false, without a change, if another process has the claim now. */
    readonly save: (
      claimed: ClaimedReconciliation,
      turn: ReconciliationTurn,
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Unpaid charges that have a `checkAt` and no `lookUpAt`, youngest first. */
    readonly waiting: (
      issuer: Cnpj,
      search: WaitingSearch,
    ) => Effect.Effect<ReadonlyArray<WaitingCharge>, StoreUnavailable>
  }
>()("@pixcharge/core/ports/Reconciliations") {}
