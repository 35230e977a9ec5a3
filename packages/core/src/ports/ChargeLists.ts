import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Charge, ChargeStatus, Payment, Return } from "../charges/index.ts"
import type { StoreUnavailable, TooManyReports } from "./portErrors.ts"
import type { InvalidFilter } from "../runtime/page/InvalidFilter.ts"
import type { Page, PageRequest } from "../runtime/page/Page.ts"
import type { Period } from "../runtime/page/Period.ts"
import type { Cnpj } from "../party/Cnpj.ts"

/** Which charges to list: those created within the period, and of these only what the other fields say. */
export interface ChargeSearch extends Period {
  /** Those with this status at this moment of business time, in epoch milliseconds. */
  readonly status?: { readonly is: ChargeStatus; readonly at: number }
  /** Those whose amount lies between both, which are included, in cents. */
  readonly amount?: { readonly minCents: number; readonly maxCents: number }
  /** Those due on one of these days, of which both are included; none that is due on no day. */
  readonly due?: { readonly from: LocalDate; readonly until: LocalDate }
  /** Those that were settled by a payment made within this period. */
  readonly paid?: Period
  /**
   * Those of which it is the beginning of the id, the txid, the transaction id, a payment's endToEndId or a word of the payer's name
   * (and of further words of it), or the whole of the payer's document, of the amount or of that of a payment made within the
   * period: as `readSoughtText` reads it.
   */
  readonly text?: string
}

/**
 * The lists of what a company has: its charges, payments and returns. Every method fails with
 * `StoreUnavailable` if the store can't answer, and those that have pages with `InvalidFilter` if the cursor comes from no page of
 * the list; what is no look-up by key also with `TooManyReports`, where its company asks for more at once than the store has
 * places for.
 */
export class ChargeLists extends Context.Service<
  ChargeLists,
  {
    /** The charges that are looked for, newest first. */
    readonly charges: (
      issuer: Cnpj,
      search: ChargeSearch,
      page: PageRequest,
    ) => Effect.Effect<Page<Charge>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** The payments made within the period, oldest first and then by endToEndId, matched or not. */
    readonly payments: (
      issuer: Cnpj,
      period: Period,
      page: PageRequest,
    ) => Effect.Effect<Page<Payment>, StoreUnavailable | InvalidFilter | TooManyReports>
    /** One payment, matched or not; undefined if it isn't recorded. */
    readonly payment: (issuer: Cnpj, endToEndId: string) => Effect.Effect<Payment | undefined, StoreUnavailable>
    /** Some payments, of at most 1000, matched or not, in any order: those that are recorded, each once. */
    readonly paymentsById: (
      issuer: Cnpj,
      endToEndIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Payment>, StoreUnavailable>
    /** The payments made within a moment, of at most 1000, matched or not, oldest first; for what moves money, and no report. */
    readonly paymentsAt: (issuer: Cnpj, moment: Period) => Effect.Effect<ReadonlyArray<Payment>, StoreUnavailable>
    /** All returns of some payments, of at most 1000 of these, whenever they were made: each once, oldest first. */
    readonly returnsOf: (
      issuer: Cnpj,
      endToEndIds: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Return>, StoreUnavailable>
    /** The returns made within the period, oldest first. */
    readonly returns: (
      issuer: Cnpj,
      period: Period,
      page: PageRequest,
    ) => Effect.Effect<Page<Return>, StoreUnavailable | InvalidFilter | TooManyReports>
  }
>()("@pixcharge/core/ports/ChargeLists") {}
