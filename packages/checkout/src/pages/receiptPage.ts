import type { Reply } from "@pixcharge/core"
import { formatsFor, html, pageReply, raw } from "@pixcharge/web"
import { checkoutCss, checkoutJs } from "../assets.ts"
import type { LinkRequest } from "../link/Capability.ts"
import type { SeenPayment, Snapshot } from "../snapshot/Snapshot.ts"
import { formatCnpj } from "../view/ViewParts.ts"
import { texts } from "../view/texts.ts"
import { brandedHead, brandMark, findLinks, pageTools, type ShopFace } from "./pageParts.ts"
import { pageTexts } from "./pageTexts.ts"

const formats = formatsFor("pt-BR")

/** Shows complete identifiers: the shop and the payer's bank need them to find the payment. */
const listFacts = (payment: SeenPayment, snapshot: Snapshot): ReadonlyArray<readonly [name: string, value: string]> => {
  const { description, additionalInfo = [], payeeTaxId, returnedCents } = snapshot
  return [
    [pageTexts.paidAt, texts.brasilia(formats.moment(payment.paidAt))],
    [pageTexts.taxId, formatCnpj(payeeTaxId)],
    ...(description === undefined ? [] : [[pageTexts.description, description] as const]),
    ...additionalInfo.map(({ name, value }) => [name, value] as const),
    [pageTexts.transaction, payment.endToEndId],
    ...(returnedCents > 0 ? [[pageTexts.returned, formats.reais(returnedCents)] as const] : []),
  ]
}

export const receiptPage = (
  { exchange }: LinkRequest,
  shop: ShopFace,
  snapshot: Snapshot,
  payment: SeenPayment,
): Promise<Reply> => {
  const { payeeName } = snapshot
  const { root, link } = findLinks(exchange)
  const shopName = shop.branding.name ?? payeeName
  const amount = formats.reais(payment.amountCents)
  const title = [pageTexts.receiptTitle, snapshot.description, shopName].filter(Boolean).join(" · ")
  const preview = { title, text: texts.paid(amount, formats.moment(payment.paidAt)), shopName } as const
  const logo = brandMark(shop, link, payeeName)
  return pageReply({
    title,
    lang: "pt-BR",
    root,
    head: brandedHead(shop, link, { ...preview, path: "/comprovante" }),
    styles: [checkoutCss],
    scripts: [checkoutJs],
    body: html`<main class="checkout receipt">
      <div class="pix" data-status="${snapshot.status}">
        ${logo && raw(logo.text)}
        <div class="head">
          <h1>${pageTexts.receiptTitle}</h1>
          <p class="amount"><span>${texts.received}</span> <strong>${amount}</strong></p>
          <p class="payee"><span>${texts.payee}</span> <strong>${payeeName}</strong></p>
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
        ${raw(pageTools(shop).text)}
      </div>
    </main>`,
  })
}
