import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PendingCharge } from "../model/charge/Charge.ts"
import type { StoreUnavailable } from "./portErrors.ts"
import type { Cents } from "../model/money/Money.ts"
import type { Period } from "../runtime/page.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"

/** A list of the processor that is being read. */
export interface ListRun {
  /** Its period ends here. Epoch milliseconds. */
  readonly until: number
  /** Where the page before ended; absent before the first page. */
  readonly cursor?: string
  /** A payment of an earlier page could not be read or recorded. */
  readonly hasFailed?: true
}

/** How far a company's books were compared with what its processor lists. Moments are epoch milliseconds. */
export interface Reconciliation {
  readonly issuer: Cnpj
  /** When its first charge was created: what was received before is not ours to know. */
  readonly since: number
  /** All payments received before this moment were listed and recorded. */
  readonly reconciledUntil: number
  /** The list of what was received since; absent between two. */
  readonly run?: ListRun
  /** When the older payments of which something went back are listed next. */
  readonly returnsDueAt: number
  /** That list; absent between two. */
  readonly returnsRun?: ListRun
  /** Since when not all that is listed can be read and recorded. */
  readonly failingSince?: number
  /** For which time unpaid charges were looked up, because that is so or the processor refuses the list. */
  readonly lookedUp?: Period
}

/** A company's reconciliation that this process may continue until its lease ends. */
export interface ClaimedReconciliation extends Reconciliation {
  /** Fences: what is saved under an old token changes nothing. */
  readonly leaseToken: string
  /** When its youngest charge was created that waits for a payment; absent where none does. */
  readonly youngestAt?: number
  /** Somebody has woken it since its last turn, or before that: its process has left that turn, and may have seen nothing. */
  readonly isWoken?: true
}

/** When a claimed reconciliation continues. */
export type ReconciliationTurn =
  /** The claim is kept, until this moment at the latest. Epoch milliseconds. */
  | { readonly _tag: "Keep"; readonly leaseUntil: number }
  /** The claim ends, and nobody takes the company before this moment, unless it is woken. Epoch milliseconds. */
  | { readonly _tag: "Release"; readonly nextAt: number }

/** A company that is woken right after its turn waits for so long, in milliseconds: others may wake it meanwhile. */
export const wakeIntervalMs = 30_000

/** What `waiting` tells of a charge. */
export type WaitingCharge = Pick<PendingCharge, "issuer" | "id" | "version" | "checkAt" | "createdAt">

/** Which of a company's charges that wait for a payment are wanted. */
export interface WaitingSearch {
  /** Of these amounts alone; left out, of any. */
  readonly amounts?: ReadonlyArray<Cents>
  /** Those that come after it. */
  readonly after?: Pick<WaitingCharge, "createdAt" | "id">
  readonly limit: number
}

/**
 * Which companies' books were compared with their processors' lists, and how far. Comes with the store; the `Reconciler` uses it. All
 * moments are epoch milliseconds of business time. Every method fails with `StoreUnavailable`.
 */
export class Reconciliations extends Context.Service<
  Reconciliations,
  {
    /**
     * Enters companies that have issued a charge and are not entered, as reconciled until their first charge was created,
     * their turn being now, their older returns due a day later; how many.
     */
    readonly enter: (now: number) => Effect.Effect<number, StoreUnavailable>
    /**
     * Makes the company's turn come now, also where its turn is being carried on: a save doesn't undo it. Enters a company that is not
     * entered; ignored for one that has no charge. `DueChecks.claimCharges` wakes companies, too.
     */
    readonly wake: (issuer: Cnpj, now: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Takes the company whose turn came first, for one process until `now + leaseMs`; undefined if there is none. A store in
     * shards takes it from one shard after the other.
     *
     * A woken company has its turn once `wakeIntervalMs` have passed since it was reconciled or its charges were looked up,
     * unless that was more than `clockToleranceMs` after `now`. A claim that is neither saved nor released in time goes to
     * another process. A turn, a lease or a `reconciledUntil` more than a day ahead delays nothing: a clock was set back.
     */
    readonly claim: (request: {
      readonly now: number
      readonly leaseMs: number
    }) => Effect.Effect<ClaimedReconciliation | undefined, StoreUnavailable>
    /** Keeps how far a claim has come; false, and nothing is changed, when somebody else has it now. */
    readonly save: (
      claimed: ClaimedReconciliation,
      turn: ReconciliationTurn,
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Unpaid charges that are to be looked up some time (they have a `checkAt`, and no `lookUpAt`), the youngest first. */
    readonly waiting: (
      issuer: Cnpj,
      search: WaitingSearch,
    ) => Effect.Effect<ReadonlyArray<WaitingCharge>, StoreUnavailable>
  }
>()("@pixcharge/core/ports/Reconciliations") {}
