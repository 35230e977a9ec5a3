import type { SchemaName } from "../../SchemaName.ts"

/** What payers have authorised to be charged again and again; empty where a host has no recurrences. */
export const recurrences = (schema: SchemaName): string => `
CREATE TABLE ${schema}.recurrences (
  issuer               text COLLATE "C" NOT NULL,
  id                   uuid NOT NULL,
  contract             text COLLATE "C" NOT NULL,
  -- Title, period, first and last day, retries, and how the payer is asked.
  terms                json NOT NULL,
  -- Until when the payer's bank may ask; with a request in its app only.
  solicited_until      timestamptz,
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
  skipped              integer[],
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
CREATE UNIQUE INDEX recurrences_by_contract ON ${schema}.recurrences (issuer, contract);
CREATE UNIQUE INDEX recurrences_by_bank_id ON ${schema}.recurrences (issuer, bank_id) WHERE bank_id IS NOT NULL;
CREATE INDEX recurrences_by_creation ON ${schema}.recurrences (issuer, created_at, id);
CREATE INDEX recurrences_by_payer ON ${schema}.recurrences (issuer, payer_tax_id) WHERE payer_tax_id IS NOT NULL;
CREATE INDEX recurrences_to_check ON ${schema}.recurrences (check_at) WHERE check_at IS NOT NULL;
`
