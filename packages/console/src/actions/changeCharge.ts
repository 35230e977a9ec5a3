import { formProblem } from "./formProblem.ts"
import type { Action } from "./act.ts"
import { readAmount } from "./readAmount.ts"

/** Returns a charge's payment. */
export const refundCharge: Action = async ({ pix, company, feed }, { params: { id = "" } }) => {
  const { status } = await pix.refund(company.cnpj, id)
  feed.send("A charge was refunded")
  return { tone: "good", text: status === "refunded" ? "The payment went back." : "The bank works on the refund." }
}

/** Returns a part of a charge's payment; the form's key makes a repeat the same refund. */
export const refundPart: Action = async ({ pix, company, feed }, { params: { id = "" }, form }) => {
  const amountCents = readAmount(form["amount"], "The amount")
  if (amountCents === undefined) throw formProblem("The amount to return is missing.")
  await pix.refundPart(company.cnpj, id, { key: form["key"] ?? "", amountCents })
  feed.send("A part of a charge was refunded")
  return { tone: "good", text: "A part of the payment went back." }
}

/** Takes an unpaid charge away from its payer. */
export const cancelCharge: Action = async ({ pix, company, feed }, { params: { id = "" } }) => {
  await pix.cancel(company.cnpj, id)
  feed.send("A charge was cancelled")
  return { tone: "good", text: "The charge was cancelled." }
}
