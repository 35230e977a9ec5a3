import type { RecurrenceRequest } from "@pixcharge/core/recurrence"
import type { RecurrenceAction } from "./recurrencePlan.ts"
import { isLive, type RecurrenceBank } from "./RecurrenceBank.ts"

export const actAsPayer = (
  bank: RecurrenceBank,
  action: RecurrenceAction,
  { issuer, contract }: Pick<RecurrenceRequest, "contract"> & { readonly issuer: string },
): void => {
  const name = `${issuer} ${contract}`
  const recs = [...bank.recs.values()].filter((rec) => rec.issuer === issuer && rec.contract === contract)
  switch (action.do) {
    // A payer who saw two of them authorises both.
    case "approve":
      return recs.forEach((rec) => bank.approve(rec))
    case "decline":
      return recs.forEach((rec) => bank.decline(rec))
    case "payerEnds":
      return recs.forEach((rec) => void bank.endRec(rec.id, "payer"))
    case "payerCancels": {
      const next = [...bank.cobrs.values()].find(({ rec, attempts }) => recs.includes(rec) && attempts.some(isLive))
      if (next !== undefined) bank.cancelCobr(next.txid, "payer")
      return
    }
    case "impoverish":
      bank.poor.add(name)
      return
    case "enrich":
      bank.poor.delete(name)
  }
}
