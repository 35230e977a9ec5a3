import { currentActor, PayerData } from "@pixcharge/core"
import type { Cnpj, TaxId } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Audit } from "./MemoryAudit.ts"
import type { ChargeRow, MemoryState } from "./MemoryState.ts"
import { withoutRefundReasons } from "./withoutRefundReasons.ts"

/** A payer's rights over their data, in this process. */
export const makePayerData = ({ company }: MemoryState, audit: Audit): PayerData["Service"] => {
  /** Newest charge first. */
  const payerRows = (issuer: Cnpj, taxId: TaxId): ReadonlyArray<ChargeRow> =>
    [...company(issuer).charges.values()]
      .filter(({ charge }) => charge.payer?.taxId === taxId)
      .toSorted((a, b) => b.charge.createdAt - a.charge.createdAt)

  return PayerData.of({
    export: (issuer, taxId) => Effect.sync(() => ({ charges: payerRows(issuer, taxId).map(({ charge }) => charge) })),
    erase: (issuer, taxId, now) =>
      Effect.map(currentActor, (by) => {
        const rows = payerRows(issuer, taxId)
        for (const row of rows) {
          const { payer: _, messageToPayer: _message, additionalInfo: _info, ...charge } = row.charge
          row.charge = { ...withoutRefundReasons(charge), payerErasedAt: now }
        }
        if (rows.length > 0 && by !== undefined)
          audit.append(issuer, by, [{ kind: "payerErased", charges: rows.length }])
        return rows.length
      }),
  })
}
