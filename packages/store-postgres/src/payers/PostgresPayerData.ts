import { PayerData } from "@pixcharge/core"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import { type Author, currentAuthor } from "../audit/Author.ts"
import { chargeFromRow } from "../charges/ChargeRow.ts"
import type { Database } from "../database/Database.ts"
import { storeEffect } from "../database/storeEffect.ts"
import { toSeconds, textIn } from "../database/values.ts"
import { erasePayer, exportPayer } from "./payerData.sql.ts"

/** A payer's rights over their data, on Postgres. */
export const makePayerData = ({ report, run }: Database): PayerData["Service"] => {
  /** Repeats until nothing is found: the release before may move a row's texts while they are being erased. */
  const erase = async (issuer: Cnpj, taxId: TaxId, now: number, { actor, at }: Author): Promise<number> => {
    const erased = new Set<string>()
    for (;;) {
      const { rows } = await run(erasePayer, [issuer, taxId, toSeconds(now), actor ?? null, at ?? null])
      if (rows.length === 0) return erased.size
      for (const row of rows) erased.add(textIn(row, "id"))
    }
  }

  return PayerData.of({
    export: (issuer, taxId) =>
      Effect.map(report("exportPayer", issuer, exportPayer, [issuer, taxId]), (rows) => ({
        charges: rows.map(chargeFromRow),
      })),
    erase: (issuer, taxId, now) =>
      Effect.flatMap(currentAuthor, (author) => storeEffect("erasePayer", () => erase(issuer, taxId, now, author))),
  })
}
