import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge } from "../charges/rules/Charge.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { TaxId } from "../party/TaxId.ts"
import type { PayerHasRecurrence } from "../recurrence/rules/recurrenceErrors.ts"

/** What a company holds about one payer (LGPD, art. 18). */
export interface PayerRecord {
  readonly charges: ReadonlyArray<Charge>
}

/** A payer's rights over their data. Every method fails with `StoreUnavailable`, and may be repeated without harm. */
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
