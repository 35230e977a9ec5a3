import { normalizeTaxId, parseTaxId, type PayerData } from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { asCompany, type Run } from "./asCompany.ts"
import type { Payers } from "./Pix.ts"

/** A payer's rights over their data, for a plain host. */
export const makePayers = (payerData: PayerData["Service"], run: Run): Payers => {
  const parsed = (taxId: string) => Effect.fromResult(parseTaxId(normalizeTaxId(taxId)))
  return {
    export: (issuer, taxId) =>
      run(asCompany(issuer, (company) => Effect.flatMap(parsed(taxId), (payer) => payerData.export(company, payer)))),
    erase: (issuer, taxId) =>
      run(
        asCompany(issuer, (company) =>
          Effect.flatMap(Effect.all([parsed(taxId), Clock.currentTimeMillis]), ([payer, now]) =>
            payerData.erase(company, payer, now),
          ),
        ),
      ),
  }
}
