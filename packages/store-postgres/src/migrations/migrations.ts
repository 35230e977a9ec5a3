import type { SchemaName } from "../SchemaName.ts"
import { charges } from "./0001/charges.sql.ts"
import { directory } from "./0001/directory.sql.ts"
import { outbox } from "./0001/outbox.sql.ts"
import { reconciliations } from "./0001/reconciliations.sql.ts"
import { keyRings } from "./0002/keyRings.sql.ts"
import { revokedTokens } from "./0002/revokedTokens.sql.ts"
import { auditLog } from "./0003/auditLog.sql.ts"
import { directoryAudit } from "./0003/directoryAudit.sql.ts"
import { chargeRequests } from "./0004/chargeRequests.sql.ts"
import { partialRefunds } from "./0005/partialRefunds.sql.ts"
import { checkedUntil } from "./0006/checkedUntil.sql.ts"
import { storiesAndExceptions } from "./0007/storiesAndExceptions.sql.ts"
import { tableSettings } from "./0008/tableSettings.sql.ts"
import { auditEntries } from "./0009/auditEntries.sql.ts"
import { closedDays } from "./0010/closedDays.sql.ts"
import { readsOfPeriods } from "./0011/readsOfPeriods.sql.ts"
import { paymentOwners } from "./0012/paymentOwners.sql.ts"
import { keyRegistrations } from "./0013/keyRegistrations.sql.ts"
import { sweeps } from "./0014/sweeps.sql.ts"
import { refundReasons } from "./0015/refundReasons.sql.ts"
import { vacuumThresholds } from "./0014/vacuumThresholds.sql.ts"
import { searchesOfPeriods } from "./0016/searchesOfPeriods.sql.ts"
import { cycleCharges } from "./0017/cycleCharges.sql.ts"
import { recurrences } from "./0017/recurrences.sql.ts"

/** One step of the schema: numbered, and never changed once it was released. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: (schema: SchemaName) => string
  /**
   * The oldest version of the schema whose release may go on, and start, once this step was taken; by default none that is
   * older than the step. A step that only adds names the version of the release before (docs/upgrading.md).
   */
  readonly readableFrom?: number
}

/** Every step, in order; new ones are appended. */
export const migrations: ReadonlyArray<Migration> = [
  {
    version: 1,
    name: "initial schema",
    statements: (schema) => [charges, outbox, directory, reconciliations].map((part) => part(schema)).join("\n"),
  },
  {
    version: 2,
    name: "key rings and revoked tokens",
    statements: (schema) => keyRings(schema) + revokedTokens(schema),
  },
  { version: 3, name: "audit log", statements: (schema) => auditLog(schema) + directoryAudit(schema) },
  { version: 4, name: "texts for payers and searches for charges", readableFrom: 3, statements: chargeRequests },
  { version: 5, name: "partial refunds", statements: partialRefunds },
  { version: 6, name: "checks by list", readableFrom: 3, statements: checkedUntil },
  {
    version: 7,
    name: "stories of charges and exceptions of a period",
    readableFrom: 3,
    statements: storiesAndExceptions,
  },
  { version: 8, name: "settings of the tables", readableFrom: 3, statements: tableSettings },
  { version: 9, name: "records without the right to date them", readableFrom: 3, statements: auditEntries },
  { version: 10, name: "closed days of charges", readableFrom: 3, statements: closedDays },
  { version: 11, name: "reads of periods", readableFrom: 3, statements: readsOfPeriods },
  { version: 12, name: "one company for each payment", readableFrom: 3, statements: paymentOwners },
  { version: 13, name: "registrations of keys", readableFrom: 3, statements: keyRegistrations },
  {
    version: 14,
    name: "sweeps of companies",
    readableFrom: 3,
    statements: (schema) => sweeps(schema) + vacuumThresholds(schema),
  },
  { version: 15, name: "reasons of refunds", readableFrom: 3, statements: refundReasons },
  { version: 16, name: "searches of periods", readableFrom: 3, statements: searchesOfPeriods },
  {
    version: 17,
    name: "recurrences",
    readableFrom: 3,
    statements: (schema) => recurrences(schema) + cycleCharges(schema),
  },
]

/** The schema version that this code works with. */
export const schemaVersion = Math.max(...migrations.map(({ version }) => version))
