import { type AuditChange, type AuditFilter, AuditLog, type AuditRecord, currentActor } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isWithin, readPage } from "./readPage.ts"
import { storing } from "./storing.ts"

export interface Audit {
  readonly append: (cnpj: Cnpj, by: string | undefined, changes: ReadonlyArray<AuditChange>) => void
  readonly log: AuditLog["Service"]
}

const isWanted = ({ at, by, change }: AuditRecord, filter: AuditFilter): boolean =>
  (filter.kind === undefined || filter.kind === change.kind) &&
  (filter.by === undefined || filter.by === by) &&
  (filter.chargeId === undefined || ("chargeId" in change && filter.chargeId === change.chargeId)) &&
  (filter.endToEndId === undefined || ("endToEndId" in change && filter.endToEndId === change.endToEndId)) &&
  isWithin(filter.period, at)

const makeAudit = (clock: Clock.Clock): Audit => {
  const records: Array<AuditRecord> = []
  const append: Audit["append"] = (cnpj, by, changes) => {
    for (const change of changes) {
      // Padded to the widest number, because ids are compared as strings.
      const id = String(records.length).padStart(16, "0")
      records.push({ id, at: clock.currentTimeMillisUnsafe(), cnpj, ...(by !== undefined && { by }), change })
    }
  }
  return {
    append,
    log: AuditLog.of({
      list: (cnpj, filter, request) =>
        readPage("audit", () => records.filter((record) => record.cnpj === cnpj && isWanted(record, filter)), {
          position: ({ at, id }) => ({ at, id }),
          request,
          newestFirst: true,
        }),
      append: (cnpj, change) =>
        Effect.flatMap(currentActor, (by) => storing("audit", change, () => append(cnpj, by, [change]))),
    }),
  }
}

export class MemoryAudit extends Context.Service<MemoryAudit, Audit>()("@pixcharge/store-memory/MemoryAudit") {
  static readonly layer = Layer.effect(MemoryAudit, Effect.map(Clock.Clock, makeAudit))
}
