import type { SchemaName } from "../../SchemaName.ts"

/**
 * What each table needs that differs from the server's defaults. A charge is updated some dozens of times while it is
 * checked: with room in its page, a new version of it goes there, and the page stays. What a default leaves to a fifth of the
 * rows is too late at ten million of them, and for queues whose rows live for seconds.
 */
const settings = {
  charges:
    "fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02",
  deliveries:
    "autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_cost_delay = 0",
  queue_leases:
    "fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0",
  reconciliations: "fillfactor = 50",
  settled_deliveries: "autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05",
}

/**
 * Settings alone: no row is rewritten, no reader or writer waits, and a release that knows nothing of them goes on. A
 * partitioned table has none itself, so that its partitions are given them.
 */
export const tableSettings = (schema: SchemaName): string => `
DO $settings$
DECLARE
  kept record;
BEGIN
  FOR kept IN
    SELECT coalesce(part.relid, to_regclass(s.name)) AS name, s.options
    FROM (VALUES ${Object.entries(settings)
      .map(([table, options]) => `\n      ('${schema}.${table}', '${options}')`)
      .join(",")}
    ) AS s (name, options)
    LEFT JOIN LATERAL pg_partition_tree(s.name::regclass) part ON part.isleaf
  LOOP
    EXECUTE format('ALTER TABLE %s SET (%s)', kept.name, kept.options);
  END LOOP;
END
$settings$;
`
