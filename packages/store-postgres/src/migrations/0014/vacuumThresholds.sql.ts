import type { SchemaName } from "../../SchemaName.ts"
import { setTables } from "../0008/tableSettings.sql.ts"

const thresholds = "autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 5000"

/**
 * Each session plans its statements again after a table was vacuumed or analyzed. Tables that stay small and change with each
 * charge would have them do so every fifty changes, which takes longer than the statements.
 */
export const vacuumThresholds = (schema: SchemaName): string =>
  setTables(schema, {
    charges: thresholds,
    deliveries: thresholds,
    queue_leases: thresholds,
    reconciliations: thresholds,
  })
