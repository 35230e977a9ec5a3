import type { SchemaName } from "@pixcharge/store-postgres/internal"
import { splitState } from "../shards/Shards.ts"

/** Grows with each change of the functions; `citusStore` refuses a schema with an earlier version. */
export const functionsVersion = 1

/**
 * `hold_shard` makes it safe to name a shard's own tables. A move or split takes an exclusive lock on the shard's metadata on
 * every node before it stops writes, and releases it with the commit of the new place. A transaction that has the shared lock,
 * and then finds the shard on its node, can therefore write there until it ends. Citus gives this lock only to the function's
 * owner, so the function runs as its owner; a caller needs the right to run the function and a right to the charges. The function
 * needs its own lock time-out, because a move can stop writes for hours.
 *
 * `on_shard` runs a statement with its caller's rights. A session keeps the statement's plan under `name`. A setting of that name
 * records this, because the list of prepared statements is slow to read. A failed transaction reverts the setting, but not the
 * prepared statement.
 *
 * `number_record` numbers audit records, because a shard's table has no default for the number.
 *
 * A directory row is written on every node, and its triggers fire there. `record_change` records it only in the session that made
 * the change, because only that session knows the actor.
 */
export const citusFunctions = (schema: SchemaName): ReadonlyArray<string> => [
  `CREATE OR REPLACE FUNCTION ${schema}.hold_shard(shard bigint) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s' AS $function$
BEGIN
  IF NOT has_table_privilege(
    CASE current_setting('role') WHEN 'none' THEN session_user ELSE current_setting('role') END,
    '${schema}.charges', 'SELECT'
  ) THEN
    RAISE EXCEPTION 'permission denied for the shards of ${schema}' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_dist_shard s WHERE s.shardid = shard AND s.logicalrelid = '${schema}.charges'::regclass
  ) THEN
    RAISE EXCEPTION 'the shard was split' USING ERRCODE = '${splitState}';
  END IF;
  PERFORM pg_catalog.lock_shard_metadata(5, ARRAY[shard]);
  IF NOT EXISTS (
    SELECT FROM pg_catalog.pg_dist_placement p JOIN pg_catalog.pg_dist_local_group l ON l.groupid = p.groupid
    WHERE p.shardid = shard
  ) THEN
    IF EXISTS (SELECT FROM pg_catalog.pg_dist_shard s WHERE s.shardid = shard) THEN
      RAISE EXCEPTION 'the shard was moved' USING ERRCODE = 'serialization_failure';
    END IF;
    RAISE EXCEPTION 'the shard was split' USING ERRCODE = '${splitState}';
  END IF;
END
$function$`,
  `REVOKE EXECUTE ON FUNCTION ${schema}.hold_shard(bigint) FROM PUBLIC`,
  `CREATE OR REPLACE FUNCTION ${schema}.on_shard(shard_key text, shard bigint, name text, statement text, args text[])
RETURNS SETOF text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
DECLARE
  values_of_call text := '';
  found_row record;
BEGIN
  PERFORM ${schema}.hold_shard(shard);
  IF current_setting('pixcharge.' || name, true) IS DISTINCT FROM 'prepared' THEN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_prepared_statements p WHERE p.name = on_shard.name) THEN
      EXECUTE 'PREPARE ' || quote_ident(name) || ' AS ' || statement;
    END IF;
    PERFORM set_config('pixcharge.' || name, 'prepared', false);
  END IF;
  IF cardinality(args) > 0 THEN
    SELECT '(' || string_agg(quote_nullable(a), ',' ORDER BY n) || ')' INTO values_of_call
    FROM unnest(args) WITH ORDINALITY AS u(a, n);
  END IF;
  FOR found_row IN EXECUTE 'EXECUTE ' || quote_ident(name) || values_of_call LOOP
    RETURN NEXT row_to_json(found_row)::text;
  END LOOP;
END
$function$`,
  `CREATE OR REPLACE FUNCTION ${schema}.number_record() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $function$
BEGIN
  NEW.id := coalesce(NEW.id, nextval('${schema}.audit_log_id_seq'));
  RETURN NEW;
END
$function$`,
  `CREATE OR REPLACE FUNCTION ${schema}.record_change(issuer text, kind text, details json) RETURNS void
LANGUAGE plpgsql AS $function$
BEGIN
  IF current_setting('application_name') !~ '^citus_(internal|rebalancer|run_command) gpid=' THEN
    INSERT INTO ${schema}.audit_log (issuer, actor, kind, details)
    VALUES ($1, nullif(current_setting('pixcharge.actor', true), ''), $2, $3);
  END IF;
END
$function$`,
  `CREATE OR REPLACE FUNCTION ${schema}.functions_version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT ${functionsVersion}'`,
]
