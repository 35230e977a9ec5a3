import { type DebitOutcome, debitOutcomes, recurrenceActs } from "@pixcharge/core/internal"
import type { JourneyInput, RecurrencePeriod } from "@pixcharge/core/recurrence"
import type { Form } from "@pixcharge/web"
import { randomUUID } from "node:crypto"
import { type Action, formProblem, readAmount, requireAmount } from "./act.ts"

const payer = { name: "Ana Souza", taxId: "529.982.247-25" }

const readJourney = (form: Form): JourneyInput => {
  if (form["journey"] !== "payment") return { by: "code" }
  const amountCents = requireAmount(form["firstAmount"], "The first payment")
  return { by: "payment", charge: { id: randomUUID(), amountCents } }
}

const readDays = (days: string | undefined): ReadonlyArray<number> | undefined => days?.match(/[^\s,;]+/g)?.map(Number)

/** Uses the form's id, so a form that is sent twice offers one recurrence. */
export const offerRecurrence: Action = async ({ pix, company, feed }, { form }) => {
  const { title } = await pix.recurrences.offer(company.cnpj, {
    id: form["id"] ?? "",
    payer,
    title: form["title"] ?? "",
    period: form["period"] as RecurrencePeriod,
    startDate: form["startDate"] ?? "",
    amountCents: readAmount(form["amount"], "The amount"),
    retries: "threeInSeven",
    retryOn: readDays(form["retryOn"]),
    journey: readJourney(form),
  })
  feed.send("A recurrence was offered")
  return { tone: "good", text: `The recurrence “${title}” is offered: play its payer.` }
}

export const playRecurrence: Action = async ({ pix, company, feed }, { params: { id = "" }, form }) => {
  const act = recurrenceActs.find((known) => known === form["act"])
  const play = act ?? { maximumCents: requireAmount(form["maximum"], "The maximum") }
  const { status } = await pix.recurrences.play(company.cnpj, id, play)
  const text = act === undefined ? "The payer has set a maximum." : `The recurrence is ${status}.`
  feed.send(text)
  return { tone: "good", text }
}

const outcomeTexts: Readonly<Record<DebitOutcome, string>> = {
  paid: "The next day's debit will be paid.",
  paidInEvening: "The next day's debit will be paid in the evening.",
  noBalance: "The payer has no balance on the next day of a debit.",
  aboveMaximum: "The next day's debit will be refused as above the maximum.",
  accountClosed: "The payer's account will be closed on the next day of a debit.",
}

export const playDebit: Action = async ({ pix, company }, { params: { id = "" }, form }) => {
  const outcome = debitOutcomes.find((known) => known === form["outcome"])
  if (outcome === undefined) throw formProblem("Choose one of the offered outcomes.")
  await pix.recurrences.playDebit(company.cnpj, id, outcome)
  return { tone: "info", text: `${outcomeTexts[outcome]} Move the clock to that day.` }
}

export const chargeCycle: Action = async ({ pix, company, feed }, { params: { id = "" }, form }) => {
  const amountCents = requireAmount(form["amount"], "The amount")
  await pix.recurrences.charge(company.cnpj, id, { cycle: Number(form["cycle"]), amountCents })
  feed.send("A cycle was charged")
  return { tone: "good", text: "The cycle is charged." }
}

export const skipCycles: Action = async ({ pix, company, feed }, { params: { id = "" }, form }) => {
  const cycles = [Number(form["from"]), Number(form["to"])] as const
  await pix.recurrences.skip(company.cnpj, id, { cycles })
  feed.send("Cycles were skipped")
  return { tone: "good", text: `Cycles ${cycles.join(" to ")} are skipped.` }
}

export const endRecurrence: Action = async ({ pix, company, feed }, { params: { id = "" } }) => {
  const { status } = await pix.recurrences.end(company.cnpj, id)
  feed.send("A recurrence was ended")
  return { tone: "good", text: `The recurrence is ${status}.` }
}

export const retryDebit: Action = async ({ pix, company, feed }, { params: { id = "" } }) => {
  await pix.recurrences.retry(company.cnpj, id)
  feed.send("A new attempt was requested")
  return { tone: "good", text: "A new attempt is requested: move the clock to see its result." }
}
