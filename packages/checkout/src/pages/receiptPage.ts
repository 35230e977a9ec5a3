import type { Reply } from "@pixcharge/core"
import { formatsFor, html, pageReply } from "@pixcharge/web"
import { checkoutCss, checkoutJs } from "../assets.ts"
import type { LinkRequest } from "../routes/LinkRequest.ts"
import type { SeenPayment, Snapshot } from "../state/Snapshot.ts"
import type { State } from "../state/State.ts"
import { formatCnpj } from "../view/formatCnpj.ts"
import { texts } from "../view/texts.ts"
import { pageTexts } from "./pageTexts.ts"
import { findLinks } from "./findLinks.ts"

const formats = formatsFor("pt-BR")

/** The rows of a receipt, with whole identifiers: the shop and the payer's bank know the payment by them. */
const listFacts = (payment: SeenPayment, snapshot: Snapshot): ReadonlyArray<readonly [name: string, value: string]> => {
  const { description, additionalInfo = [], payeeTaxId, returnedCents } = snapshot
  return [
    [pageTexts.paidAt, texts.brasilia(formats.dateTime(payment.paidAt))],
    [pageTexts.taxId, formatCnpj(payeeTaxId)],
    ...(description === undefined ? [] : [[pageTexts.description, description] as const]),
    ...additionalInfo.map(({ name, value }) => [name, value] as const),
    [pageTexts.transaction, payment.endToEndId],
    ...(returnedCents > 0 ? [[pageTexts.returned, formats.reais(returnedCents)] as const] : []),
  ]
}

/** The receipt of a paid charge, to be printed; undefined for a charge that was not paid. */
export const receiptPage = ({ exchange }: LinkRequest, { snapshot }: State): Promise<Reply> | undefined => {
  const { payment } = snapshot
  if (payment === undefined) return undefined
  const { root, link } = findLinks(exchange)
  return pageReply({
    title: `${pageTexts.receiptTitle} · ${snapshot.payeeName}`,
    lang: "pt-BR",
    root,
    styles: [checkoutCss],
    scripts: [checkoutJs],
    body: html`<main class="checkout receipt">
      <div class="pix" data-status="${snapshot.status}">
        <div class="head">
          <h1>${pageTexts.receiptTitle}</h1>
          <p class="amount"><span>${texts.received}</span> <strong>${formats.reais(payment.amountCents)}</strong></p>
          <p class="payee"><span>${texts.payee}</span> <strong>${snapshot.payeeName}</strong></p>
        </div>
        <div class="details">
          <dl>
            ${listFacts(payment, snapshot).map(
              ([name, value]) =>
                html`<div>
                  <dt>${name}</dt>
                  <dd>${value}</dd>
                </div>`,
            )}
          </dl>
        </div>
        <div class="main">
          <button type="button" class="act" data-print hidden>${pageTexts.print}</button>
          <a class="act quiet" href="${link}">${pageTexts.back}</a>
        </div>
      </div>
    </main>`,
  })
}
