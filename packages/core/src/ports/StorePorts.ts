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

/** A company's data about one payer (LGPD, art. 18). */
export interface PayerRecord {
  readonly charges: ReadonlyArray<Charge>
}

/**
 * A payer's rights over their data. Comes with the store. Every method fails with `StoreUnavailable` and can be repeated safely.
 */
export class PayerData extends Context.Service<
  PayerData,
  {
    /**
     * All data about a payer of this company, newest charge first (LGPD, art. 18, II). Here and in `erase`, a charge is a payer's
     * if any of its terms name them, in force or not.
     */
    readonly export: (issuer: Cnpj, taxId: TaxId) => Effect.Effect<PayerRecord, StoreUnavailable | TooManyReports>
    /**
     * Erases the payer's name, tax id and account on every charge and recurrence, and the texts that can name them; without
     * `keepReference` also each charge's reference and metadata, in its events too. Amounts and dates of money stay (LGPD, art.
     * 16, I). `now`, in epoch milliseconds, becomes `payerErasedAt`. Returns the number of charges and recurrences; with a
     * `currentActor`, the same write records it.
     *
     * Fails with `PayerHasRecurrence`, without a change, while a recurrence of theirs isn't over. The check and the erasure are
     * one step: a recurrence offered meanwhile either makes it fail or isn't touched.
     */
    readonly erase: (
      issuer: Cnpj,
      taxId: TaxId,
      now: number,
      options?: { readonly keepReference?: boolean | undefined },
    ) => Effect.Effect<number, PayerHasRecurrence | StoreUnavailable>
  }
>()("@pixcharge/core/ports/PayerData") {}

/**
 * Tokens revoked one by one, kept until they would have expired. Comes with the store. Moments are epoch milliseconds of real
 * time, unaffected by the sandbox's clock (decision 4). Every method fails with `StoreUnavailable` and can be repeated safely.
 */
export class RevokedTokens extends Context.Service<
  RevokedTokens,
  {
    /** Revokes a token's id (`jti`) until `until`, or until a later time given before. */
    readonly revoke: (token: {
      readonly id: string
      readonly until: number
      /** Forgets revocations that end at or before this moment. */
      readonly now: number
    }) => Effect.Effect<void, StoreUnavailable>
    /** Ids whose revocation ends after `now`. */
    readonly list: (now: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>()("@pixcharge/core/ports/RevokedTokens") {}

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
