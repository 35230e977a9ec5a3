import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"

/** A comparison that is under way: which list of the processor is being read, and from which page on. */
export interface ReconciliationRun {
  /** Its period ends here. Epoch milliseconds. */
  readonly until: number
  /** First the payments received since the last run, then the older ones of which something went back. */
  readonly list: "received" | "returned"
  /** Where the page before ended; absent before the first page. */
  readonly cursor?: string
  /** A payment of an earlier page could not be read or recorded. */
  readonly hasFailed?: true
}

/** How far a company's books were compared with what its processor lists. */
export interface Reconciliation {
  readonly issuer: Cnpj
  /** When its first charge was created: what was received before is not ours to know. Epoch milliseconds. */
  readonly since: number
  /** All payments received before this moment were listed. Epoch milliseconds. */
  readonly reconciledUntil: number
  /**
   * Since when runs end with payments that could not be read or recorded; absent when the last one had none. Epoch
   * milliseconds.
   */
  readonly failingSince?: number
  /** Absent between two runs. */
  readonly run?: ReconciliationRun
}

/** A company's reconciliation that this process may carry on until its lease ends. */
export interface ClaimedReconciliation extends Reconciliation {
  /** Fences: what is saved under an old token changes nothing. */
  readonly leaseToken: string
}

/** When a claimed reconciliation goes on. */
export type ReconciliationTurn =
  /** The claim is kept, until this moment at the latest. Epoch milliseconds. */
  | { readonly _tag: "Keep"; readonly leaseUntil: number }
  /** The claim ends, and nobody takes the company before this moment. Epoch milliseconds. */
  | { readonly _tag: "Release"; readonly nextAt: number }

/**
 * Which companies' books were compared with their processors' lists, and how far. Comes with the store. All moments are
 * epoch milliseconds of business time. Every method fails with `StoreUnavailable`.
 */
export class Reconciliations extends Context.Service<
  Reconciliations,
  {
    /**
     * Enters companies that have issued a charge and are not entered, as reconciled until their first charge was created,
     * their turn being now; how many.
     */
    readonly enter: (now: number) => Effect.Effect<number, StoreUnavailable>
    /**
     * Takes the company whose turn has come first (a store in shards: of one of them, which take turns), for one process until
     * `now + leaseMs`; undefined when there is none. A
     * claim that was neither saved nor released in time is taken by another. After a clock was set back, what lies more than
     * a day ahead (a turn, a lease, `reconciledUntil`) delays nobody.
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
  }
>()("@pixcharge/core/ports/Reconciliations") {}
