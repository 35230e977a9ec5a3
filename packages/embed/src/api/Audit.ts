import type { AuditFilter, AuditRecord, Page, PageRequest } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import type { Calls } from "./calls.ts"
import { auditFields, checkPage, pageRequest, parseFilter } from "./filters.ts"

/** Selects records; a charge is named by its id as text. */
export type AuditSearch = Omit<AuditFilter, "chargeId"> & { readonly chargeId?: string }

/** The audit log. */
export interface Audit {
  /**
   * The changes of a company or reseller, newest first: what was changed, who did it and when, without any secret and without payer
   * data. Changes of a `postgresDirectory` are listed if the store has the same database and schema, changes of a `memoryDirectory`
   * with `memoryStore`. Filter and page can come from a request: they are checked, and a call rejects with `InvalidFilter`, which
   * names the invalid field.
   *
   * @example
   * const { items } = await pix.audit.list("12345678000195", { kind: "keyReplaced", by: "ana@revenda.example" })
   */
  readonly list: (cnpj: string, filter?: AuditSearch, page?: Partial<PageRequest>) => Promise<Page<AuditRecord>>
}

export const makeAudit = ({ asCompany }: Calls<Services>): Audit => ({
  list: (cnpj, filter = {}, page = {}) =>
    asCompany(cnpj, ({ audit }, company) =>
      Effect.flatMap(Effect.all([parseFilter(filter, auditFields), checkPage(page)]), ([parsed, checked]) =>
        audit.list(company, parsed, pageRequest(checked)),
      ),
    ),
})
