import { type AuditChange, AuditLog, type AuditRecord } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Database, Row } from "../sql/Database.ts"
import { type List, readPage } from "../sql/pages.ts"
import { millisIn, textIn, toSeconds } from "../sql/values.ts"
import { currentAuthor, providedNow, recordDetails } from "./Author.ts"
import { appendAuditLog, listAuditLog } from "./auditLog.sql.ts"

/** A fact's name in the core, from its column's. */
const factName = (column: string): string => column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const changeFromRow = (row: Row): AuditChange => {
  const { at: _, ...details } = JSON.parse(textIn(row, "details")) as { at?: number; facts?: ReadonlyArray<string> }
  const facts = details.facts?.map(factName)
  return { kind: textIn(row, "kind"), ...details, ...(facts && { facts }) } as AuditChange
}

const list: List<AuditRecord> = {
  fromRow: (row) => ({
    id: textIn(row, "id"),
    at: millisIn(row, "at"),
    cnpj: textIn(row, "issuer") as Cnpj,
    ...(row["actor"] !== null && { by: textIn(row, "actor") }),
    change: changeFromRow(row),
  }),
  position: ({ at, id }) => [toSeconds(at), id],
  texts: [(id) => /^\d{1,18}$/.test(id)],
}

/** Who changed what, on Postgres. */
export const makeAuditLog = ({ run, query }: Database): AuditLog["Service"] =>
  AuditLog.of({
    list: (cnpj, filter, request) =>
      Effect.flatMap(providedNow, (now) =>
        readPage("audit", list, request, (after, limit, signal) => {
          const { statement, values } = listAuditLog(cnpj, filter, after, limit, now !== undefined)
          return run(statement, values, { signal, reportOf: cnpj })
        }),
      ),
    append: Effect.fnUntraced(function* (cnpj, change) {
      const author = yield* currentAuthor
      const details = JSON.stringify(recordDetails(change, author))
      yield* query("appendAudit", appendAuditLog, [cnpj, author.actor ?? null, change.kind, details])
    }),
  })
