import type { DeliveryRecord, Reply } from "@pixcharge/core"
import { brasiliaDate } from "@pixcharge/core/calendar"
import { type AmountDue, amountDueOn } from "@pixcharge/core/charges"
import type { PlainCharge, PlainTerms } from "@pixcharge/embed"
import { formatTaxId, type Html, html, type PageRequest } from "@pixcharge/web"
import type { ConsoleContext } from "../context/ConsoleContext.ts"
import { curlCommands } from "../wire/curlCommands.ts"
import { chargeActions } from "./chargeActions.ts"
import { exceptionCard } from "./exceptionCard.ts"
import { chargeBadge, checkoutLink, codeCard } from "./parts.ts"
import { deliveryTable } from "./eventsPage.ts"
import { formats, formFields, frame } from "./frame.ts"

const part = (name: string, cents: number, sign: "+" | "−"): Html | false =>
  cents > 0 &&
  html`<dt>${name}</dt>
    <dd class="money">${sign} ${formats.reais(cents)}</dd>`

const amountParts = (due: AmountDue): Html =>
  html`<dl class="facts amounts">
    <dt>Amount</dt>
    <dd class="money">${formats.reais(due.originalCents)}</dd>
    ${part("Abatement", due.abatementCents, "−")} ${part("Discount", due.discountCents, "−")}
    ${part("Fine", due.fineCents, "+")} ${part("Interest", due.interestCents, "+")}
    <dt>Due today</dt>
    <dd class="money"><strong>${formats.reais(due.totalCents)}</strong></dd>
  </dl>`

const payment = (charge: PlainCharge): Html | false => {
  if (!("payment" in charge)) return false
  const { amountCents, paidAt, late, otherAmount, endToEndId } = charge.payment
  return html`<dt>Paid</dt>
    <dd>
      <span class="money">${formats.reais(amountCents)}</span> at ${formats.dateTime(paidAt)}
      ${late && html`<span class="badge" data-tone="warn">late</span>`}
      ${otherAmount && html`<span class="badge" data-tone="warn">another amount</span>`}
    </dd>
    <dt>endToEndId</dt>
    <dd class="mono">${endToEndId}</dd>
    ${charge.returns.map(
      ({ amountCents: cents, returnedAt }) =>
        html`<dt>Returned</dt>
          <dd><span class="money">${formats.reais(cents)}</span> at ${formats.dateTime(returnedAt)}</dd>`,
    )}`
}

const facts = (charge: PlainCharge): Html =>
  html`<dl class="facts">
    <dt>Id</dt>
    <dd class="mono">${charge.id}</dd>
    <dt>txid</dt>
    <dd class="mono">${charge.txid}</dd>
    <dt>Created</dt>
    <dd>${formats.dateTime(charge.createdAt)}</dd>
    ${
      charge.dueDate !== undefined &&
      html`<dt>Due date</dt>
        <dd>${formats.day(charge.dueDate)}</dd>`
    }
    <dt>Payable until</dt>
    <dd>${formats.dateTime(charge.payableUntil)}</dd>
    ${
      charge.payer !== undefined &&
      html`<dt>Payer</dt>
        <dd>
          ${charge.payer.name},
          ${formatTaxId(charge.payer.taxId)}${charge.payer.email && html`<br />${charge.payer.email}`}
          ${charge.payer.address && html`<br />${Object.values(charge.payer.address).join(", ")}`}
        </dd>`
    }
    ${
      charge.messageToPayer !== undefined &&
      html`<dt>Message</dt>
        <dd>${charge.messageToPayer}</dd>`
    }
    ${
      charge.reference !== undefined &&
      html`<dt>Reference</dt>
        <dd>${charge.reference}</dd>`
    }
    ${
      charge.metadata !== undefined &&
      html`<dt>Metadata</dt>
        <dd>${Object.entries(charge.metadata).map(([name, value]) => html`${name}: ${value}<br />`)}</dd>`
    }
    ${payment(charge)}
  </dl>`

const termsTexts: Readonly<Record<PlainTerms["status"], string>> = {
  requested: "requested",
  unanswered: "not answered by the bank",
  refused: "refused by the bank",
  inForce: "in force",
  replaced: "replaced",
}

const termsHistory = ({ termsHistory: history = [] }: PlainCharge): Html | false =>
  history.length > 0 &&
  html`<section class="card" aria-labelledby="terms-title">
    <h2 id="terms-title">All terms</h2>
    <ol>
      ${history.map(
        ({ status, amountCents, payableUntil }) =>
          html`<li>
            <span class="money">${formats.reais(amountCents)}</span>, payable until ${formats.dateTime(payableUntil)}:
            ${termsTexts[status]}
          </li>`,
      )}
    </ol>
  </section>`

const baseUrl = ({ exchange }: Pick<PageRequest, "exchange">): string =>
  `http://${exchange.header("host")}${exchange.fullUrl.slice(0, exchange.fullUrl.length - exchange.url.length)}`

const commands = (context: ConsoleContext, request: PageRequest<"/console/charges/:id">, charge: PlainCharge): Html => {
  const { company, options } = context
  const caller = { baseUrl: baseUrl(request), cnpj: company.cnpj, integratorKey: options.integratorKey }
  const lines = Object.values(curlCommands(caller, charge)).map(({ says, line }) => `# ${says}\n${line}`)
  return html`<details class="card">
    <summary>Commands for curl</summary>
    <div class="stack details-body">
      <p class="hint">Run them in a shell. The first command gets the token for the others.</p>
      <pre class="code" id="curl" tabindex="0" role="region" aria-label="Commands for curl">${lines.join("\n")}</pre>
      <button type="button" class="button button-small" data-copy="curl" hidden>Copy the commands</button>
    </div>
  </details>`
}

const asReturned = (charge: PlainCharge): Html =>
  html`<details class="card">
    <summary>What <code>pix.find</code> returns</summary>
    <pre class="code" id="charge-json" data-live tabindex="0" role="region" aria-label="The charge as JSON">
${JSON.stringify(charge, undefined, 2)}</pre>
  </details>`

export const chargePage = async (
  context: ConsoleContext,
  request: PageRequest<"/console/charges/:id">,
): Promise<Reply> => {
  const { root, params } = request
  const { pix, company, options } = context
  const { charge, entries } = await pix.story(company.cnpj, params.id)
  const exceptions = entries.flatMap((entry) => (entry.kind === "exception" ? [entry.exception] : []))
  const path = `console/charges/${charge.id}`
  const due = amountDueOn(charge, brasiliaDate(pix.clock.now()))
  const events: ReadonlyArray<DeliveryRecord> = (await pix.events.list(company.cnpj, { chargeId: charge.id })).items
  const payerPage = await checkoutLink(context, root, charge.id)
  const fields = await formFields(context, path)
  return frame(context, request, {
    title: `Charge ${charge.id.slice(0, 8)}`,
    section: "charges",
    path,
    content: html`<div class="row row-spread" id="charge-head" data-live>
        <h1>${formats.reais(charge.amountCents)} ${chargeBadge(charge.status)}</h1>
        <p class="row">
          ${payerPage !== undefined && html`<a class="button button-small" href="${payerPage}">Payer's page</a>`}
          ${
            options.portal !== undefined &&
            html`<a class="button button-small" href="${root}${options.portal}${company.cnpj}/cobrancas/${charge.id}"
              >In the portal</a
            >`
          }
        </p>
      </div>
      <div class="columns">
        <div class="stack">
          <div id="charge-actions" data-live>${chargeActions({ root, charge, due, fields })}</div>
          ${charge.brCode !== undefined && codeCard("QR code and payload", charge.brCode)}
        </div>
        <div class="stack">
          <section class="card" aria-labelledby="facts-title" id="charge-facts" data-live>
            <h2 id="facts-title">The charge</h2>
            ${charge.status === "pending" || charge.status === "expired" ? amountParts(due) : false} ${facts(charge)}
          </section>
          <div id="charge-terms" data-live>${termsHistory(charge)}</div>
          <div class="stack" id="charge-exceptions" data-live>
            ${exceptions.map((exception) => exceptionCard(root, exception, fields))}
          </div>
          <section class="stack" aria-labelledby="events-title" id="charge-events" data-live>
            <h2 id="events-title">Events</h2>
            ${deliveryTable(root, events, "No event yet: a payment makes one.")}
          </section>
          ${asReturned(charge)} ${charge.cycle === undefined && commands(context, request, charge)}
        </div>
      </div>`,
  })
}
