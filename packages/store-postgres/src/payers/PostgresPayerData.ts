import { PayerData } from "@pixcharge/core"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import { PayerHasRecurrence, type RecurrenceId } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { type Author, currentAuthor } from "../audit/Author.ts"
import { chargeFromRow } from "../charges/ChargeRow.ts"
import type { Database } from "../database/Database.ts"
import { storeEffect } from "../database/storeEffect.ts"
import { toSeconds, textIn } from "../database/values.ts"
import { erasePayer, exportPayer } from "./payerData.sql.ts"

/** A payer's rights over their data, on Postgres. */
export const makePayerData = ({ report, run }: Database): PayerData["Service"] => {
  /**
   * Repeats until nothing is found: the release before may move a row's texts while they are being erased. Recurrences are looked at
   * in the first round only: one that is offered after it stays.
   */
  const erase = async (issuer: Cnpj, taxId: TaxId, now: number, { actor, at }: Author) => {
    const erased = new Set<string>()
    for (;;) {
      const isFirst = erased.size === 0
      const { rows } = await run(erasePayer, [issuer, taxId, toSeconds(now), actor ?? null, at ?? null, isFirst])
      const open = rows.find((row) => row["is_open"] === true)
      if (open !== undefined) {
        return Effect.fail(new PayerHasRecurrence({ issuer, id: textIn(open, "id") as RecurrenceId }))
      }
      if (rows.length === 0) return Effect.succeed(erased.size)
      for (const row of rows) erased.add(textIn(row, "id"))
    }
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
