import { PayerData } from "@pixcharge/core"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import { PayerHasRecurrence, type RecurrenceId } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { type Author, currentAuthor } from "./Author.ts"
import { chargeFromRow } from "../charges/ChargeRow.ts"
import type { Database } from "../sql/Database.ts"
import { storeEffect } from "../sql/storeEffect.ts"
import { toSeconds, textIn } from "../sql/values.ts"
import { erasePayer, exportPayer } from "./payerData.sql.ts"

/** A payer's rights over their data, on Postgres. */
export const makePayerData = ({ report, run }: Database): PayerData["Service"] => {
  const erase = async (issuer: Cnpj, taxId: TaxId, now: number, { actor, at }: Author) => {
    const { rows } = await run(erasePayer, [issuer, taxId, toSeconds(now), actor ?? null, at ?? null])
    const open = rows.find((row) => row["is_open"] === true)
    return open === undefined
      ? Effect.succeed(rows.length)
      : Effect.fail(new PayerHasRecurrence({ issuer, id: textIn(open, "id") as RecurrenceId }))
  }

  return PayerData.of({
    export: (issuer, taxId) =>
      Effect.map(report("exportPayer", issuer, exportPayer, [issuer, taxId]), (rows) => ({
        charges: rows.map(chargeFromRow),
      })),
    erase: (issuer, taxId, now) =>
      Effect.flatMap(currentAuthor, (author) =>
        Effect.flatten(storeEffect("erasePayer", () => erase(issuer, taxId, now, author))),
      ),
  })
}
