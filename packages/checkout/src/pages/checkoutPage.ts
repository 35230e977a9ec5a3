import type { Reply } from "@pixcharge/core"
import { formatsFor, html, pageReply, raw } from "@pixcharge/web"
import { checkoutCss, checkoutJs } from "../assets.ts"
import type { LinkRequest } from "../link/Capability.ts"
import { type State, stateBody } from "../wire/State.ts"
import { checkoutFrame, type FrameExtras } from "../view/checkoutFrame.ts"
import { checkoutParts } from "../view/checkoutParts.ts"
import type { CheckoutState } from "../view/CheckoutState.ts"
import { linksBelow, type ViewContext } from "../view/ViewParts.ts"
import { markup } from "../view/markup.ts"
import { seenTerms } from "../view/seenTerms.ts"
import { pageTitle, texts } from "../view/texts.ts"
import { readState } from "../wire/StateBody.ts"
import { brandedHead, brandMark, findLinks, pageTools, type ShopFace } from "./pageParts.ts"
import { pageTexts } from "./pageTexts.ts"

const previewText = (state: CheckoutState, { formats }: ViewContext): string =>
  state.status === "pending"
    ? `${texts.toPay}: ${formats.reais(state.amounts.totalCents)}. ${texts.payableUntil} ${formats.date(state.payableUntil)}.`
    : texts.titles[state.status]

export const checkoutPage = ({ exchange, now }: LinkRequest, shop: ShopFace, found: State): Promise<Reply> => {
  const { root, link } = findLinks(exchange)
  // Reads the body of `/estado` as the browser's script does, to draw the same view.
  const state = readState(stateBody(found, now))
  const context = { formats: formatsFor("pt-BR"), links: linksBelow(link), isEmbedded: false, isLive: false } as const
  const shopName = shop.branding.name ?? state.payee.name
  const title = pageTitle(state, shopName)
  const extras: FrameExtras = {
    terms: seenTerms(state),
    top: brandMark(shop, link, state.payee.name),
    between:
      !state.isFinal && markup`<noscript><p class="reload"><a href="${link}">${pageTexts.reload}</a></p></noscript>`,
    bottom: pageTools(shop),
  }
  const view = checkoutFrame(checkoutParts(state, now, context), state, extras)
  return pageReply({
    title,
    lang: "pt-BR",
    root,
    head: brandedHead(shop, link, { title, text: previewText(state, context), shopName, path: "" }),
    styles: [checkoutCss],
    scripts: [checkoutJs],
    body: html`<main class="checkout" data-checkout="${link}" data-shop="${shopName}">${raw(view.text)}</main>`,
  })
}
