/**
 * Cents are `bigint`, times are `timestamptz`. A table of companies' data begins with the column `issuer`. `@.` stands for the
 * schema.
 */
export const tables = `
CREATE TABLE @.charges (
  issuer               text COLLATE "C" NOT NULL,
  id                   uuid NOT NULL,
  transaction_id       uuid NOT NULL,
  amount_cents         bigint NOT NULL,
  due_date             date,
  payer_erased_at      timestamptz,
  created_at           timestamptz NOT NULL,
  payable_until        timestamptz NOT NULL,
  watch_until          timestamptz NOT NULL,
  -- pending, paid, refunding, refunded or cancelled.
  state                text NOT NULL,
  version              integer NOT NULL,
  updated_at           timestamptz NOT NULL,
  check_at             timestamptz,
  -- When a pending charge is looked up itself; null once it has been due, which wakes its company.
  look_up_at           timestamptz,
  -- When its last check was made; null while one is to come.
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
  -- Why the company returned the money, as the payer may read it; null once the payer was erased.
  refund_reason        text,
  refunded_at          timestamptz,
  cancelled_at         timestamptz,
  cancelled_by         text,
  expiry_event_at      timestamptz,
  has_partial_refunds  boolean NOT NULL DEFAULT false,
  -- The erasure of its payer kept its reference and metadata; null for any other charge.
  reference_kept       boolean,
  -- The recurrence of which it is a cycle's charge; null, as are the four after it, for any other.
  recurrence_id        uuid,
  cycle                integer,
  generation           integer,
  -- Contract, id of the recurrence at the bank, and the days of the debit.
  cycle_terms          json,
  debit                json,
  PRIMARY KEY (issuer, id)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 5000
);

-- The texts that a charge's payer is shown, and the company's own, apart from the row that each move writes again. A change
-- writes them and terms_rows: all terms, by number.
CREATE TABLE @.charge_texts (
  issuer               text COLLATE "C" NOT NULL,
  id                   uuid NOT NULL,
  created_at           timestamptz NOT NULL,
  payer_name           text,
  payer_tax_id         text COLLATE "C",
  payer_email          text,
  payer_address        json,
  message_to_payer     text,
  additional_info      json,
  -- The fees and grace days that the request names: a repeat is compared with them.
  requested            json,
  fees                 json,
  -- The closed days by which due date and fees are reckoned.
  closed_days          json,
  -- Null for a cycle's charge that has none.
  br_code              text,
  reference            text COLLATE "C",
  metadata             json,
  terms_rows           jsonb,
  PRIMARY KEY (issuer, created_at, id) INCLUDE (payer_name, payer_tax_id)
);

CREATE TABLE @.payments (
  issuer               text COLLATE "C" NOT NULL,
  end_to_end_id        text COLLATE "C" NOT NULL,
  txid                 text,
  -- Null while no charge of the company is known for it.
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
  refund_reason        text,
  refunded_at          timestamptz,
  resolution           text,
  resolved_at          timestamptz,
  PRIMARY KEY (issuer, end_to_end_id)
);

-- A payment is in one company's books: in those of the company that records it first.
CREATE TABLE @.payment_owners (
  -- In lower case: processors write it in either.
  end_to_end_id        text COLLATE "C" NOT NULL PRIMARY KEY,
  owner                text COLLATE "C" NOT NULL
);

CREATE TABLE @.returns (
  issuer               text COLLATE "C" NOT NULL,
  end_to_end_id        text COLLATE "C" NOT NULL,
  id                   text COLLATE "C" NOT NULL,
  -- Banks mix upper and lower case.
  folded_id            text COLLATE "C" NOT NULL GENERATED ALWAYS AS (lower(id)) STORED,
  kind                 text NOT NULL, -- refund, outside or dispute.
  amount_cents         bigint NOT NULL,
  returned_at          timestamptz NOT NULL,
  PRIMARY KEY (issuer, end_to_end_id, folded_id)
);

-- Parts of payments that were asked back, each by a key of the host's.
CREATE TABLE @.partial_refunds (
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
  refund_reason        text,
  PRIMARY KEY (issuer, charge_id, key)
);

-- What payers have authorised to be charged again and again.
CREATE TABLE @.recurrences (
  issuer               text COLLATE "C" NOT NULL,
  id                   uuid NOT NULL,
  contract             text COLLATE "C" NOT NULL,
  -- Title, period, first and last day, retries and their days, and how the payer is asked.
  terms                json NOT NULL,
  -- Until when the payer's bank may ask; with a request in its app only.
  offered_until      timestamptz,
  amount_cents         bigint,
  floor_cents          bigint,
  payer_name           text,
  payer_tax_id         text COLLATE "C",
  payer_erased_at      timestamptz,
  created_at           timestamptz NOT NULL,
  -- requested, offered, approved, ending or ended.
  state                text NOT NULL,
  version              integer NOT NULL,
  updated_at           timestamptz NOT NULL,
  check_at             timestamptz,
  next_cycle           integer NOT NULL,
  announced_cycle      integer,
  skipped              json,
  -- Its id at the bank, once that is known.
  bank_id              text COLLATE "C",
  br_code              text,
  approved_at          timestamptz,
  -- When the company asked the bank to end it.
  end_requested_at     timestamptz,
  -- declined, expired, refused or ended.
  end_reason           text,
  -- payer, payerBank, company or companyBank.
  ended_by             text,
  end_code             text,
  ended_at             timestamptz,
  PRIMARY KEY (issuer, id)
);

-- How far each company was compared with its processor's lists. A claim updates its row in place, for which a page needs room.
CREATE TABLE @.reconciliations (
  issuer               text COLLATE "C" NOT NULL PRIMARY KEY,
  -- When its first charge was created.
  since                timestamptz NOT NULL,
  -- All payments received before were listed.
  reconciled_until     timestamptz NOT NULL,
  -- Since when runs end with payments that could not be recorded.
  failing_since        timestamptz,
  expiry_events_since  timestamptz,
  looked_up_from       timestamptz,
  looked_up_until      timestamptz,
  -- The list of what was received: the end of the period that is being listed, and where its last page ended.
  run_until            timestamptz,
  run_cursor           text,
  run_has_failed       boolean NOT NULL DEFAULT false,
  -- The list of older payments of which something went back.
  returns_due_at       timestamptz NOT NULL,
  returns_run_until    timestamptz,
  returns_run_cursor   text,
  returns_run_has_failed boolean NOT NULL DEFAULT false,
  -- Business time, like the lease. Its turn comes at wake_at if that is sooner.
  next_at              timestamptz NOT NULL,
  wake_at              timestamptz,
  lease_token          uuid,
  lease_until          timestamptz
) WITH (fillfactor = 70, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 5000);

-- The outbox: deliveries that wait, and that were superseded and may wait again. It grows and is empty again within minutes.
CREATE TABLE @.deliveries (
  issuer               text COLLATE "C" NOT NULL,
  event_id             text COLLATE "C" NOT NULL,
  endpoint_id          text COLLATE "C" NOT NULL,
  event                json NOT NULL,
  kind                 text NOT NULL,
  occurred_at          timestamptz NOT NULL,
  -- For a payment without a charge, a key of its own (unmatchedKey).
  charge_id            uuid,
  -- By the charge's version that the event is about (positionAt): deliveries of one charge to one endpoint go in this order.
  position             integer NOT NULL,
  queued_at            timestamptz NOT NULL,
  -- Business time.
  next_at              timestamptz NOT NULL,
  -- Since it was queued, and in all.
  attempts             integer NOT NULL DEFAULT 0,
  recorded             integer NOT NULL DEFAULT 0,
  superseded_at        timestamptz,
  PRIMARY KEY (issuer, event_id, endpoint_id)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 5000
);

-- Who sends the deliveries of a company to an endpoint. A row stays when its lease ends: its token differs from that of every
-- other lease.
CREATE TABLE @.queue_leases (
  issuer               text COLLATE "C" NOT NULL,
  endpoint_id          text COLLATE "C" NOT NULL,
  token                uuid NOT NULL,
  -- The database's own time.
  lease_until          timestamptz NOT NULL,
  PRIMARY KEY (issuer, endpoint_id)
) WITH (fillfactor = 70, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 5000);

CREATE TABLE @.settled_deliveries (
  issuer               text COLLATE "C" NOT NULL,
  event_id             text COLLATE "C" NOT NULL,
  endpoint_id          text COLLATE "C" NOT NULL,
  event                json NOT NULL,
  kind                 text NOT NULL,
  occurred_at          timestamptz NOT NULL,
  charge_id            uuid,
  position             integer NOT NULL,
  attempts             integer NOT NULL,
  recorded             integer NOT NULL,
  status               text NOT NULL, -- delivered or dead.
  settled_at           timestamptz NOT NULL,
  reason               text,
  -- The attempt that ended it; most deliveries have no other.
  attempt_started_at   timestamptz,
  attempt_latency_ms   double precision,
  attempt_status       integer,
  attempt_error        text,
  attempt_answer       text,
  PRIMARY KEY (issuer, occurred_at, event_id, endpoint_id) INCLUDE (status, attempts)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Attempts that ended no delivery.
CREATE TABLE @.delivery_attempts (
  issuer               text COLLATE "C" NOT NULL,
  event_id             text COLLATE "C" NOT NULL,
  endpoint_id          text COLLATE "C" NOT NULL,
  number               integer NOT NULL,
  started_at           timestamptz NOT NULL,
  latency_ms           double precision NOT NULL,
  status               integer,
  error                text,
  answer               text,
  PRIMARY KEY (issuer, event_id, endpoint_id, number)
);

-- Who changed what: rows that are never changed or deleted.
CREATE TABLE @.audit_log (
  issuer               text COLLATE "C" NOT NULL,
  -- The database's own time, in whole milliseconds: pages continue from what was read of it.
  at                   timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  id                   bigserial NOT NULL,
  actor                text,
  kind                 text NOT NULL,
  details              json NOT NULL,
  PRIMARY KEY (issuer, at, id)
);
`
