import type { AuditLog } from "./AuditLog.ts"
import type { ChargeCounts } from "./ChargeCounts.ts"
import type { ChargeLists } from "./ChargeLists.ts"
import type { ChargeStore } from "./ChargeStore.ts"
import type { DueChecks } from "./DueChecks.ts"
import type { ExceptionStore } from "./ExceptionStore.ts"
import type { Outbox } from "./Outbox.ts"
import type { PayerData } from "./PayerData.ts"
import type { Reconciliations } from "./Reconciliations.ts"
import type { RecurrenceStore } from "./RecurrenceStore.ts"
import type { RevokedTokens } from "./RevokedTokens.ts"

/** All ports that the Layer of a store provides. */
export type StorePorts =
  | ChargeStore
  | Outbox
  | ChargeLists
  | ChargeCounts
  | ExceptionStore
  | DueChecks
  | PayerData
  | Reconciliations
  | RecurrenceStore
  | RevokedTokens
  | AuditLog
