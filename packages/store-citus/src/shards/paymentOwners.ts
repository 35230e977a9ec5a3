import type { ChargeStore, StoreUnavailable } from "@pixcharge/core"
import { makeFindOwners, type Database, repeatable, textIn } from "@pixcharge/store-postgres/internal"
import * as Effect from "effect/Effect"

/** Makes company $2 the owner of payment $1 unless the payment has an owner; returns its owner. */
const claimPayment = repeatable(`
INSERT INTO @.payment_owners AS o (end_to_end_id, owner) VALUES (lower($1::text), $2)
ON CONFLICT (end_to_end_id) DO UPDATE SET owner = o.owner
RETURNING o.owner`)

export interface PaymentOwners {
  /**
   * Claims payments for a company; returns the payments that other companies own. Claim payments before recording them: after a
   * crash between claim and commit, the company can still record its payment.
   */
  readonly claim: (
    issuer: string,
    endToEndIds: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  readonly find: ChargeStore["Service"]["owners"]
}

/** Citus distributes their table by payment, because a company's shard doesn't know other companies' payments. */
export const makePaymentOwners = (database: Database): PaymentOwners => ({
  find: makeFindOwners(database),
  claim: (issuer, endToEndIds) =>
    Effect.filter(
      [...new Set(endToEndIds)],
      (endToEndId) =>
        Effect.map(
          database.query("claimPayment", claimPayment, [endToEndId, issuer]),
          ([row]) => row !== undefined && textIn(row, "owner") !== issuer,
        ),
      { concurrency: 4 },
    ),
})
