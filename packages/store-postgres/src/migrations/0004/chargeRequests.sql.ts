import type { SchemaName } from "../../SchemaName.ts"

/** The letters of ISO 8859-1 that have an accent, and each without it. */
const accented = Array.from({ length: 0x40 }, (_, at) => String.fromCodePoint(0xc0 + at)).filter(
  (letter) => letter.normalize("NFD") !== letter,
)
const plain = accented.map((letter) => letter.normalize("NFD").charAt(0).toLowerCase())

/**
 * Texts that a charge shows its payer, and what a search for charges needs. The index by creation answers for state and
 * transaction id from itself; an insert still writes into one index by creation.
 */
export const chargeRequests = (schema: SchemaName): string => `
ALTER TABLE ${schema}.charges ADD COLUMN message_to_payer text, ADD COLUMN additional_info json;
ALTER TABLE ${schema}.archived_texts ADD COLUMN message_to_payer text, ADD COLUMN additional_info json;

DROP INDEX ${schema}.charges_by_creation;
CREATE INDEX charges_by_creation ON ${schema}.charges (issuer, created_at, id, state, payable_until, transaction_id);

-- A name as it is compared, like foldName of core, whatever the database's locale.
CREATE FUNCTION ${schema}.folded_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT translate(
    lower($1 COLLATE "C"),
    '${accented.join("")}',
    '${plain.join("")}'
  )
$$;
CREATE INDEX charges_by_payer_name ON ${schema}.charges (issuer, (${schema}.folded_name(payer_name) COLLATE "C"))
  WHERE payer_name IS NOT NULL;
CREATE INDEX archived_texts_by_payer_name
  ON ${schema}.archived_texts (issuer, (${schema}.folded_name(payer_name) COLLATE "C")) WHERE payer_name IS NOT NULL;
`
