import { type Html, html } from "@pixcharge/web"
import type { Content, View } from "../../frame/View.ts"
import { copyButton, facts } from "../../parts/elements.ts"
import { formats } from "../../parts/formats.ts"
import { brCodeCard, chargeStatusBadge, payerPage } from "./chargeParts.ts"
import { chargePath, chargesCrumb, chargeTexts, newChargePath } from "./chargeTexts.ts"

export const sendTexts = {
  title: "Enviar ao pagador",
  link: "Link de pagamento",
  linkHint: "Quem recebe este link vê o valor, a descrição e o código Pix, mas não o nome nem o documento do pagador.",
  copyLink: "Copiar link",
  copiedLink: "Link copiado.",
  notCopiedLink: "Não foi possível copiar. O link está selecionado: copie-o pelo teclado ou pelo menu.",
  over: "Esta cobrança não pode mais ser paga: não há o que enviar.",
  open: "Ver a cobrança",
  another: "Emitir outra cobrança",
}

const linkCard = (link: string): Html =>
  html`<section class="card stack" aria-labelledby="link-heading">
    <h2 id="link-heading">${sendTexts.link}</h2>
    <p class="code portal-code" id="payer-link" tabindex="0">${link}</p>
    <p class="hint">${sendTexts.linkHint}</p>
    <div class="row">
      ${copyButton(
        "payer-link",
        { copy: sendTexts.copyLink, done: sendTexts.copiedLink, failed: sendTexts.notCopiedLink },
        { isPrimary: true },
      )}
    </div>
  </section>`

/** The charge's code and, with a checkout, the payer's link. */
export const sendPage = async (view: View, id: string): Promise<Content> => {
  const charge = await view.pix.find(view.company, id)
  const { link: address, may } = view
  const brCode = charge.status === "pending" ? charge.brCode : undefined
  const link = brCode === undefined ? undefined : await payerPage(view, charge)
  return {
    title: sendTexts.title,
    badge: chargeStatusBadge(charge),
    shown: charge,
    crumbs: [chargesCrumb, { title: chargeTexts.title(formats.reais(charge.amountCents)), path: chargePath(id) }],
    body: html`<section class="card">
        ${facts([
          [chargeTexts.amount, html`<strong class="money">${formats.reais(charge.amountCents)}</strong>`],
          [chargeTexts.dueDate, charge.dueDate && formats.day(charge.dueDate)],
          [chargeTexts.payableUntil, formats.dateTime(charge.payableUntil)],
        ])}
      </section>
      ${link !== undefined && linkCard(link)}
      ${
        brCode === undefined
          ? html`<p class="notice" data-tone="info">${sendTexts.over}</p>`
          : brCodeCard(brCode, undefined)
      }
      <div class="row">
        <a class="button" href="${address(chargePath(id))}">${sendTexts.open}</a>
        ${may("issue") && html`<a class="button button-quiet" href="${address(newChargePath)}">${sendTexts.another}</a>`}
      </div>`,
  }
}
