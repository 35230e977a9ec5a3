import type { SchemaName } from "../../SchemaName.ts"

/** Charges, their payments and the returns of those. Cents are `bigint`, instants `timestamptz`, issuers come first. */
export const charges = (schema: SchemaName): string => `
CREATE TABLE ${schema}.charges (
  issuer               text COLLATE "C" NOT NULL,
  id                   uuid NOT NULL,
  transaction_id       uuid NOT NULL,
  amount_cents         bigint NOT NULL,
  due_date             date,
  payer_name           text,
  payer_tax_id         text COLLATE "C",
  payer_erased_at      timestamptz,
  fees                 json,
  -- Absent once the charge's texts are in archived_texts.
  br_code              text,
  created_at           timestamptz NOT NULL,
  payable_until        timestamptz NOT NULL,
  watch_until          timestamptz NOT NULL,
  -- pending, paid, refunding, refunded or cancelled.
  state                text NOT NULL,
  version              integer NOT NULL,
  updated_at           timestamptz NOT NULL,
  check_at             timestamptz,
  -- When its last check was made; absent while one is to come.
  checks_ended_at      timestamptz,
  -- The endToEndId of the payment that settled it.
  settled_by           text COLLATE "C",
  refund_id            text,
  refund_attempt       integer,
  refund_requested_at  timestamptz,
  -- When the processor was called for the refund without an answer: a JSON array of epoch milliseconds.
  refund_unanswered    json,
  -- Why the processor did not carry the refund out.
  refund_rejection     text,
  refunded_at          timestamptz,
  cancelled_at         timestamptz,
  PRIMARY KEY (issuer, id)
);
CREATE INDEX charges_by_creation ON ${schema}.charges (issuer, created_at, id);
CREATE INDEX charges_by_payer ON ${schema}.charges (issuer, payer_tax_id) WHERE payer_tax_id IS NOT NULL;
CREATE INDEX charges_to_check ON ${schema}.charges (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX charges_checks_ended ON ${schema}.charges (checks_ended_at) WHERE checks_ended_at IS NOT NULL;
CREATE INDEX charges_to_archive ON ${schema}.charges (updated_at) WHERE check_at IS NULL AND br_code IS NOT NULL;

-- What makes a charge's row wide, of charges that are long settled.
CREATE TABLE ${schema}.archived_texts (
  issuer               text COLLATE "C" NOT NULL,
  id                   uuid NOT NULL,
  payer_name           text,
  payer_tax_id         text COLLATE "C",
  fees                 json,
  br_code              text NOT NULL,
  PRIMARY KEY (issuer, id)
);
CREATE INDEX archived_texts_by_payer ON ${schema}.archived_texts (issuer, payer_tax_id) WHERE payer_tax_id IS NOT NULL;

CREATE TABLE ${schema}.payments (
  issuer               text COLLATE "C" NOT NULL,
  end_to_end_id        text COLLATE "C" NOT NULL,
  txid                 text,
  -- Absent while no charge of the company is known for it.
  charge_id            uuid,
  amount_cents         bigint NOT NULL,
  paid_at              timestamptz NOT NULL,
  recorded_at          timestamptz NOT NULL,
  late                 boolean NOT NULL,
  other_amount         boolean NOT NULL,
  -- How often it was notified again after it was recorded.
  repeats              integer NOT NULL DEFAULT 0,
  -- It settled its charge; every other payment is an exception.
  settles              boolean NOT NULL,
  -- open, refunding, refunded or resolved; means nothing for a payment that settles.
  exception_state      text NOT NULL DEFAULT 'open',
  exception_version    integer NOT NULL DEFAULT 0,
  refund_id            text,
  refund_attempt       integer,
  refund_requested_at  timestamptz,
  refund_check_at      timestamptz,
  refund_unanswered    json,
  -- Why the processor did not carry the last refund of an open exception out.
  refund_rejection     text,
  refunded_at          timestamptz,
  resolution           text,
  resolved_at          timestamptz,
  PRIMARY KEY (issuer, end_to_end_id)
);
CREATE INDEX payments_by_moment ON ${schema}.payments (issuer, paid_at, end_to_end_id);
CREATE INDEX payments_open ON ${schema}.payments (issuer, paid_at, end_to_end_id)
  WHERE NOT settles AND exception_state IN ('open', 'refunding');
CREATE INDEX payments_refund_checks ON ${schema}.payments (refund_check_at)
  WHERE NOT settles AND exception_state = 'refunding';

CREATE TABLE ${schema}.returns (
  issuer               text COLLATE "C" NOT NULL,
  end_to_end_id        text COLLATE "C" NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  -- refund, outside or dispute.
  kind                 text NOT NULL,
  amount_cents         bigint NOT NULL,
  returned_at          timestamptz NOT NULL,
  PRIMARY KEY (issuer, end_to_end_id, id)
);
CREATE INDEX returns_by_moment ON ${schema}.returns (issuer, returned_at, end_to_end_id, id);
`
