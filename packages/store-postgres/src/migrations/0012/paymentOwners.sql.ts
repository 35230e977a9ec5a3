import type { SchemaName } from "../../SchemaName.ts"

/**
 * One payment is in one company's books: its endToEndId belongs to whoever records it first, and a trigger keeps it out of all
 * other books, whichever release writes. Where Citus holds the payments in shards, `citusStore` claims them instead.
 *
 * Payments that two companies have already stay; they belong to the company whose charge they settled. Most of them are entered
 * before the trigger's lock stops new ones, and the rest behind it. Who may record payments needs no right to the table.
 */
export const paymentOwners = (schema: SchemaName): string => `
-- Not of the id itself: a company's own charge is looked up by the primary key.
CREATE INDEX charges_by_id ON ${schema}.charges (uuid_send(id));

CREATE TABLE ${schema}.payment_owners (
  -- In lower case: processors write it in either.
  end_to_end_id        text COLLATE "C" NOT NULL PRIMARY KEY,
  -- The company whose books have the payment.
  owner                text COLLATE "C" NOT NULL
);
${enterOwners(schema, "WHERE p.settles")}
${enterOwners(schema, "")}

CREATE FUNCTION ${schema}.claim_payment() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO ${schema}.payment_owners (end_to_end_id, owner) VALUES (lower(NEW.end_to_end_id), NEW.issuer) ON CONFLICT DO NOTHING;
  IF FOUND OR EXISTS (
    SELECT FROM ${schema}.payment_owners o WHERE o.end_to_end_id = lower(NEW.end_to_end_id) AND o.owner = NEW.issuer
  ) THEN
    RETURN NEW;
  END IF;
  RETURN NULL;
END
$$;
DO $claims$
BEGIN
  IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
    IF EXISTS (SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = '${schema}.payments'::regclass) THEN
      RETURN;
    END IF;
  END IF;
  CREATE TRIGGER claimed BEFORE INSERT ON ${schema}.payments FOR EACH ROW EXECUTE FUNCTION ${schema}.claim_payment();
  ${enterOwners(schema, `WHERE NOT EXISTS (SELECT FROM ${schema}.payment_owners o WHERE o.end_to_end_id = lower(p.end_to_end_id))`)}
END
$claims$;
`

const enterOwners = (schema: SchemaName, condition: string): string =>
  `INSERT INTO ${schema}.payment_owners (end_to_end_id, owner)
SELECT lower(p.end_to_end_id), p.issuer FROM ${schema}.payments p ${condition} ON CONFLICT DO NOTHING;`
