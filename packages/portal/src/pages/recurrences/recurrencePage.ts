import type { PlainCharge, PlainRecurrence } from "@pixcharge/embed"
import { type Html, html, type HtmlChild } from "@pixcharge/web"
import { page, type PortalRoute } from "../../frame/PortalRoute.ts"
import type { Content, View } from "../../frame/View.ts"
import { facts } from "../../parts/elements.ts"
import { formats } from "../../parts/formats.ts"
import { type Column, listTable, pager } from "../../parts/list.ts"
import { brCodeCard, chargeStatusBadge, payerPage } from "../charges/chargeParts.ts"
import { chargePath } from "../charges/chargeTexts.ts"
import { findRetry, retryPath } from "./debit.ts"
import {
  eachCycle,
  findNextCycle,
  findNextDue,
  isOver,
  payerText,
  readCursor,
  readRecurrence,
  recurrenceBadge,
  type ShownRecurrence,
} from "./recurrenceTerms.ts"
import { endedByTexts, endTexts, recurrencePath, recurrencesCrumb, recurrenceTexts } from "./recurrenceTexts.ts"

const columnsFor = ({ link }: View): ReadonlyArray<Column<PlainCharge>> => [
  {
    title: recurrenceTexts.cycle,
    cell: ({ id, cycle }) =>
      html`<a href="${link(chargePath(id))}"
        ><span class="visually-hidden">${recurrenceTexts.openCharge(cycle?.cycle ?? 0)}</span
        ><span aria-hidden="true">${cycle?.cycle}</span></a
      >`,
  },
  { title: recurrenceTexts.dueDate, cell: ({ dueDate }) => (dueDate ? formats.day(dueDate) : "—") },
  { title: recurrenceTexts.status, onPhone: "status", cell: chargeStatusBadge },
  {
    title: recurrenceTexts.attempts,
    isNumber: true,
    cell: ({ debit }) => formats.count(debit?.attempts.length ?? 0),
  },
  {
    title: recurrenceTexts.amount,
    isNumber: true,
    onPhone: "title",
    cell: ({ amountCents }) => formats.reais(amountCents),
  },
]

const cycleTable = (view: View, charges: ReadonlyArray<PlainCharge>): Html =>
  listTable(recurrenceTexts.cycles, columnsFor(view), charges, recurrenceTexts.noCycles)

type Fact = readonly [string, HtmlChild]

const code = (text: string): Html => html`<span class="mono break">${text}</span>`

const codeSection = async (view: View, recurrence: PlainRecurrence): Promise<Awaited<Html>> =>
  recurrence._tag === "Offered" && recurrence.brCode !== undefined
    ? html`${brCodeCard(recurrence.brCode, await payerPage(view, recurrence, "recurrenceLink"), recurrenceTexts.payerPage)}`
    : html``

const actions = (view: View, shown: ShownRecurrence): Html => {
  const { recurrence, charges } = shown
  if (!view.may("recurrences") || isOver(recurrence)) return html``
  const failed = charges.items.findLast((charge) => findRetry(charge, view.now) !== undefined)
  const link = (path: string, text: string, isMain = false): Html =>
    html`<a class="button ${isMain ? "button-primary" : "button-quiet"}" href="${view.link(path)}">${text}</a>`
  return html`<div class="row">
    ${failed !== undefined && link(retryPath(failed.id), recurrenceTexts.retry, true)}
    ${findNextCycle(shown, view.now) !== undefined && link(recurrencePath(recurrence.id, "/pular"), recurrenceTexts.skip)}
    ${link(recurrencePath(recurrence.id, "/encerrar"), recurrenceTexts.endIt)}
  </div>`
}

const journeyText = ({ journey }: PlainRecurrence): string =>
  journey.by === "bank"
    ? recurrenceTexts.journeys.bank(formats.moment(journey.until))
    : recurrenceTexts.journeys[journey.by]

const stateFacts = (recurrence: PlainRecurrence): ReadonlyArray<Fact> => {
  switch (recurrence._tag) {
    case "Approved":
      return [[recurrenceTexts.approvedAt, formats.dateTime(recurrence.approvedAt)]]
    case "Ending":
      return [[recurrenceTexts.endRequestedAt, formats.dateTime(recurrence.requestedAt)]]
    case "Ended": {
      const { reason, by, code: bankCode, at } = recurrence.end
      const text = reason === "ended" && by !== undefined ? `${endTexts.ended} ${endedByTexts[by]}` : endTexts[reason]
      return [
        [recurrenceTexts.endedAt, formats.dateTime(at)],
        [recurrenceTexts.end, bankCode === undefined ? text : `${text} (${bankCode})`],
      ]
    }
    default:
      return []
  }
}

export const termFacts = (view: View, recurrence: PlainRecurrence): Html => {
  const next = findNextDue(recurrence, view.now)
  const { startDate, endDate, floorCents, retries, retryOn, skipped, journey, contract, id, createdAt } = recurrence
  return facts([
    [recurrenceTexts.payer, payerText(recurrence)],
    [recurrenceTexts.amount, eachCycle(recurrence)],
    [recurrenceTexts.floor, floorCents !== undefined && formats.reais(floorCents)],
    [recurrenceTexts.nextDue, next && formats.day(next)],
    [recurrenceTexts.firstDay, formats.day(startDate)],
    [recurrenceTexts.lastDay, endDate && formats.day(endDate)],
    [recurrenceTexts.retries, recurrenceTexts.retriesText[retries]],
    [recurrenceTexts.automatic, retryOn && recurrenceTexts.automaticText(retryOn)],
    [recurrenceTexts.skipped, skipped && recurrenceTexts.skippedText(skipped)],
    [recurrenceTexts.journey, journeyText(recurrence)],
    [
      recurrenceTexts.payment,
      journey.by === "payment" &&
        html`<a class="mono break" href="${view.link(chargePath(journey.chargeId))}">${journey.chargeId}</a>`,
    ],
    [recurrenceTexts.createdAt, formats.dateTime(createdAt)],
    ...stateFacts(recurrence),
    [recurrenceTexts.contract, code(contract)],
    [recurrenceTexts.id, code(id)],
    [recurrenceTexts.bankId, "bankId" in recurrence && recurrence.bankId !== undefined && code(recurrence.bankId)],
  ])
}

const recurrencePage = async (view: View, id: string): Promise<Content> => {
  const shown = await readRecurrence(view, id, readCursor(view))
  const { recurrence, charges } = shown
  return {
    title: recurrence.title,
    badge: recurrenceBadge(recurrence),
    crumbs: [recurrencesCrumb],
    shown,
    body: html`${actions(view, shown)} ${codeSection(view, recurrence)}
      <section class="card stack" aria-labelledby="terms-heading">
        <h2 id="terms-heading">${recurrenceTexts.terms}</h2>
        ${termFacts(view, recurrence)}
      </section>
      ${cycleTable(view, charges.items)}
      ${pager({ query: view.query, path: view.link(recurrencePath(id)), fields: {}, next: charges.cursor })}`,
  }
}

const section = "recurrences"

export const recurrencePageRoutes: ReadonlyArray<PortalRoute> = [
  page("/recorrencias/:id", { section }, (view) => recurrencePage(view, view.params.id), {
    everyMs: 2_000,
    look: (view) => readRecurrence(view, view.params.id, readCursor(view)),
  }),
]
