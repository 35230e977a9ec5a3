import type { AuditFilter, AuditRecord, Page, PageRequest } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import type { Calls } from "./calls.ts"
import { auditFields, checkPage, pageRequest, parseFilter } from "./filters.ts"

/** Selects records; `chargeId` is a string. */
export type AuditSearch = Omit<AuditFilter, "chargeId"> & { readonly chargeId?: string }

export interface Audit {
  /**
   * The changes of a company or reseller, newest first: who changed what and when, without secrets or payer data. A
   * `postgresDirectory` needs the store's database and schema for its changes to be listed; a `memoryDirectory` needs
   * `memoryStore`. Rejects with `InvalidFilter`.
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
