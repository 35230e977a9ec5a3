import type { DebitAttempt } from "@pixcharge/core/recurrence"
import type { PlainCharge } from "@pixcharge/embed"
import { type Html, html } from "@pixcharge/web"
import type { View } from "../../frame/View.ts"
import { badge } from "../../parts/badge.ts"
import { facts } from "../../parts/facts.ts"
import { formats } from "../../parts/formats.ts"
import { type Column, listTable } from "../lists/listTable.ts"
import { attemptTexts } from "./debitStatus.ts"
import { recurrencePath } from "./recurrencePaths.ts"
import { debitTexts, recurrenceTexts } from "./recurrenceTexts.ts"

/** A charge that was paid is looked up no more: its payment says which attempt it was. */
const attemptStatus = ({ status, endToEndId }: DebitAttempt, charge: PlainCharge): DebitAttempt["status"] =>
  "payment" in charge && charge.payment.endToEndId === endToEndId ? "paid" : status

const columnsFor = (charge: PlainCharge): ReadonlyArray<Column<DebitAttempt>> => [
  { title: debitTexts.day, onPhone: "title", cell: ({ on }) => formats.day(on) },
  { title: debitTexts.attempt, cell: ({ kind }) => debitTexts.kinds[kind] },
  {
    title: debitTexts.result,
    onPhone: "status",
    cell: (attempt) => {
      const { text, tone } = attemptTexts[attemptStatus(attempt, charge)]
      return badge(text, tone)
    },
  },
  { title: debitTexts.code, cell: ({ code }) => code ?? "—" },
  {
    title: debitTexts.endToEndId,
    onPhone: "rest",
    cell: ({ endToEndId }) => html`<span class="mono break">${endToEndId ?? "—"}</span>`,
  },
]

/** How a cycle's charge is debited: its recurrence, its planned day and its attempts. Nothing for any other charge. */
export const debitSection = ({ link }: View, charge: PlainCharge): Html => {
  const { cycle, debit } = charge
  if (cycle === undefined || debit === undefined) return html``
  const { recurrenceId, contract, settlesOn, retryDays } = cycle
  const isAwaited = debit.retries.some((on) => !debit.attempts.some((attempt) => attempt.on === on))
  return html`<section class="card stack" aria-labelledby="debit-heading">
    <h2 id="debit-heading">${debitTexts.title}</h2>
    ${facts([
      [debitTexts.kind, debitTexts.kindText],
      [debitTexts.recurrence, html`<a class="mono break" href="${link(recurrencePath(recurrenceId))}">${contract}</a>`],
      [recurrenceTexts.cycle, debitTexts.generation(cycle.cycle, cycle.generation)],
      [debitTexts.settlesOn, formats.day(settlesOn)],
      [debitTexts.retryUntil, retryDays.length > 0 && formats.day(retryDays.at(-1) ?? settlesOn)],
    ])}
    ${listTable(debitTexts.attempts, columnsFor(charge), debit.attempts.toReversed(), debitTexts.noAttempts)}
    ${isAwaited && html`<p class="muted">${debitTexts.requested}</p>`}
  </section>`
}
