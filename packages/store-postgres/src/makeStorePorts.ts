import {
  AuditLog,
  ChargeCounts,
  ChargeLists,
  ChargeStore,
  DueChecks,
  ExceptionStore,
  Outbox,
  PayerData,
  Reconciliations,
  RevokedTokens,
  type StorePorts,
} from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Context from "effect/Context"
import { makeAuditLog } from "./audit/PostgresAuditLog.ts"
import { makeChargeStore } from "./charges/PostgresChargeStore.ts"
import { makeReadCharges } from "./charges/readCharges.ts"
import { makeDueChecks } from "./checks/PostgresDueChecks.ts"
import { makeChargeCounts } from "./counts/PostgresChargeCounts.ts"
import type { Database } from "./database/Database.ts"
import { makeExceptionStore } from "./exceptions/PostgresExceptionStore.ts"
import { makeChargeLists } from "./lists/PostgresChargeLists.ts"
import { makeOutbox } from "./outbox/PostgresOutbox.ts"
import { makePayerData } from "./payers/PostgresPayerData.ts"
import { makeReconciliations } from "./reconciliations/PostgresReconciliations.ts"
import { makeRecurrenceStore } from "./recurrences/PostgresRecurrenceStore.ts"
import { makeRevokedTokens } from "./tokens/PostgresRevokedTokens.ts"

/** Every port of a store over one database. */
export const makeStorePorts = (database: Database): Context.Context<StorePorts> => {
  const read = makeReadCharges(database)
  return Context.make(ChargeStore, makeChargeStore(database, read)).pipe(
    Context.add(Outbox, makeOutbox(database)),
    Context.add(ChargeLists, makeChargeLists(database)),
    Context.add(ChargeCounts, makeChargeCounts(database)),
    Context.add(ExceptionStore, makeExceptionStore(database)),
    Context.add(DueChecks, makeDueChecks(database, read)),
    Context.add(PayerData, makePayerData(database)),
    Context.add(Reconciliations, makeReconciliations(database)),
    Context.add(RecurrenceStore, makeRecurrenceStore(database)),
    Context.add(RevokedTokens, makeRevokedTokens(database)),
    Context.add(AuditLog, makeAuditLog(database)),
  )
}
