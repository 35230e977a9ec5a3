import type { SchemaName } from "../../SchemaName.ts"

/** Parts of payments that were asked back, each by a key of the host's. Charges that have none are read without the table. */
export const partialRefunds = (schema: SchemaName): string => `
CREATE TABLE ${schema}.partial_refunds (
  issuer               text COLLATE "C" NOT NULL,
  charge_id            uuid NOT NULL,
  key                  text COLLATE "C" NOT NULL,
  amount_cents         bigint NOT NULL,
  -- When it was first asked for.
  requested_at         timestamptz NOT NULL,
  -- The last attempt; the part is returned once its payment has a return with this id.
  refund_id            text NOT NULL,
  refund_attempt       integer NOT NULL,
  refund_requested_at  timestamptz NOT NULL,
  refund_unanswered    json,
  refund_rejection     text,
  PRIMARY KEY (issuer, charge_id, key)
);
ALTER TABLE ${schema}.charges ADD COLUMN has_partial_refunds boolean NOT NULL DEFAULT false;
`
