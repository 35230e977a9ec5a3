import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge, ExceptionState, ExceptionStatus, PaymentException, Return } from "../model/charge/index.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"
import type { InvalidFilter, Page, PageRequest, Period } from "../runtime/page.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { NewDelivery } from "./ChargeStore.ts"
import type { AuditChange } from "./AuditLog.ts"

export interface ExceptionChange {
  readonly issuer: Cnpj
  readonly endToEndId: string
  /** The move needs this version. */
  readonly expectedVersion: number
  readonly next: ExceptionState
  /** Epoch milliseconds; its deliveries are due then. */
  readonly movedAt: number
  /** Recorded even if the version is stale. A new return then raises the version, too (`Change.returns`). */
  readonly returns: ReadonlyArray<Return>
  /** Put into the outbox only if the exception moved. */
  readonly deliveries?: ReadonlyArray<NewDelivery>
  /** Recorded with the move, under `currentActor`; absent if no person decided the move. */
  readonly audit?: AuditChange
}

/** Finds exceptions by the payment's time and by status. */
export interface ExceptionSearch extends Period {
  readonly status?: ExceptionStatus
}

/**
 * Payments that settled no charge, with their state (decision 31). Comes with the store. Every method fails with
 * `StoreUnavailable` if the store can't answer or can't store a value; lists also with `TooManyReports` if the company requests
 * more at once than the store has places for.
 */
export class ExceptionStore extends Context.Service<
  ExceptionStore,
  {
    /** Exceptions that are neither wholly returned nor resolved, oldest payment first. */
    readonly listOpen: (
      issuer: Cnpj,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentException>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Matching exceptions in any state, newest payment first. */
    readonly search: (
      issuer: Cnpj,
      search: ExceptionSearch,
      page: PageRequest,
    ) => Effect.Effect<Page<PaymentException>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** Payments of one charge that didn't settle it, oldest first, including payments of no known charge that name its txid. */
    readonly ofCharge: (
      charge: Pick<Charge, "issuer" | "id" | "txid">,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<PaymentException>, StoreUnavailable | TooManyReports>
    /** The exception in any state; undefined if the payment settled a charge or is unknown. */
    readonly find: (issuer: Cnpj, endToEndId: string) => Effect.Effect<PaymentException | undefined, StoreUnavailable>
    /** Compare-and-set by version. Returns true if the exception moved. */
    readonly commit: (change: ExceptionChange) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("@pixcharge/core/ports/ExceptionStore") {}
