import type { StoreUnavailable } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Database } from "../database/Database.ts"
import { repeatable } from "../database/Sql.ts"
import { textIn } from "../database/values.ts"

/** Makes company $2 the owner of payment $1 unless it has one; returns whoever is. */
const claimPayment = repeatable(`
INSERT INTO @.payment_owners AS o (end_to_end_id, owner) VALUES (lower($1::text), $2)
ON CONFLICT (end_to_end_id) DO UPDATE SET owner = o.owner
RETURNING o.owner`)

/** Whose payments are, across all shards. */
export interface PaymentOwners {
  /**
   * Claims payments for a company; those that another one has. To be called before they are recorded: who has claimed a
   * payment and was ended before the commit finds it again, and the claim as its own.
   */
  readonly refused: (
    issuer: string,
    endToEndIds: ReadonlyArray<string>,
  ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
}

/** A row for each payment, which Citus itself leads to its shard: the tables of a company's shard can't tell of other companies. */
export const makePaymentOwners = ({ query }: Database): PaymentOwners => ({
  refused: (issuer, endToEndIds) =>
    Effect.filter(
      [...new Set(endToEndIds)],
      (endToEndId) =>
        Effect.map(
          query("claimPayment", claimPayment, [endToEndId, issuer]),
          ([row]) => row !== undefined && textIn(row, "owner") !== issuer,
        ),
      { concurrency: 4 },
    ),
})
