import { normalizeTaxId, parseTaxId, type PaymentDesk } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Exceptions, Payers } from "./Pix.ts"
import { asCompany, type Run } from "./asCompany.ts"
import { pages } from "./pages.ts"

/** The desk's work on payments that settled no charge, for a plain host. */
export const exceptionsOf = (desk: PaymentDesk["Service"], run: Run): Exceptions => ({
  list: (issuer) => pages((page) => run(asCompany(issuer, (company) => desk.exceptions(company, page)))),
  refund: (issuer, endToEndId) => run(asCompany(issuer, (company) => desk.refundException(company, endToEndId))),
  resolve: (issuer, endToEndId, note) =>
    run(asCompany(issuer, (company) => desk.resolveException(company, endToEndId, note))),
})

/** A payer's rights, for a plain host. */
export const payersOf = (desk: PaymentDesk["Service"], run: Run): Payers => {
  const payer = (taxId: string) => Effect.fromResult(parseTaxId(normalizeTaxId(taxId)))
  return {
    export: (issuer, taxId) =>
      run(asCompany(issuer, (company) => Effect.flatMap(payer(taxId), (parsed) => desk.exportPayer(company, parsed)))),
    erase: (issuer, taxId) =>
      run(asCompany(issuer, (company) => Effect.flatMap(payer(taxId), (parsed) => desk.erasePayer(company, parsed)))),
  }
}
