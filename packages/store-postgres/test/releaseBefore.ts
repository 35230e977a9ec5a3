import type { Connection } from "@pixcharge/store-postgres"

const columns = ["payer_name", "payer_tax_id", "message_to_payer", "additional_info", "fees", "closed_days", "br_code"]
const key = "c.issuer = t.issuer AND c.id = t.id"

/** Puts each charge's texts into its row, where the release before writes them. */
export const textsIntoRows = (schema: string): string => `
  WITH t AS (DELETE FROM ${schema}.archived_texts RETURNING *)
  UPDATE ${schema}.charges c SET ${columns.map((name) => `${name} = t.${name}`).join(", ")} FROM t WHERE ${key}`

/** Moves the texts out of the rows that nobody has locked, as the release before does. */
export const textsOutOfRows = (schema: string): string => `
  WITH t AS MATERIALIZED (
    SELECT * FROM ${schema}.charges WHERE br_code IS NOT NULL FOR UPDATE SKIP LOCKED
  ),
  moved AS (
    INSERT INTO ${schema}.archived_texts (issuer, id, created_at, ${columns.join(", ")})
    SELECT issuer, id, created_at, ${columns.join(", ")} FROM t
  )
  UPDATE ${schema}.charges c SET ${columns.map((name) => `${name} = NULL`).join(", ")} FROM t WHERE ${key}`

/** From here on a migrated schema has each new charge as the release before writes it. */
export const writeAsBefore = async (db: Connection, schema: string): Promise<void> => {
  const text = `
    CREATE FUNCTION ${schema}.write_as_before() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${textsIntoRows(schema)};
      RETURN NULL;
    END $$;
    CREATE TRIGGER as_before AFTER INSERT ON ${schema}.archived_texts EXECUTE FUNCTION ${schema}.write_as_before()`
  await db.query({ text, values: [] })
}
