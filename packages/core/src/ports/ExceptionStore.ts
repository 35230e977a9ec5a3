import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge, ExceptionState, ExceptionStatus, PaymentException, Return } from "../model/charge/index.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"
import type { InvalidFilter, Page, PageRequest, Period } from "../runtime/page.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { NewDelivery } from "./ChargeStore.ts"
import type { AuditChange } from "./AuditLog.ts"

/** A move of an exception, and the returns that are recorded with it. */
export interface ExceptionChange {
  readonly issuer: Cnpj
  readonly endToEndId: string
  /** The move is made only if the exception still has this version. */
  readonly expectedVersion: number
  readonly next: ExceptionState
  /** Recorded even when the version is stale; a new one moves the version then, too (`Change.returns`). */
  readonly returns: ReadonlyArray<Return>
  /** Put into the outbox if and only if the exception moved. */
  readonly deliveries?: ReadonlyArray<NewDelivery>
  /** Recorded with the move, under `currentActor`; absent where the move is nobody's decision. */
  readonly audit?: AuditChange
}

/** Which exceptions to list: those whose payment was made within the period, and of these only those that stand there. */
export interface ExceptionSearch extends Period {
  readonly status?: ExceptionStatus
}

/**
 * Payments that settled no charge, and what becomes of each (decision 31). Comes with the store; `PaymentExceptions`, `PixReports`
 * and what records payments use it. Every method fails with `StoreUnavailable` if the store can't answer or can't store a value; the
 * lists also with `TooManyReports`, where their company asks for more at once than the store has places for.
 */
export class ExceptionStore extends Context.Service<
  ExceptionStore,
  {
    /** The exceptions that are neither wholly returned nor resolved, oldest payment first. */
    readonly listOpen: (
      issuer: Cnpj,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentException>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** The exceptions that match, in any state, newest payment first. */
    readonly search: (
      issuer: Cnpj,
      search: ExceptionSearch,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentException>, StoreUnavailable | InvalidFilter | TooManyReports>
    /**
     * The payments of one charge that didn't settle it, oldest first, this many at most: those recorded for it, and those of no
     * known charge that name its txid.
     */
    readonly ofCharge: (
      charge: Pick<Charge, "issuer" | "id" | "txid">,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<PaymentException>, StoreUnavailable | TooManyReports>
    /** The exception of one payment, in any state; undefined for a payment that settled a charge or is unknown. */
    readonly find: (issuer: Cnpj, endToEndId: string) => Effect.Effect<PaymentException | undefined, StoreUnavailable>
    /** Moves an exception by compare-and-set of its version; true when it moved. */
    readonly commit: (change: ExceptionChange) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@pixcharge/core/ports/ExceptionStore") {}
