import type { SchemaName } from "../../SchemaName.ts"

/**
 * What a table needs that differs from the server's defaults, which wait for a fifth of the rows: of ten million charges that
 * is too late, and so it is where what waits to be sent grows and is gone again within minutes. Leases are updated in place
 * by every claim, for which a page needs room.
 */
const settings = {
  charges:
    "autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02",
  deliveries:
    "autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0",
  settled_deliveries: "autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05",
  queue_leases: "fillfactor = 70",
  reconciliations: "fillfactor = 70",
}

/**
 * Settings alone: no row is rewritten, no reader or writer waits, and a release that knows nothing of them goes on. A
 * partitioned table has none itself, so that its partitions are given them.
 */
export const setTables = (schema: SchemaName, tables: Readonly<Record<string, string>>): string => `
DO $settings$
DECLARE
  kept record;
BEGIN
  FOR kept IN
    SELECT coalesce(part.relid, to_regclass(s.name)) AS name, s.options
    FROM (VALUES ${Object.entries(tables)
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

export const tableSettings = (schema: SchemaName): string => setTables(schema, settings)
