import type { SchemaName } from "../../SchemaName.ts"

/** The outbox: a hot table of what may still be sent, what became of the rest, and every attempt. */
export const outbox = (schema: SchemaName): string => `
-- What waits, and what was superseded and may wait again.
CREATE TABLE ${schema}.deliveries (
  issuer               text COLLATE "C" NOT NULL,
  event_id             text COLLATE "C" NOT NULL,
  endpoint_id          text COLLATE "C" NOT NULL,
  event                json NOT NULL,
  kind                 text NOT NULL,
  occurred_at          timestamptz NOT NULL,
  charge_id            uuid,
  -- The charge's version that the event is about: deliveries of one charge to one endpoint go in this order.
  position             integer NOT NULL,
  queued_at            timestamptz NOT NULL,
  -- Business time.
  next_at              timestamptz NOT NULL,
  -- Since it was queued, and in all.
  attempts             integer NOT NULL DEFAULT 0,
  recorded             integer NOT NULL DEFAULT 0,
  superseded_at        timestamptz,
  PRIMARY KEY (issuer, event_id, endpoint_id)
);
CREATE INDEX deliveries_due ON ${schema}.deliveries (next_at) WHERE superseded_at IS NULL;
CREATE INDEX deliveries_due_by_queue ON ${schema}.deliveries (endpoint_id, issuer, next_at) WHERE superseded_at IS NULL;
CREATE INDEX deliveries_superseded ON ${schema}.deliveries (superseded_at) WHERE superseded_at IS NOT NULL;
CREATE INDEX deliveries_of_charge ON ${schema}.deliveries (issuer, charge_id, endpoint_id, position)
  WHERE charge_id IS NOT NULL;

-- Who sends the deliveries of a company to an endpoint. A row stays when its lease ends: its token differs from that of every other lease.
CREATE TABLE ${schema}.queue_leases (
  issuer               text COLLATE "C" NOT NULL,
  endpoint_id          text COLLATE "C" NOT NULL,
  token                uuid NOT NULL,
  -- The database's own time.
  lease_until          timestamptz NOT NULL,
  PRIMARY KEY (issuer, endpoint_id)
);

CREATE TABLE ${schema}.settled_deliveries (
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
  -- delivered or dead.
  status               text NOT NULL,
  settled_at           timestamptz NOT NULL,
  reason               text,
  -- The attempt that ended it; most deliveries have no other.
  attempt_started_at   timestamptz,
  attempt_latency_ms   double precision,
  attempt_status       integer,
  attempt_error        text,
  attempt_answer       text,
  PRIMARY KEY (issuer, event_id, endpoint_id)
);
CREATE INDEX settled_deliveries_by_moment
  ON ${schema}.settled_deliveries (issuer, occurred_at DESC, event_id, endpoint_id);
CREATE INDEX settled_deliveries_dead
  ON ${schema}.settled_deliveries (issuer, occurred_at DESC, event_id, endpoint_id) WHERE status = 'dead';
CREATE INDEX settled_deliveries_of_charge ON ${schema}.settled_deliveries (issuer, charge_id)
  WHERE charge_id IS NOT NULL;
CREATE INDEX settled_deliveries_delivered ON ${schema}.settled_deliveries (settled_at) WHERE status = 'delivered';

-- Attempts that ended no delivery.
CREATE TABLE ${schema}.delivery_attempts (
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
`
