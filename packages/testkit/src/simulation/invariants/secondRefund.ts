import type { LedgerPayment, ReturnOrder } from "@pixcharge/simulated-bank"
import { nameOf } from "../names.ts"
import type { Violation } from "./Violation.ts"

/**
 * A return that is asked for while another refund of ours is live, or beyond what those that were carried out have left; the
 * bank has not decided yet. Of what it has denied nobody could know.
 */
export const secondRefund = (
  payment: LedgerPayment,
  { id, amountCents }: Pick<ReturnOrder, "id" | "amountCents">,
): Violation | undefined => {
  const others = payment.returns.filter(
    ({ kind, status, isDenied }) => kind === "refund" && status !== "rejected" && !isDenied,
  )
  const back = others.reduce((sum, other) => sum + other.amountCents, 0)
  const live = others.find(({ status }) => status !== "returned")
  const other = live ?? (back + amountCents > payment.amountCents ? others[0] : undefined)
  if (other === undefined) return undefined
  const what = `${nameOf(payment.endToEndId)} is to be returned by ${id}, and ${other.id} is ${other.status}`
  return { rule: "oneLiveRefund", what }
}
