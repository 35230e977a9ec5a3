import { type PlayOutcome, playOutcomes } from "@pixcharge/core"
import type { Action } from "./act.ts"
import { formProblem } from "./formProblem.ts"
import { readAmount } from "./readAmount.ts"

const said: Readonly<Record<PlayOutcome, string>> = {
  approved: "The payer paid.",
  declined: "The payer's bank declined.",
  timesOut: "The payer paid; the answer never came.",
  paidTwice: "The payer paid twice: the second payment is an exception.",
  paidLate: "The payer paid after the charge expired.",
  noticeLost: "The payer paid, and the notice was lost: look at the clock, the bank is asked later.",
}

/** Plays the payer of a charge. */
export const playPayment: Action = async ({ pix, company, feed }, { params: { id = "" }, form }) => {
  const outcome = playOutcomes.find((known) => known === form["outcome"])
  if (outcome === undefined) throw formProblem("This is no way to pay.")
  const amountCents = readAmount(form["amount"], "The amount")
  await pix.simulatePayment(company.cnpj, id, { outcome, ...(amountCents !== undefined && { amountCents }) })
  feed.send(said[outcome])
  return { tone: "good", text: said[outcome] }
}
