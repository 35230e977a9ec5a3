import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge } from "../model/charge/Charge.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"
import type { TaxId } from "../model/party/TaxId.ts"
import type { PayerHasRecurrence } from "../model/recurrence/recurrenceErrors.ts"
import type { AuditLog } from "./AuditLog.ts"
import type { ChargeCounts, ChargeLists } from "./ChargeLists.ts"
import type { ChargeStore } from "./ChargeStore.ts"
import type { DueChecks } from "./DueChecks.ts"
import type { ExceptionStore } from "./ExceptionStore.ts"
import type { Outbox } from "./Outbox.ts"
import type { Reconciliations } from "./Reconciliations.ts"
import type { RecurrenceStore } from "./RecurrenceStore.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"

/** What a company holds about one payer (LGPD, art. 18). */
export interface PayerRecord {
  readonly charges: ReadonlyArray<Charge>
}

/**
 * A payer's rights over their data. Comes with the store; `pix.payers` uses it. Every method fails with `StoreUnavailable`, and may be
 * repeated without harm.
 */
export class PayerData extends Context.Service<
  PayerData,
  {
    /** All that is kept about a payer of this company, the newest charge first (LGPD, art. 18, II). */
    readonly export: (issuer: Cnpj, taxId: TaxId) => Effect.Effect<PayerRecord, StoreUnavailable | TooManyReports>
    /**
     * Forgets name and document on every charge and recurrence of the payer, their account, and the texts that were shown to them,
     * reasons of their charges' refunds too, for these may name them; money facts stay (LGPD, art. 16, I). `now`, in epoch milliseconds,
     * becomes their `payerErasedAt`. Returns how many charges and recurrences it was; where `currentActor` is somebody, the same write
     * records how many they erased.
     *
     * Fails with `PayerHasRecurrence`, and erases nothing, while a recurrence of theirs isn't over: that is seen and written at once, so
     * that one which is offered meanwhile is either refused for, or not touched.
     */
    readonly erase: (
      issuer: Cnpj,
      taxId: TaxId,
      now: number,
    ) => Effect.Effect<number, PayerHasRecurrence | StoreUnavailable>
  }
>()("@pixcharge/core/ports/PayerData") {}

/**
 * Tokens that were revoked one by one, until they would have ended by themselves. Comes with the store; `Tokens` uses it. Moments
 * are epoch milliseconds of real time, because the sandbox's clock doesn't age tokens (decision 4). Every method fails with
 * `StoreUnavailable`, and may be repeated without harm.
 */
export class RevokedTokens extends Context.Service<
  RevokedTokens,
  {
    /** Keeps a token's id (`jti`) as revoked until that moment or, if it was revoked before, until the later of the two. */
    readonly revoke: (token: {
      readonly id: string
      readonly until: number
      /** What was revoked until then or earlier is forgotten. */
      readonly now: number
    }) => Effect.Effect<void, StoreUnavailable>
    /** The ids of all that are revoked until later than `now`. */
    readonly list: (now: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>()("@pixcharge/core/ports/RevokedTokens") {}

/** All ports that the Layer of a store provides, as `store-memory`, `store-postgres` and `store-citus` do. */
export type StorePorts =
  | ChargeStore
  | Outbox
  | ChargeLists
  | ChargeCounts
  | ExceptionStore
  | DueChecks
  | PayerData
  | Reconciliations
  | RecurrenceStore
  | RevokedTokens
  | AuditLog
