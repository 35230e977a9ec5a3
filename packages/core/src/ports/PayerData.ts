import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Charge } from "../charges/rules/Charge.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { TaxId } from "../party/TaxId.ts"

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
     * Forgets name and document on every charge of the payer, and the texts that were shown to them, reasons of their
     * charges' refunds too, for these may name them; money facts stay (LGPD, art. 16, I). `now`, in epoch milliseconds, becomes their `payerErasedAt`. Returns how
     * many charges it was; where `currentActor` is somebody, the same write records how many they erased.
     */
    readonly erase: (issuer: Cnpj, taxId: TaxId, now: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@pixcharge/core/ports/PayerData") {}
