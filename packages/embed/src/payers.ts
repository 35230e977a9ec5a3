import { type Cnpj, normalizeTaxId, parseTaxId, type PaymentDesk, type TaxId } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Payers } from "./Pix.ts"
import { asCompany, type Run } from "./asCompany.ts"

/** A payer's rights over their data, for a plain host. */
export const makePayers = (service: PaymentDesk["Service"], run: Run): Payers => {
  const onPayer = <A, E>(issuer: string, taxId: string, use: (company: Cnpj, payer: TaxId) => Effect.Effect<A, E>) =>
    run(
      asCompany(issuer, (company) =>
        Effect.flatMap(Effect.fromResult(parseTaxId(normalizeTaxId(taxId))), (payer) => use(company, payer)),
      ),
    )
  return {
    export: (issuer, taxId) => onPayer(issuer, taxId, service.exportPayer),
    erase: (issuer, taxId) => onPayer(issuer, taxId, service.erasePayer),
  }
}
