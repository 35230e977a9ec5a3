import type { BankPayment } from "../bank/BankLedger.ts"
import type { ReturnOrder } from "../bank/LedgerBank.ts"
import { nameOf } from "../names.ts"
import type { Violation } from "./Violation.ts"

/** A return that is asked for while another refund of ours is live; the bank has not decided yet. */
export const secondRefund = (
  { endToEndId, returns }: BankPayment,
  { id }: Pick<ReturnOrder, "id">,
): Violation | undefined => {
  const other = returns.find((one) => one.kind === "refund" && one.status !== "rejected")
  if (other === undefined) return undefined
  const what = `${nameOf(endToEndId)} is to be returned by ${id}, and ${other.id} is ${other.status}`
  return { rule: "oneLiveRefund", what }
}
