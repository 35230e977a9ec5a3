import { currentActor, PayerData } from "@pixcharge/core"
import { shopTexts, withoutPayer } from "@pixcharge/core/charges"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import { PayerHasRecurrence, withoutRecurrencePayer } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import type { Deliveries } from "./Deliveries.ts"
import type { Audit } from "./MemoryAudit.ts"
import type { ChargeRow, MemoryState, RecurrenceRow } from "./MemoryState.ts"

export const makePayerData = ({ company }: MemoryState, outbox: Deliveries, audit: Audit): PayerData["Service"] => {
  const payerRows = (issuer: Cnpj, taxId: TaxId): ReadonlyArray<ChargeRow> =>
    [...company(issuer).charges.values()]
      .filter(({ charge }) => [charge, ...(charge.termsRows ?? [])].some(({ payer }) => payer?.taxId === taxId))
      .toSorted((a, b) => b.charge.createdAt - a.charge.createdAt)

  const recurrenceRows = (issuer: Cnpj, taxId: TaxId): ReadonlyArray<RecurrenceRow> =>
    [...company(issuer).recurrences.values()].filter(({ recurrence }) => recurrence.payer?.taxId === taxId)

  return PayerData.of({
    export: (issuer, taxId) => Effect.sync(() => ({ charges: payerRows(issuer, taxId).map(({ charge }) => charge) })),
    erase: (issuer, taxId, now, { keepReference = false } = {}) =>
      Effect.flatMap(currentActor, (by): ReturnType<PayerData["Service"]["erase"]> => {
        const authorised = recurrenceRows(issuer, taxId)
        const open = authorised.find(({ recurrence }) => recurrence._tag !== "Ended")
        if (open !== undefined) return Effect.fail(new PayerHasRecurrence({ issuer, id: open.recurrence.id }))
        for (const row of authorised) row.recurrence = withoutRecurrencePayer(row.recurrence, now)
        const rows = payerRows(issuer, taxId)
        for (const row of rows) {
          row.charge = withoutPayer(row.charge, now, keepReference ? shopTexts(row.charge) : {})
          if (!keepReference) outbox.eraseShopTexts(row.charge)
        }
        const recurrences = authorised.length
        const count = rows.length + recurrences
        if (count > 0) {
          const oldestChargeId = rows.at(-1)?.charge.id
          const [oldest] = authorised.toSorted((a, b) => a.recurrence.createdAt - b.recurrence.createdAt)
          const facts = {
            charges: rows.length,
            ...(oldestChargeId !== undefined && { oldestChargeId }),
            ...(oldest !== undefined && { recurrences, oldestRecurrenceId: oldest.recurrence.id }),
            ...(keepReference && { keepReference }),
          }
          audit.append(issuer, by, [{ kind: "payerErased", ...facts }])
        }
        return Effect.succeed(count)
      }),
  })
}
